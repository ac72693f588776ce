package grid

import (
	"cmp"
	"slices"
)

// region is a rectangle of cells that belong together.
type region struct {
	Rect
	cells      []Cell // by row, then column
	headerRows int    // -1: to be found
	name       string // of a defined table
	open       bool   // it may go on in the next window of a Stream
}

// Limits of region finding. A sheet that is torn into more pieces than maxRegions is no set of tables, and becomes a list of cells.
const (
	maxRegions    = 2000
	maxJoinRounds = 10
)

// findRegions groups cells, sorted by place, into regions in reading order. It is nil when there are too many.
func findRegions(cells []Cell, index merges, tables []Table) []*region {
	defined, rest := splitDefined(cells, tables)
	rects := sweep(rest, index)
	if len(rects) > maxRegions {
		return nil
	}
	regions := append(defined, assign(rest, index, joinTouching(rects))...)
	sortRegions(regions)
	return regions
}

func sortRegions(regions []*region) {
	slices.SortFunc(regions, func(a, b *region) int {
		if a.Top != b.Top {
			return cmp.Compare(a.Top, b.Top)
		}
		return cmp.Compare(a.Left, b.Left)
	})
}

// splitDefined takes the cells of defined tables out.
func splitDefined(cells []Cell, tables []Table) (defined []*region, rest []Cell) {
	if len(tables) == 0 {
		return nil, cells
	}
	for _, t := range tables {
		defined = append(defined, &region{Rect: t.Rect, headerRows: t.HeaderRows, name: t.Name})
	}
next:
	for _, c := range cells {
		for _, r := range defined {
			if r.Contains(int(c.Row), int(c.Column)) {
				r.cells = append(r.cells, c)
				continue next
			}
		}
		rest = append(rest, c)
	}
	return slices.DeleteFunc(defined, func(r *region) bool { return len(r.cells) == 0 }), rest
}

// sweep walks the rows once and grows rectangles of touching cells. What it leaves apart may still touch: see joinTouching.
func sweep(cells []Cell, index merges) []Rect {
	var active, closed []Rect
	for start := 0; start < len(cells); {
		end := start + 1
		for end < len(cells) && cells[end].Row == cells[start].Row {
			end++
		}
		row := int(cells[start].Row)
		open := active[:0:0]
		for _, r := range active {
			if r.Bottom >= row-1 {
				open = append(open, r)
			} else {
				closed = append(closed, r)
			}
		}
		active = merged(append(open, runs(cells[start:end], index)...))
		if len(closed)+len(active) > 16*maxRegions {
			return append(closed, active...)
		}
		start = end
	}
	return append(closed, active...)
}

// runs are the stretches of neighbouring cells in one row.
func runs(row []Cell, index merges) []Rect {
	var out []Rect
	for i := range row {
		area := index.area(&row[i])
		if n := len(out); n > 0 && out[n-1].Right+1 >= area.Left {
			out[n-1] = out[n-1].Union(area)
			continue
		}
		out = append(out, area)
	}
	return out
}

// merged unites neighbours that touch, from left to right, until none do.
func merged(rects []Rect) []Rect {
	for {
		slices.SortFunc(rects, func(a, b Rect) int { return cmp.Compare(a.Left, b.Left) })
		out := rects[:0:0]
		for _, r := range rects {
			if n := len(out); n > 0 && out[n-1].touches(r) {
				out[n-1] = out[n-1].Union(r)
				continue
			}
			out = append(out, r)
		}
		if len(out) == len(rects) {
			return out
		}
		rects = out
	}
}

// joinTouching unites all rectangles that touch, until none do.
func joinTouching(rects []Rect) []Rect {
	for range maxJoinRounds {
		slices.SortFunc(rects, func(a, b Rect) int { return cmp.Compare(a.Top, b.Top) })
		var done, active []Rect
		for _, r := range rects {
			kept := active[:0]
			for _, a := range active {
				switch {
				case a.touches(r):
					r = r.Union(a)
				case a.Bottom < r.Top-1:
					done = append(done, a)
				default:
					kept = append(kept, a)
				}
			}
			active = append(kept, r)
		}
		joined := append(done, active...)
		if len(joined) == len(rects) {
			return joined
		}
		rects = joined
	}
	return rects
}

// assign gives each cell to its rectangle. Rectangles that hold a cell's row do not share columns, so the one is found by its left edge.
func assign(cells []Cell, index merges, rects []Rect) []*region {
	regions := make([]*region, len(rects))
	for i, r := range rects {
		regions[i] = &region{Rect: r, headerRows: -1}
	}
	if len(regions) == 1 {
		regions[0].cells = cells
		return regions
	}
	slices.SortFunc(regions, func(a, b *region) int { return cmp.Compare(a.Top, b.Top) })
	var active []*region
	next, row := 0, int32(-1)
	for _, c := range cells {
		if c.Row != row {
			row = c.Row
			active, next = advance(active, regions, next, int(row))
		}
		i, found := slices.BinarySearchFunc(active, int(c.Column), func(r *region, column int) int { return cmp.Compare(r.Left, column) })
		if !found {
			i--
		}
		if i >= 0 {
			active[i].cells = append(active[i].cells, c)
		}
	}
	return slices.DeleteFunc(regions, func(r *region) bool { return len(r.cells) == 0 })
}

// advance keeps the regions that hold a row, by their left edge.
func advance(active, regions []*region, next, row int) ([]*region, int) {
	before := len(active)
	active = slices.DeleteFunc(active, func(r *region) bool { return r.Bottom < row })
	changed := len(active) != before
	for next < len(regions) && regions[next].Top <= row {
		if regions[next].Bottom >= row {
			active = append(active, regions[next])
			changed = true
		}
		next++
	}
	if changed {
		slices.SortFunc(active, func(a, b *region) int { return cmp.Compare(a.Left, b.Left) })
	}
	return active, next
}

// rows cuts a region's cells into rows.
func (r *region) rows() [][]Cell {
	var rows [][]Cell
	for start := 0; start < len(r.cells); {
		end := start + 1
		for end < len(r.cells) && r.cells[end].Row == r.cells[start].Row {
			end++
		}
		rows = append(rows, r.cells[start:end])
		start = end
	}
	return rows
}
