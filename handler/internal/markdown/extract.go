package markdown

import (
	"sort"

	"decant/handler/internal/doc"
)

// Extract is a part of a table as HTML that stands on its own: Head opens it and holds its header rows, Tail closes it.
type Extract struct{ Head, Rows, Tail string }

// Extractor writes parts of one table. It looks at the whole table once, and then at the rows that are asked for only.
type Extractor struct {
	blank      renderer // has written nothing yet: a copy of it writes
	table      *doc.Block
	view       *view
	head, tail string
	starts     []int // per row of the view, and one more: its first cell
	reaching   []int // per row of the view: the first row from which on cells reach into it
}

// Extractor looks at a table of the document.
func (o *Output) Extractor(table *doc.Block) *Extractor {
	r := newRenderer(o.doc, o.options)
	v := r.look(table.Table)
	x := &Extractor{blank: *r, table: table, view: v, head: "<table>\n", tail: "\n</table>"}
	x.index()
	if v.header > 0 {
		x.head += "<thead>\n"
		for row := range v.header {
			x.head += r.rowText(table, v, row, v.cells[x.starts[row]:x.starts[row+1]]) + "\n"
		}
		x.head += "</thead>\n<tbody>\n"
		x.tail = "\n</tbody>\n</table>"
	}
	return x
}

func (x *Extractor) index() {
	rows := len(x.view.rows)
	x.starts, x.reaching = make([]int, rows+1), make([]int, rows)
	next, from, until := 0, 0, 0 // cells from row `from` on reach as far as `until`
	for row := range rows {
		x.starts[row] = next
		if row >= until {
			from = row
		}
		x.reaching[row] = from
		for _, p := range x.view.rowCells(&next, row) {
			if p.height > 1 {
				until = max(until, row+p.height)
			}
		}
	}
	x.starts[rows] = next
}

// Head is what stands before any rows of the table.
func (x *Extractor) Head() string { return x.head }

// Rows writes the grid rows from..to. Spans are cut to these rows: a cell that reaches into them from above starts in the first
// one. Header rows are in Head, never in Rows.
func (x *Extractor) Rows(from, to int) Extract {
	e := Extract{Head: x.head, Tail: x.tail}
	first, last := x.view.between(from, to)
	if first >= last {
		return e
	}
	r := x.blank
	cut := x.view.cut(x.view.cells[x.starts[x.reaching[first]]:x.starts[last]], first, last)
	next := 0
	for row := first; row < last; row++ {
		if row > first {
			r.raw("\n")
		}
		r.htmlRow(x.table, cut, row, cut.rowCells(&next, row))
	}
	e.Rows = string(r.buf)
	return e
}

func (r *renderer) rowText(table *doc.Block, v *view, row int, cells []placed) string {
	start := len(r.buf)
	r.htmlRow(table, v, row, cells)
	return string(r.buf[start:])
}

// between gives the rows of the view that are grid rows from..to and no headers.
func (v *view) between(from, to int) (first, last int) {
	return max(v.header, sort.SearchInts(v.rows, from)), sort.SearchInts(v.rows, to+1)
}

// cut is the view with only the cells of some rows, and spans cut to them. cells are all that reach into these rows.
func (v *view) cut(cells []placed, first, last int) *view {
	c := &view{grid: v.grid, rows: v.rows, columns: v.columns, header: v.header}
	var reaching []placed
	for _, p := range cells {
		end := min(p.row+p.height, last)
		if p.row >= last || end <= first {
			continue
		}
		if p.row < first {
			p.row = first
			p.height = end - first
			reaching = append(reaching, p)
			continue
		}
		p.height = end - p.row
		c.cells = append(c.cells, p)
	}
	c.cells = append(reaching, c.cells...)
	c.sort()
	return c
}
