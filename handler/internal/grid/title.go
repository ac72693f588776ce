package grid

import "strings"

const (
	maxTitles    = 6  // rows above a table
	maxRemarks   = 10 // rows below a table
	remarkLength = 60 // characters from which a lone text below a table is a remark, not a value
)

// trimTitles takes rows that hold one text off the top of a table, and remarks off its bottom. What is left may be the whole region.
func (r *region) trimTitles(index merges) (titles, remarks []Cell) {
	rows := r.rows()
	if r.name != "" || len(rows) < 2 || r.columnCount() < 2 {
		return nil, nil
	}
	top := 0
	for top < len(rows)-1 && top < maxTitles && r.isTitle(rows[top], index) {
		top++
	}
	if len(rows[top]) < 2 {
		return nil, nil // no table below: leave everything
	}
	bottom := len(rows)
	if !r.open {
		bottom = r.remarks(rows, top+1)
	}
	r.headerRows = max(r.headerRows-top, min(r.headerRows, 0))
	for _, row := range rows[:top] {
		titles = append(titles, row...)
	}
	for _, row := range rows[bottom:] {
		remarks = append(remarks, row...)
	}
	r.keep(rows[top:bottom], index)
	return titles, remarks
}

// remarks is the number of the first of the rows of remarks at the bottom, at least the given one.
func (r *region) remarks(rows [][]Cell, least int) int {
	bottom := len(rows)
	for bottom > least && len(rows)-bottom < maxRemarks && r.isRemark(rows[bottom-1]) {
		bottom--
	}
	return bottom
}

// isTitle: one text in the row, at the left edge, or alone without being a merged header over some of the columns.
func (r *region) isTitle(row []Cell, index merges) bool {
	if len(row) != 1 || row[0].Class != Text {
		return false
	}
	area := index.area(&row[0])
	if area.Height() > 1 && area.Width() < r.Width() {
		return false // a row label beside others
	}
	if r.headerRows > 0 { // the header was put together: a text over one of the columns is a part of it
		return int(row[0].Column) == r.Left
	}
	return int(row[0].Column) == r.Left || area.Width() == 1 || area.Width() == r.Width()
}

var remarkStarts = []string{"note", "source", "quelle", "hinweis", "remark", "footnote", "*", "†", "¹", "1)", "(1)", "[1]"}

func (r *region) isRemark(row []Cell) bool {
	if len(row) != 1 || row[0].Class != Text || int(row[0].Column) != r.Left {
		return false
	}
	if len([]rune(row[0].Text)) > remarkLength {
		return true
	}
	lower := strings.ToLower(row[0].Text)
	for _, start := range remarkStarts {
		if strings.HasPrefix(lower, start) {
			return true
		}
	}
	return false
}

// keep narrows the region to some of its rows.
func (r *region) keep(rows [][]Cell, index merges) {
	first, last := rows[0], rows[len(rows)-1]
	start := 0
	for r.cells[start].Row != first[0].Row {
		start++
	}
	end := len(r.cells)
	for r.cells[end-1].Row != last[0].Row {
		end--
	}
	r.cells = r.cells[start:end]
	area := index.area(&r.cells[0])
	for i := range r.cells {
		area = area.Union(index.area(&r.cells[i]))
	}
	r.Rect = area
}

// columnCount is how many columns hold a cell, counted up to two.
func (r *region) columnCount() int {
	for i := range r.cells {
		if r.cells[i].Column != r.cells[0].Column {
			return 2
		}
	}
	return min(1, len(r.cells))
}
