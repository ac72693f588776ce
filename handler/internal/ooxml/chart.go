package ooxml

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/numfmt"
	"decant/handler/internal/xmltree"
)

// Limits of a chart's table.
const (
	maxSeries = 256
	maxPoints = 10_000
)

// Chart makes a chart part (c:chartSpace, ECMA-376 part 1, 21.2, or cx:chartSpace) a table: categories down, series across,
// the chart's title as caption. Without stored data it is a paragraph of the title, and hasData is false.
func Chart(root *xmltree.Node) (block doc.Block, hasData bool) {
	title := chartTitle(root)
	series, categories := chartSeries(root)
	if len(series) == 0 {
		return doc.P(title), false
	}
	rows := len(categories)
	for _, s := range series {
		rows = max(rows, len(s.values))
	}
	grid := &doc.Grid{Rows: rows + 1, Columns: len(series) + 1, HeaderRows: 1}
	put := func(row, column int, text string) {
		cell := doc.Cell{Row: row, Column: column, Header: row == 0}
		if text != "" {
			cell.Blocks = []doc.Block{doc.P(text)}
		}
		grid.Cells = append(grid.Cells, cell)
	}
	put(0, 0, "")
	for i, s := range series {
		put(0, i+1, s.name)
	}
	for row := range rows {
		put(row+1, 0, at(categories, row))
		for i, s := range series {
			put(row+1, i+1, at(s.values, row))
		}
	}
	block = doc.Block{Kind: doc.Table, Table: grid}
	if title != "" {
		block.Caption = []doc.Inline{doc.T(title)}
	}
	return block, true
}

func at(values []string, i int) string {
	if i < len(values) {
		return values[i]
	}
	return ""
}

type chartLine struct {
	name   string
	values []string
}

// chartSeries reads the stored values of all series. The categories are those of the first series that has some.
func chartSeries(root *xmltree.Node) (series []chartLine, categories []string) {
	root.Walk(func(n *xmltree.Node) bool {
		if n.Name != "c:ser" || len(series) >= maxSeries {
			return n.Name != "c:ser"
		}
		s := chartLine{name: strings.Join(points(n.Child("c:tx")), " ")}
		s.values = points(n.Child("c:val"))
		if s.values == nil {
			s.values = points(n.Child("c:yVal"))
		}
		if size := points(n.Child("c:bubbleSize")); size != nil {
			for i := range s.values {
				s.values[i] += " (" + at(size, i) + ")"
			}
		}
		own := points(n.Child("c:cat"))
		if own == nil {
			own = points(n.Child("c:xVal"))
		}
		if len(own) > len(categories) {
			categories = own
		}
		if s.values != nil || s.name != "" {
			series = append(series, s)
		}
		return false
	})
	if series == nil {
		return extendedSeries(root)
	}
	for _, s := range series {
		if s.values != nil {
			return series, categories
		}
	}
	return nil, nil
}

// points reads a cache of strings or numbers; of several levels of categories the innermost comes last: "2024 / Q1".
func points(n *xmltree.Node) []string {
	if n == nil {
		return nil
	}
	if multi := n.Find("c:multiLvlStrCache"); multi != nil {
		return levels(multi)
	}
	var values []string
	code := "" // the number format of the cache; strings have none
	n.Walk(func(c *xmltree.Node) bool {
		switch c.Name {
		case "c:numCache", "c:numLit":
			code = first(strings.TrimSpace(c.Child("c:formatCode").AllText()), "General")
		case "c:pt":
			values = put(values, c, code)
		}
		return c.Name != "c:pt"
	})
	if values == nil {
		if v := n.Child("c:v"); v != nil {
			values = []string{strings.TrimSpace(v.AllText())}
		}
	}
	return values
}

func put(values []string, pt *xmltree.Node, code string) []string {
	index := number(pt.Attr("idx"), len(values))
	if index < 0 || index >= maxPoints {
		return values
	}
	for len(values) <= index {
		values = append(values, "")
	}
	values[index] = shown(strings.TrimSpace(pt.Child("c:v").AllText()), first(pt.Attr("formatCode"), code))
	return values
}

// shown is a stored number as its format shows it: a date is stored as a serial number, a share as 0.125.
func shown(text, code string) string {
	v, err := strconv.ParseFloat(text, 64)
	if code == "" || err != nil {
		return text
	}
	if s := numfmt.Parse(code).Number(v, text, false).Text; s != "" {
		return s
	}
	return text
}

func levels(multi *xmltree.Node) []string {
	var values []string
	for _, level := range multi.All("c:lvl") { // innermost first
		var own []string
		for _, pt := range level.All("c:pt") {
			own = put(own, pt, "")
		}
		outer := ""
		for i := range max(len(values), len(own)) {
			if text := at(own, i); text != "" {
				outer = text
			}
			if i >= len(values) {
				values = append(values, outer)
			} else if outer != "" {
				values[i] = outer + " / " + values[i]
			}
		}
	}
	return values
}

// extendedSeries reads the newer kinds of charts (waterfall, treemap ...), whose data stand apart from the series.
func extendedSeries(root *xmltree.Node) (series []chartLine, categories []string) {
	for _, data := range root.Find("cx:chartData").All("cx:data") {
		for _, dim := range data.Children {
			if dim.Name != "cx:strDim" && dim.Name != "cx:numDim" {
				continue
			}
			var values []string
			dim.Walk(func(c *xmltree.Node) bool {
				if c.Name == "cx:pt" && len(values) < maxPoints {
					values = append(values, strings.TrimSpace(c.AllText()))
				}
				return true
			})
			if dim.Name == "cx:strDim" {
				categories = values
			} else if len(series) < maxSeries {
				series = append(series, chartLine{values: values})
			}
		}
	}
	at := 0
	root.Walk(func(n *xmltree.Node) bool {
		if n.Name == "cx:series" && at < len(series) {
			series[at].name = strings.TrimSpace(n.Child("cx:tx").Find("cx:v").AllText())
			at++
		}
		return true
	})
	return series, categories
}

// chartTitle is the chart's title, or the name of its only series, which Office shows in its place.
func chartTitle(root *xmltree.Node) string {
	title := root.Find("c:title")
	if title == nil {
		title = root.Find("cx:title")
	}
	text := DrawingText(title)
	if text == "" {
		text = strings.TrimSpace(strings.Join(points(title.Child("c:tx")), " "))
	}
	return text
}

// DrawingText is the text of the a:t elements below a node: paragraphs are divided by a space. It may be called with nil.
func DrawingText(n *xmltree.Node) string {
	var b strings.Builder
	n.Walk(func(c *xmltree.Node) bool {
		switch c.Name {
		case "a:t":
			b.WriteString(c.AllText())
		case "a:p", "a:br":
			b.WriteByte(' ')
		}
		return true
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
