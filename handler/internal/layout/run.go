package layout

import "slices"

// cellWordGap is the widest gap within a cell, in ems.
const cellWordGap = 0.62

// cellLines puts words into lines and cuts these at the gaps between cells: one Line for each run of words.
func cellLines(words []Word) []Line {
	var runs []Line
	for _, l := range linesOf(words) {
		var open []Word
		for _, w := range l.Words {
			if len(open) > 0 && w.Box.X0-open[len(open)-1].Box.X1 > cellWordGap*max(w.Style.Size, 1) {
				runs = append(runs, newLine(open))
				open = nil
			}
			open = append(open, w)
		}
		if len(open) > 0 {
			runs = append(runs, newLine(open))
		}
	}
	return runs
}

func sortWords(words []Word) {
	slices.SortStableFunc(words, func(a, b Word) int {
		if c := compare(a.Base, b.Base); c != 0 {
			return c
		}
		return compare(a.Box.X0, b.Box.X0)
	})
}

// textRows groups runs by base line, from top to bottom, each from left to right.
func textRows(runs []Line) [][]Line {
	runs = slices.Clone(runs)
	sortLines(runs)
	var rows [][]Line
	base := 0.0
	for _, r := range runs {
		if len(rows) == 0 || r.Base-base > 0.4*max(1, r.Size) {
			rows = append(rows, nil)
			base = r.Base
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], r)
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b Line) int { return compare(a.Box.X0, b.Box.X0) })
	}
	return rows
}

func countRows(runs []Line) int {
	var bases []float64
	for _, r := range runs {
		bases = append(bases, r.Base)
	}
	return len(distinct(bases, 2))
}

func wordCount(l Line) int {
	n := 0
	for _, w := range l.Words {
		if !w.Glued {
			n++
		}
	}
	return max(1, n)
}

func lineText(l Line) string {
	c := tableCell{lines: []Line{l}}
	return c.text()
}

func medianSize(runs []Line) float64 {
	var sizes []float64
	for _, r := range runs {
		sizes = append(sizes, r.Size)
	}
	return median(sizes)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
