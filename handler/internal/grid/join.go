package grid

import (
	"slices"
	"strings"
	"unicode"
)

// joinTorn makes regions whole again that an empty cell, column or row tears apart. Defined tables stay as they are.
func joinTorn(regions []*region) []*region {
	regions = joinPairs(regions, valuesAtCorner)
	regions = joinPairs(regions, sameRowsApart)
	regions = joinPairs(regions, continuesBelow)
	return adoptHeaders(regions)
}

// joinPairs joins pairs for which belong holds, the first with a later one, until there is none.
func joinPairs(regions []*region, belong func(a, b *region) bool) []*region {
	const maxPairs = 300 // quadratic beyond
	if len(regions) > maxPairs {
		return regions
	}
	for i := 0; i < len(regions); i++ {
		for j := 0; j < len(regions); j++ {
			a, b := regions[i], regions[j]
			if i == j || a.name != "" || b.name != "" || !belong(a, b) {
				continue
			}
			regions[i] = join(a, b)
			regions = slices.Delete(regions, j, j+1)
			i, j = -1, len(regions) // start again: the joined region has other neighbours
		}
	}
	sortRegions(regions)
	return regions
}

func join(a, b *region) *region {
	s := Sheet{Cells: append(slices.Clone(a.cells), b.cells...)}
	s.sort()
	return &region{Rect: a.Union(b.Rect), cells: s.Cells, headerRows: -1}
}

// valuesAtCorner: two single values that meet at a corner are what is left of a small table. Two texts are two texts.
func valuesAtCorner(a, b *region) bool {
	if len(a.cells) != 1 || len(b.cells) != 1 || a.cells[0].Class == Text || b.cells[0].Class == Text {
		return false
	}
	return a.Bottom+1 == b.Top && (a.Right+1 == b.Left || b.Right+1 == a.Left)
}

// maxSpacers is how many empty columns may lie before a lone column of the same rows.
const maxSpacers = 3

// sameRowsApart: b stands right of a, one empty column apart, on the same rows, and does not begin with labels of its own.
// Two tables side by side each begin with a column of labels, or repeat their headers. A lone column may stand further off.
// The tops may differ by a few rows of texts: headers are not equally high everywhere.
func sameRowsApart(a, b *region) bool {
	spacers := b.Left - a.Right - 1
	if spacers < 1 || a.Bottom != b.Bottom || a.Height() < 2 || b.Height() < 2 || !sameTop(a, b) {
		return false
	}
	switch {
	case a.Width() == 1 && b.Width() == 1:
		return spacers == 1
	case startsWithLabels(b) || shareHeader(a, b):
		return false
	}
	return spacers == 1 || b.Width() == 1 && spacers <= maxSpacers
}

func sameTop(a, b *region) bool {
	if a.Top > b.Top {
		a, b = b, a
	}
	if b.Top-a.Top >= maxHeaderRows || a.Top != b.Top && b.Height() < 3 {
		return false
	}
	for i := range a.cells {
		if int(a.cells[i].Row) < b.Top && a.cells[i].Class != Text {
			return false
		}
	}
	return true
}

// startsWithLabels tells whether the first column holds mostly words below its first row. A dash or "n/a" is no word.
func startsWithLabels(r *region) bool {
	texts, others := 0, 0
	for _, c := range r.cells {
		if int(c.Column) != r.Left || int(c.Row) == r.Top {
			continue
		}
		if c.Class == Text && isWords(c.Text) {
			texts++
		} else {
			others++
		}
	}
	return texts >= others
}

// isWords tells a label from the signs that stand for a missing value.
func isWords(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters > 0 && !strings.EqualFold(strings.TrimSpace(text), "n/a") && !strings.EqualFold(strings.TrimSpace(text), "na")
}

// shareHeader tells whether the first rows have a text in common.
func shareHeader(a, b *region) bool {
	seen := map[string]bool{}
	for _, c := range a.cells {
		if int(c.Row) == a.Top {
			seen[c.Text] = true
		}
	}
	for _, c := range b.cells {
		if int(c.Row) == b.Top && seen[c.Text] && isWords(c.Text) {
			return true
		}
	}
	return false
}

// continuesBelow: b stands below a, one empty row apart, on columns of a, and its first row looks like a's last one: the values
// of each column are of the same class, and some are not text. A table with a header of its own is thus another table.
func continuesBelow(a, b *region) bool {
	if b.Top-a.Bottom != 2 || a.Left != b.Left || b.Right > a.Right || b.Width() < 2 || a.Height() < 2 {
		return false
	}
	last, first := a.lastFullRow(), b.rows()[0]
	if len(first) < 2 || len(first) > len(last) {
		return false
	}
	values := 0
	for i := range first {
		c := classAt(last, first[i].Column)
		if c < 0 || Class(c) != first[i].Class {
			return false
		}
		if first[i].Class != Text {
			values++
		}
	}
	return values > 0
}

// lastFullRow is the lowest row with as many cells as any.
func (r *region) lastFullRow() []Cell {
	var best []Cell
	for _, row := range r.rows() {
		if len(row) >= len(best) {
			best = row
		}
	}
	return best
}

// classAt is the class of the cell in a column, or -1.
func classAt(row []Cell, column int32) int {
	for i := range row {
		if row[i].Column == column {
			return int(row[i].Class)
		}
	}
	return -1
}
