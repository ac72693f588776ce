package ods

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// readCells reads the cells of a row that are not empty. Their row is set by the caller.
func (r *sheetReader) readCells(row *xmltree.Node) []grid.Cell {
	var out []grid.Cell
	column := 0
	for _, n := range row.Children {
		if n.Name != "table:table-cell" && n.Name != "table:covered-table-cell" || column >= grid.MaxColumns {
			continue
		}
		times := repeat(n.Attr("table:number-columns-repeated"), grid.MaxColumns-column)
		if n.Name == "table:table-cell" {
			if c, ok := r.cell(n, column); ok {
				if times > maxRepeat {
					r.cut = true
				}
				for i := range min(times, maxRepeat) {
					c.Column = int32(column + i)
					out = append(out, c)
				}
			}
		}
		column += times
	}
	return out
}

var classes = map[string]grid.Class{
	"float": grid.Number, "percentage": grid.Number, "currency": grid.Number, "date": grid.Date, "time": grid.Duration, "boolean": grid.Boolean, "string": grid.Text,
}

// cell reads one cell; false when it is empty. What lies in it without being its text (pictures, comments) is taken out.
func (r *sheetReader) cell(n *xmltree.Node, column int) (grid.Cell, bool) {
	kind := n.Attr("office:value-type")
	if kind == "" {
		kind = n.Attr("calcext:value-type")
	}
	c := grid.Cell{Column: int32(column), Class: classes[kind], Bold: r.p.bold[n.Attr("table:style-name")]}
	r.content(n, &c, column)
	r.value(n, &c, kind)
	r.formula(n, &c, kind)
	r.merge(n, column)
	return c, c.Text != "" || c.Raw != "" || c.Extra != nil && len(c.Extra.Blocks) > 0
}

// content reads what stands in the cell.
func (r *sheetReader) content(n *xmltree.Node, c *grid.Cell, column int) {
	var lines []string
	rich := &xmltree.Node{Name: n.Name}
	isRich := false
	for _, child := range n.Children {
		switch {
		case child.Name == "text:p" || child.Name == "text:h":
			text, plain := plainText(child)
			lines = append(lines, text)
			isRich = isRich || !plain
			rich.Children = append(rich.Children, child)
		case child.Name == "office:annotation":
			r.comment(child, column)
		case strings.HasPrefix(child.Name, "draw:"):
			r.float(child, r.row, column)
		}
	}
	c.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	if isRich {
		if blocks := r.p.r.Blocks(rich); len(blocks) > 0 {
			c.Extra = &grid.Extra{Blocks: blocks}
			if len(blocks) == 1 && blocks[0].Kind == doc.Paragraph {
				c.Extra = &grid.Extra{Inlines: blocks[0].Inlines}
			}
			if text := (&doc.Cell{Blocks: blocks}).PlainText(); text != "" {
				c.Text = text
			}
		}
	}
}

// plainText is a paragraph's text when it has no looks, links or fields, else plain is false.
func plainText(p *xmltree.Node) (text string, plain bool) {
	if len(p.Children) == 0 {
		return "", true
	}
	if len(p.Children) == 1 && p.Children[0].Name == "" {
		return strings.Join(strings.Fields(p.Children[0].Text), " "), true
	}
	return p.AllText(), false
}

// value reads the stored value. Dates are shown as ISO 8601, whatever the cell's format; other values as they are shown.
func (r *sheetReader) value(n *xmltree.Node, c *grid.Cell, kind string) {
	switch kind {
	case "float", "percentage", "currency":
		c.Raw = n.Attr("office:value")
	case "boolean":
		c.Raw = n.Attr("office:boolean-value")
		if c.Text == "" {
			c.Text = strings.ToUpper(c.Raw)
		}
	case "date":
		c.Raw = n.Attr("office:date-value")
		c.ISO = strings.TrimSuffix(c.Raw, "T00:00:00")
		if c.ISO != "" {
			c.Text = strings.Replace(strings.TrimSuffix(c.ISO, ":00"), "T", " ", 1)
		}
	case "time":
		c.Raw = n.Attr("office:time-value")
		c.ISO = c.Raw
	case "string":
		if c.Text == "" {
			c.Text = n.Attr("office:string-value")
		}
	}
	if c.Text == "" {
		c.Text = c.Raw
	}
	if strings.HasPrefix(c.Text, "#") || strings.HasPrefix(c.Text, "Err:") {
		if n.Attr("calcext:value-type") == "error" {
			c.Class = grid.Error
		}
	}
}

// formula keeps the formula, without the prefix that names its language ("of:=").
func (r *sheetReader) formula(n *xmltree.Node, c *grid.Cell, kind string) {
	formula := n.Attr("table:formula")
	if formula == "" {
		return
	}
	if i := strings.IndexByte(formula, '='); i >= 0 && i < 10 {
		formula = formula[i+1:]
	}
	formula = plainReferences(formula)
	if c.Extra == nil {
		c.Extra = &grid.Extra{}
	}
	c.Extra.Formula, c.Extra.Cached = formula, kind != ""
	if kind == "" && c.Text == "" {
		r.p.uncached++
		c.Text = "=" + formula
	}
}

// plainReferences writes OpenFormula's references as people do: "[.A1:.B2]" as "A1:B2", "[$Data.A1]" as "$Data!A1".
func plainReferences(formula string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(formula, '[')
		end := strings.IndexByte(formula, ']')
		if start < 0 || end < start {
			b.WriteString(formula)
			return b.String()
		}
		b.WriteString(formula[:start])
		for i, corner := range strings.Split(formula[start+1:end], ":") {
			if i > 0 {
				b.WriteByte(':')
			}
			sheet, cell, found := strings.Cut(corner, ".")
			if found && sheet != "" {
				cell = sheet + "!" + cell
			} else if !found {
				cell = corner
			}
			b.WriteString(cell)
		}
		formula = formula[end+1:]
	}
}

func (r *sheetReader) merge(n *xmltree.Node, column int) {
	rows, columns := repeat(n.Attr("table:number-rows-spanned"), grid.MaxRows), repeat(n.Attr("table:number-columns-spanned"), grid.MaxColumns)
	if rows > 1 || columns > 1 {
		r.sheet.Merges = append(r.sheet.Merges, grid.Rect{Top: r.row, Left: column, Bottom: min(r.row+rows, grid.MaxRows) - 1, Right: min(column+columns, grid.MaxColumns) - 1})
	}
}

// comment keeps a cell's comment as an annotation.
func (r *sheetReader) comment(n *xmltree.Node, column int) {
	var lines []string
	for _, p := range n.All("text:p") {
		lines = append(lines, strings.TrimSpace(p.AllText()))
	}
	a := doc.Annotation{
		Kind: "comment", Author: strings.TrimSpace(n.Child("dc:creator").AllText()), Date: strings.TrimSpace(n.Child("dc:date").AllText()),
		Text: strings.TrimSpace(strings.Join(lines, "\n")), Places: []doc.Place{r.place(grid.Name(r.row, column))},
	}
	if a.Text != "" {
		r.p.d.Annotations = append(r.p.d.Annotations, a)
	}
}
