package layout

import (
	"maps"
	"slices"

	"decant/handler/internal/doc"
)

// taggedTables makes tables of the words that the document's tags put in cells, where these stand as the tags say:
// rows below each other and columns beside each other. Tags that geometry denies are not believed.
func taggedTables(segments []Line) ([]Line, []*table) {
	cells := map[int]map[*Cell][]Word{} // table → cell
	for _, s := range segments {
		for _, w := range s.Words {
			if c := w.Style.Cell; c != nil {
				if cells[c.Table] == nil {
					cells[c.Table] = map[*Cell][]Word{}
				}
				cells[c.Table][c] = append(cells[c.Table][c], w)
			}
		}
	}
	var tables []*table
	for _, number := range slices.Sorted(maps.Keys(cells)) {
		t := taggedTable(cells[number])
		if t == nil {
			continue
		}
		segments = withoutCells(segments, number)
		tables = append(tables, t)
	}
	return segments, tables
}

// maxTaggedWords is how many words the cells of a table have at most, in the mean: more is text that was laid out in a table.
const maxTaggedWords = 40

// taggedTable makes a table of cells, or nil when it is none or the cells do not stand as they should.
func taggedTable(cells map[*Cell][]Word) *table {
	t := &table{}
	words := 0
	headers := map[int]bool{}
	others := map[int]bool{}
	for c, list := range cells {
		t.rows, t.columns = max(t.rows, c.Row+c.RowSpan), max(t.columns, c.Column+c.ColSpan)
		words += len(list)
		if c.Header {
			headers[c.Row] = true
		} else {
			others[c.Row] = true
		}
	}
	if t.rows < 2 || t.columns < 2 || t.rows*t.columns > 100_000 || len(cells) < 3 || words > maxTaggedWords*len(cells) {
		return nil
	}
	for c, list := range cells {
		cell := tableCell{row: c.Row, column: c.Column, rowSpan: c.RowSpan, colSpan: c.ColSpan, lines: linesOf(list)}
		t.cells = append(t.cells, cell)
		for _, l := range cell.lines {
			t.box = union(t.box, l.Box)
		}
	}
	if !t.standsAsTagged() {
		return nil
	}
	t.fillGaps()
	for t.header < t.rows-1 && headers[t.header] && !others[t.header] {
		t.header++
	}
	if t.header > 0 {
		t.sortCells()
	} else {
		t.finish()
	}
	return t
}

// standsAsTagged checks the cells against geometry: whatever is in a later row stands lower, in a later column farther to the right,
// or in right-to-left tables to the left.
func (t *table) standsAsTagged() bool {
	rows, columns := make([]doc.Box, t.rows), make([]doc.Box, t.columns)
	for i := range t.cells {
		c := &t.cells[i]
		for _, l := range c.lines {
			if c.rowSpan == 1 {
				rows[c.row] = union(rows[c.row], l.Box)
			}
			if c.colSpan == 1 {
				columns[c.column] = union(columns[c.column], l.Box)
			}
		}
	}
	leftwards := inOrder(columns, func(a, b doc.Box) bool { return b.X1 < a.X0+0.2*width(a) })
	rightwards := inOrder(columns, func(a, b doc.Box) bool { return b.X0 > a.X1-0.2*width(a) })
	downwards := inOrder(rows, func(a, b doc.Box) bool { return b.Y0 > a.Y1-0.35*height(a) })
	return downwards && (rightwards || leftwards)
}

// inOrder tells whether next holds for each box and the one after it; empty boxes do not count.
func inOrder(boxes []doc.Box, next func(a, b doc.Box) bool) bool {
	var last doc.Box
	for _, b := range boxes {
		if b == (doc.Box{}) {
			continue
		}
		if last != (doc.Box{}) && !next(last, b) {
			return false
		}
		last = b
	}
	return true
}

// fillGaps adds the cells that have no content.
func (t *table) fillGaps() {
	taken := make([]bool, t.rows*t.columns)
	for i := range t.cells {
		c := &t.cells[i]
		for r := c.row; r < c.row+c.rowSpan; r++ {
			for k := c.column; k < c.column+c.colSpan; k++ {
				taken[r*t.columns+k] = true
			}
		}
	}
	for i, full := range taken {
		if !full {
			t.cells = append(t.cells, tableCell{row: i / t.columns, column: i % t.columns, rowSpan: 1, colSpan: 1})
		}
	}
}

// withoutCells takes the words of a tagged table out of segments; what is left of one stays in pieces.
func withoutCells(segments []Line, number int) []Line {
	var rest []Line
	for _, s := range segments {
		if s.Words == nil {
			rest = append(rest, s)
			continue
		}
		from, taken := 0, false
		flush := func(to int) {
			if to > from {
				rest = append(rest, newLine(s.Words[from:to]))
			}
		}
		for i, w := range s.Words {
			if w.Style.Cell != nil && w.Style.Cell.Table == number {
				flush(i)
				from, taken = i+1, true
			}
		}
		if taken {
			flush(len(s.Words))
		} else {
			rest = append(rest, s)
		}
	}
	return rest
}
