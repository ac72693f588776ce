package layout

import "slices"

// span is an interval from left to right.
type span struct{ from, to float64 }

// corridors gives the columns between upright strips that (nearly) no run of words covers.
func corridors(runs []Line) []span {
	rows := countRows(runs)
	allowed := 0
	if rows >= 5 {
		allowed = max(1, rows/7)
	}
	type edge struct {
		x    float64
		step int
	}
	var edges []edge
	for _, r := range runs {
		edges = append(edges, edge{r.Box.X0, 1}, edge{r.Box.X1, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if c := compare(a.x, b.x); c != 0 {
			return c
		}
		return b.step - a.step
	})
	var columns []span
	depth := 0
	for _, e := range edges {
		before := depth
		depth += e.step
		switch {
		case before <= allowed && depth > allowed:
			columns = append(columns, span{from: e.x})
		case before > allowed && depth <= allowed && len(columns) > 0:
			columns[len(columns)-1].to = e.x
		}
	}
	return tidyColumns(columns, runs, allowed)
}

// tidyColumns joins columns that stand closer than a space, and widens them to the runs that lie in them alone.
func tidyColumns(columns []span, runs []Line, allowed int) []span {
	size := medianSize(runs)
	var kept []span
	for _, c := range columns {
		if n := len(kept); n > 0 && c.from-kept[n-1].to < 0.35*size {
			kept[n-1].to = c.to
			continue
		}
		kept = append(kept, c)
	}
	if allowed == 0 {
		return kept
	}
	// Runs outside every column make columns of their own when there are at least two in line.
	for _, r := range runs {
		first, last := reach(kept, r)
		if first == last && first >= 0 {
			kept[first].from, kept[first].to = min(kept[first].from, r.Box.X0), max(kept[first].to, r.Box.X1)
		}
	}
	for i := 1; i < len(kept); i++ {
		if kept[i].from < kept[i-1].to {
			m := (kept[i].from + kept[i-1].to) / 2
			kept[i].from, kept[i-1].to = m, m
		}
	}
	return kept
}

// reach gives the first and last column that a run overlaps by more than a little, or -1.
func reach(columns []span, r Line) (first, last int) {
	first, last = -1, -1
	slack := 0.25 * r.Size
	for i, c := range columns {
		if shared := min(c.to, r.Box.X1) - max(c.from, r.Box.X0); shared > min(slack, 0.5*width(r.Box)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

// fit narrows the reach of a run over several columns: a small overlap at either end does not count when it lies mostly in one.
func fit(columns []span, r Line, first, last int) (int, int) {
	for first < last {
		w := min(columns[first].to, r.Box.X1) - max(columns[first].from, r.Box.X0)
		if w > 0.2*width(r.Box) || w > 0.4*(columns[first].to-columns[first].from) {
			break
		}
		first++
	}
	for last > first {
		w := min(columns[last].to, r.Box.X1) - max(columns[last].from, r.Box.X0)
		if w > 0.2*width(r.Box) || w > 0.4*(columns[last].to-columns[last].from) {
			break
		}
		last--
	}
	return first, last
}

// nearest gives the columns beside a run that stands in a corridor: both when it is centred over them.
func nearest(columns []span, r Line) (int, int) {
	x := (r.Box.X0 + r.Box.X1) / 2
	best, distance := 0, 1e9
	for i, c := range columns {
		d := max(c.from-x, x-c.to, 0)
		if d < distance {
			best, distance = i, d
		}
	}
	return best, best
}

// centred tells whether a run stands in the middle of all columns and at the start of none.
func centred(columns []span, r Line) bool {
	from, to := columns[0].from, columns[len(columns)-1].to
	if abs((r.Box.X0+r.Box.X1)/2-(from+to)/2) > 0.03*(to-from) || r.Box.X0 < from+2*r.Size {
		return false
	}
	for _, c := range columns {
		if abs(c.from-r.Box.X0) < r.Size {
			return false
		}
	}
	return true
}
