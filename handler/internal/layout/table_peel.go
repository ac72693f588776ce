package layout

import "decant/handler/internal/lazyregexp"

// belowTable is how the lines begin that stand below a table and say where it comes from.
var belowTable = lazyregexp.New(`^(?i:sources?|notes?|quelle|anmerkung|nota|fuente)\s*:`)

// peel takes rows out of a table that are a caption above it or notes below, though they stand between its rules, and gives their lines.
func (t *table) peel() []Line {
	first, last := 0, t.rows
	if line, ok := t.onlyLine(0); ok && captionStart.MatchString(line) {
		for first < t.rows && t.single(first) {
			first++
		}
	}
	for r := t.rows - 1; r > first; r-- {
		line, ok := t.onlyLine(r)
		if !ok {
			break
		}
		if belowTable.MatchString(line) {
			last = r
		}
	}
	if last-first < 2 || first == 0 && last == t.rows {
		return nil
	}
	return t.cut(first, last)
}

// single tells whether all text of a row stands in one cell that no other row shares.
func (t *table) single(row int) bool {
	_, ok := t.onlyLine(row)
	return ok
}

func (t *table) onlyLine(row int) (string, bool) {
	text, n := "", 0
	for i := range t.cells {
		c := &t.cells[i]
		if row < c.row || row >= c.row+c.rowSpan {
			continue
		}
		if c.rowSpan > 1 {
			return "", false
		}
		if len(c.lines) > 0 {
			text = c.text()
			n++
		}
	}
	return text, n == 1
}

// cut keeps the rows from first to last, without last, and gives the lines of the others.
func (t *table) cut(first, last int) (out []Line) {
	var kept []tableCell
	for _, c := range t.cells {
		if c.row >= first && c.row < last {
			c.row -= first
			kept = append(kept, c)
			continue
		}
		for _, l := range c.lines {
			if c.row < first {
				t.box.Y0 = max(t.box.Y0, l.Box.Y1)
			} else {
				t.box.Y1 = min(t.box.Y1, l.Box.Y0)
			}
			out = append(out, l)
		}
	}
	t.cells, t.rows, t.header = kept, last-first, 0
	t.finish()
	return out
}
