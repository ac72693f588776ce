package markdown

import "decant/handler/internal/doc"

// Extract is a part of a table as HTML that stands on its own: Head opens it and holds its header rows, Tail closes it.
type Extract struct{ Head, Rows, Tail string }

// Extract writes the grid rows from..to of a table as HTML. Spans are cut to these rows: a cell that reaches into them from above
// starts in the first one. Header rows are in Head, never in Rows.
func (o *Output) Extract(table *doc.Block, from, to int) Extract {
	r := newRenderer(o.doc, o.options)
	v := r.look(table.Table)
	e := Extract{Head: "<table>\n", Tail: "\n</table>"}
	next := 0
	if v.header > 0 {
		e.Head += "<thead>\n"
		for row := range v.header {
			e.Head += r.rowText(table, v, row, v.rowCells(&next, row)) + "\n"
		}
		e.Head += "</thead>\n<tbody>\n"
		e.Tail = "\n</tbody>\n</table>"
	}
	first, last := v.between(from, to)
	cut := v.cut(first, last)
	next = 0
	for row := first; row < last; row++ {
		if row > first {
			e.Rows += "\n"
		}
		e.Rows += r.rowText(table, cut, row, cut.rowCells(&next, row))
	}
	return e
}

func (r *renderer) rowText(table *doc.Block, v *view, row int, cells []placed) string {
	start := len(r.buf)
	r.htmlRow(table, v, row, cells)
	return string(r.buf[start:])
}

// between gives the rows of the view that are grid rows from..to and no headers.
func (v *view) between(from, to int) (first, last int) {
	first, last = len(v.rows), 0
	for i, row := range v.rows {
		if i >= v.header && row >= from && row <= to {
			first, last = min(first, i), i+1
		}
	}
	return first, last
}

// cut is the view with only the cells of some rows, and spans cut to them.
func (v *view) cut(first, last int) *view {
	c := &view{grid: v.grid, rows: v.rows, columns: v.columns, header: v.header}
	var reaching []placed
	for _, p := range v.cells {
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
