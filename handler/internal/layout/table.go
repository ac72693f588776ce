package layout

import (
	"slices"
	"strings"
	"unicode"

	"decant/handler/internal/doc"
)

// table is a table found on a page.
type table struct {
	box     doc.Box
	rows    int
	columns int
	header  int // header rows
	cells   []tableCell
	guessed bool     // found by alignment alone
	more    []placed // where it goes on
}

// tableCell is a cell with its lines.
type tableCell struct {
	row, column, rowSpan, colSpan int
	lines                         []Line
}

// setPage tells the words of a table, if there is one, which page they stand on: they keep it when the table goes on on another one.
func (t *table) setPage(page int) {
	if t == nil {
		return
	}
	for i := range t.cells {
		for j := range t.cells[i].lines {
			t.cells[i].lines[j].page = page
		}
	}
}

func (c *tableCell) text() string {
	var b strings.Builder
	for _, l := range c.lines {
		for _, w := range logical(l.Words) {
			if !w.Glued && b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.Text)
		}
	}
	return b.String()
}

// takeWords removes the words whose middle lies in the box from segments and gives them; what is left of a segment stays one or two.
func takeWords(segments []Line, box doc.Box) (rest []Line, taken []Word) {
	for _, s := range segments {
		if s.Words == nil || overlapX(s.Box, box) <= 0 || overlapY(s.Box, box) <= 0 {
			rest = append(rest, s)
			continue
		}
		var open []Word
		for _, w := range s.Words {
			if contains(box, (w.Box.X0+w.Box.X1)/2, middle(w)) {
				taken = append(taken, w)
				if len(open) > 0 {
					rest = append(rest, newLine(open))
					open = nil
				}
				continue
			}
			open = append(open, w)
		}
		if len(open) > 0 {
			rest = append(rest, newLine(open))
		}
	}
	return rest, taken
}

// middle is the height of a word's letters' middle: boxes from ascent to descent may reach over a rule.
func middle(w Word) float64 { return w.Base - 0.3*w.Style.Size }

// linesOf puts loose words in lines from top to bottom.
func linesOf(words []Word) []Line {
	slices.SortStableFunc(words, func(a, b Word) int { return compare(a.Base, b.Base) })
	var lines []Line
	var open []Word
	base := 0.0
	flush := func() {
		if len(open) == 0 {
			return
		}
		slices.SortStableFunc(open, func(a, b Word) int { return compare(a.Box.X0, b.Box.X0) })
		lines = append(lines, newLine(open))
		open = nil
	}
	for _, w := range words {
		if len(open) > 0 && w.Base-base > 0.4*max(1, w.Style.Size) {
			flush()
		}
		if len(open) == 0 {
			base = w.Base
		}
		open = append(open, w)
	}
	flush()
	return lines
}

// finish puts cells in order and finds how many header rows there are.
func (t *table) finish() {
	t.sortCells()
	t.header = max(t.header, t.headerRows())
}

func (t *table) sortCells() {
	slices.SortStableFunc(t.cells, func(a, b tableCell) int {
		if a.row != b.row {
			return a.row - b.row
		}
		return a.column - b.column
	})
}

// headerRows guesses the header: bold rows at the top, or rows without figures above rows with figures.
func (t *table) headerRows() int {
	if t.rows < 2 {
		return 0
	}
	bold, figures := make([]bool, t.rows), make([]int, t.rows)
	for r := range t.rows {
		bold[r] = t.rowIsBold(r)
		figures[r] = t.rowFigures(r)
	}
	n := 0
	for n < t.rows-1 && n < 4 && bold[n] && !(t.headsGroup(n) && t.named(n)) {
		n++
	}
	if n > 0 && n < t.rows {
		return n
	}
	below := 0
	for _, f := range figures[1:] {
		if f > 0 {
			below++
		}
	}
	if figures[0] == 0 && (below*2 > t.rows-1 || t.columns > 1) {
		return t.spanned(0)
	}
	return 0
}

// headsGroup tells whether a row has nothing but its first cell: it is the heading of the rows below it.
func (t *table) headsGroup(r int) bool {
	first := false
	for i := range t.cells {
		if c := &t.cells[i]; c.row == r && len(c.lines) > 0 {
			if c.column > 0 || c.colSpan == t.columns {
				return false
			}
			first = true
		}
	}
	return first
}

// named tells whether one of the first n rows names most columns, as the last row of a header does.
func (t *table) named(n int) bool {
	for r := range n {
		names := 0
		for i := range t.cells {
			if c := &t.cells[i]; c.row == r && c.colSpan == 1 && len(c.lines) > 0 {
				names++
			}
		}
		if names*10 >= t.columns*6 {
			return true
		}
	}
	return false
}

// spanned is how many rows the cells of row r reach down, header cells of several rows included.
func (t *table) spanned(r int) int {
	n := r + 1
	for i := range t.cells {
		if c := &t.cells[i]; c.row == r && c.rowSpan > 1 && len(c.lines) > 0 {
			n = max(n, min(r+c.rowSpan, t.rows-1))
		}
	}
	return n
}

func (t *table) rowIsBold(r int) bool {
	bold, all := 0, 0
	for i := range t.cells {
		if c := &t.cells[i]; c.row == r {
			for _, l := range c.lines {
				for _, w := range l.Words {
					all += len(w.Text)
					if w.Style.Bold {
						bold += len(w.Text)
					}
				}
			}
		}
	}
	return all > 0 && bold*10 >= all*9
}

func (t *table) rowFigures(r int) int {
	n := 0
	for i := range t.cells {
		if c := &t.cells[i]; c.row == r && isFigure(c.text()) {
			n++
		}
	}
	return n
}

// isFigure tells whether a text is mostly digits, as numbers, amounts and percentages are.
func isFigure(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && digits >= 2*letters
}
