package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// Bounds of tables (HTML standard 4.9.11: colspan up to 1000, rowspan up to 65534); positions bounds the work of one table.
const (
	maxColSpan   = 1000
	maxRowSpan   = 65534
	maxColumns   = 16384
	maxPositions = 20_000_000
)

// row is a <tr>, or the cells that stand in its place.
type row struct {
	node *html.Node
	head bool // in <thead>
	end  int  // index after the last row of its group: rowspan=0 reaches to here
}

// table reads a data table into a grid; a table that only lays out the page is dissolved.
func (f *flow) table(n *html.Node, l look) {
	f.flush()
	l = look{link: l.link}
	t := collectRows(f.b, n)
	if f.b.isLayout(n, t) {
		f.dissolve(n, t, l)
		return
	}
	block := doc.Block{Kind: doc.Table}
	if t.caption != nil {
		block.Caption = f.inlinesOf(t.caption, l)
	}
	block.Table = f.grid(t.rows, l)
	if block.Table.Rows == 0 || len(block.Table.Cells) == 0 {
		if len(block.Caption) > 0 {
			f.emit(doc.Block{Kind: doc.Paragraph, Inlines: block.Caption})
		}
		return
	}
	f.first, f.last = 0, 0
	f.emit(block)
}

// dissolve gives the content of a layout table's cells one after the other.
func (f *flow) dissolve(n *html.Node, t tableParts, l look) {
	if t.caption != nil {
		f.container(t.caption, l)
	}
	for _, r := range t.rows {
		for _, cell := range cellsOf(r.node) {
			if reason := f.b.hiddenReason(cell); reason != "" {
				f.b.hide(cell, reason)
				continue
			}
			f.container(cell, l)
		}
	}
}

// tableParts are the rows of a table in the order in which a browser shows them, and its caption.
type tableParts struct {
	rows    []row
	caption *html.Node
}

func collectRows(b *builder, n *html.Node) tableParts {
	var parts tableParts
	var head, body, foot []row
	group := func(list []row, section *html.Node, isHead bool) []row {
		start := len(list)
		for _, c := range elements(section) {
			if reason := b.hiddenReason(c); reason != "" {
				b.hide(c, reason)
			} else if c.Data == "tr" {
				list = append(list, row{node: c, head: isHead})
			}
		}
		for i := start; i < len(list); i++ {
			list[i].end = len(list)
		}
		return list
	}
	for _, c := range elements(n) {
		if reason := b.hiddenReason(c); reason != "" {
			b.hide(c, reason)
			continue
		}
		switch c.Data {
		case "thead":
			head = group(head, c, true)
		case "tbody":
			body = group(body, c, false)
		case "tfoot":
			foot = group(foot, c, false)
		case "tr":
			body = append(body, row{node: c, end: len(body) + 1})
		case "caption":
			parts.caption = c
		}
	}
	parts.rows = append(parts.rows, head...)
	for _, list := range [][]row{body, foot} {
		offset := len(parts.rows)
		for _, r := range list {
			r.end += offset
			parts.rows = append(parts.rows, r)
		}
	}
	return parts
}

func cellsOf(tr *html.Node) []*html.Node {
	var list []*html.Node
	for _, c := range elements(tr) {
		if c.Data == "td" || c.Data == "th" {
			list = append(list, c)
		}
	}
	return list
}

// grid places the cells as the HTML standard says (4.9.12.1): each takes the next free column, spans cover what follows.
func (f *flow) grid(rows []row, l look) *doc.Grid {
	g := &doc.Grid{Rows: len(rows)}
	var busy []int // per column: until which row (exclusive) it is covered
	positions := 0
	for y, r := range rows {
		if f.b.stopped() {
			break
		}
		column := 0
		for _, node := range cellsOf(r.node) {
			if reason := f.b.hiddenReason(node); reason != "" {
				f.b.hide(node, reason)
				continue
			}
			for column < len(busy) && busy[column] > y {
				column++
			}
			width, height := spans(node, y, r.end)
			if positions += width; positions > maxPositions || column+width > maxColumns {
				width, height = 1, 1
			}
			if column >= maxColumns {
				f.b.d.Warn("limit_reached", "A table has more columns than can be read; the rest of the row was left out.")
				break
			}
			width = freeWidth(busy, column, width, y)
			for len(busy) < column+width {
				busy = append(busy, 0)
			}
			for x := column; x < column+width; x++ {
				busy[x] = y + height
			}
			if cell := f.cell(node, l); len(cell.Blocks) > 0 || width > 1 || height > 1 || cell.Header {
				cell.Row, cell.Column = y, column
				cell.RowSpan, cell.ColSpan = spanValue(height), spanValue(width)
				g.Cells = append(g.Cells, cell)
			}
			column += width
		}
	}
	g.Columns = len(busy)
	g.HeaderRows = headerRows(rows)
	return g
}

// freeWidth cuts a colspan where a rowspan from above stands in its way, so that no position is covered twice.
func freeWidth(busy []int, column, width, y int) int {
	for x := column; x < column+width && x < len(busy); x++ {
		if busy[x] > y {
			return x - column
		}
	}
	return width
}

func spans(n *html.Node, y, end int) (width, height int) {
	width = min(max(number(attr(n, "colspan"), 1), 1), maxColSpan)
	height = number(attr(n, "rowspan"), 1)
	if height <= 0 {
		height = end - y
	}
	height = min(max(height, 1), maxRowSpan, max(1, end-y))
	return width, height
}

func spanValue(n int) int {
	if n <= 1 {
		return 0
	}
	return n
}

func number(s string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return otherwise
	}
	return n
}

func (f *flow) cell(n *html.Node, l look) doc.Cell {
	cell := doc.Cell{Header: n.Data == "th", Align: alignment(n)}
	cell.Blocks = f.within(n, l)
	if cell.Header {
		for i := range cell.Blocks {
			cell.Blocks[i].Inlines = plainLook(cell.Blocks[i].Inlines)
		}
	}
	return cell
}

func alignment(n *html.Node) string {
	align := strings.ToLower(attr(n, "align"))
	if _, after, ok := strings.Cut(spaces.Replace(strings.ToLower(attr(n, "style"))), "text-align:"); ok {
		align, _, _ = strings.Cut(after, ";")
	}
	switch align {
	case "left", "center", "right":
		return align
	}
	return ""
}

// headerRows counts the rows at the top that are headers: those in <thead>, or those with <th> only (and at least one not empty).
func headerRows(rows []row) int {
	n := 0
	for _, r := range rows {
		cells := cellsOf(r.node)
		all := len(cells) > 0
		for _, c := range cells {
			all = all && c.Data == "th"
		}
		if !r.head && !all {
			break
		}
		n++
	}
	if n == len(rows) && n > 1 && !rows[n-1].head {
		return 1 // a table of th only has a header like any other
	}
	return n
}
