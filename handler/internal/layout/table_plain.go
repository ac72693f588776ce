package layout

import "slices"

// plainTables finds tables without any rules in a region: rows of several runs of words that stand under each other.
// It gives the region's lines with the tables in place of their rows.
func plainTables(region []Line) []Line {
	rows := textRows(region)
	var out []Line
	for i := 0; i < len(rows); {
		end := tableEnd(rows, i)
		if t := plainTable(rows[i:end]); t != nil {
			out = append(out, Line{Box: t.box, table: t, Base: t.box.Y1, Size: rows[i][0].Size})
			i = end
			continue
		}
		out = append(out, rows[i]...)
		i++
	}
	return out
}

// tableEnd gives the end of the rows from i on that may be one table: each has several runs, or goes on below such a row.
func tableEnd(rows [][]Line, i int) int {
	if len(rows[i]) < 2 || hasTable(rows[i]) {
		return i
	}
	end, single := i+1, 0
	for k := i + 1; k < len(rows); k++ {
		gap := rows[k][0].Base - rows[k-1][0].Base
		if hasTable(rows[k]) || gap > 3*rows[k][0].Size {
			break
		}
		if len(rows[k]) >= 2 {
			end, single = k+1, 0
			continue
		}
		if single++; single > 2 || wordCount(rows[k][0]) > 8 {
			break
		}
	}
	return end
}

func hasTable(row []Line) bool {
	return slices.ContainsFunc(row, func(l Line) bool { return l.Words == nil })
}

func plainTable(rows [][]Line) *table {
	if len(rows) < 3 {
		return nil
	}
	var words []Word
	wide := 0
	for _, row := range rows {
		if len(row) >= 3 {
			wide++
		}
		for _, l := range row {
			words = append(words, l.Words...)
		}
	}
	t := alignedTable(words, nil)
	if t == nil || t.rows < 3 {
		return nil
	}
	if t.columns == 2 && wide*2 < len(rows) && !t.hasFigureColumn() || listLike(t) || t.emptyShare() > 0.5 {
		return nil
	}
	t.guessed = true
	return t
}

// hasFigureColumn tells whether a column holds mostly figures.
func (t *table) hasFigureColumn() bool {
	for c := range t.columns {
		cells, figures := 0, 0
		for i := range t.cells {
			if cell := &t.cells[i]; cell.column == c && len(cell.lines) > 0 {
				cells++
				if isFigure(cell.text()) {
					figures++
				}
			}
		}
		if cells >= 3 && figures*3 >= cells*2 {
			return true
		}
	}
	return false
}

// listLike tells whether the first column holds nothing but labels and there are two columns: a list with wide indents,
// or whether the last holds page numbers behind leaders: a table of contents.
func listLike(t *table) bool {
	labelled, first := 0, 0
	leaders := 0
	for i := range t.cells {
		c := &t.cells[i]
		text := c.text()
		if c.column == 0 && text != "" {
			first++
			if isLabel(text) && !isFigure(text) || text == "•" {
				labelled++
			}
		}
		if hasLeader(text) {
			leaders++
		}
	}
	return t.columns == 2 && first > 0 && labelled*10 >= first*8 || leaders*2 >= t.rows
}

// hasLeader tells whether dots lead from an entry to its page number: at least four, with no more than a number behind them.
// Dots in a sentence stand for words that were left out.
func hasLeader(s string) bool {
	dots, behind, led := 0, 0, false
	for _, r := range s {
		switch r {
		case '.', '·', '_':
			dots++
		case '…':
			dots += 2
		case ' ':
		default:
			dots = 0
			behind++
			continue
		}
		if dots >= 4 {
			led, behind = true, 0
		}
	}
	return led && behind <= maxBehindLeader
}

// maxBehindLeader is how many characters a page number, or an amount, has at most.
const maxBehindLeader = 12

func (t *table) emptyShare() float64 {
	empty := 0
	for i := range t.cells {
		if len(t.cells[i].lines) == 0 {
			empty++
		}
	}
	return float64(empty) / float64(max(1, len(t.cells)))
}
