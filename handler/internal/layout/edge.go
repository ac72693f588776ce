package layout

import "slices"

// Columns may stand so near each other that their lines look like one. Where a column begins in a segment is told by what
// stands above and below: many segments or words that begin at the same place.
const (
	edgeGap    = 0.45 // the narrowest gap, in ems, before a column that begins within a segment: wider than between words of most lines
	tightGap   = 0.12 // the same where the lines above and below say that a column begins: words that are no column's stand as near
	edgeExact  = 0.7  // points by which beginnings of one column differ at most
	edgeRun    = 5    // rows that begin at one place before words are a column: justified text has rivers of two or three
	edgeStarts = 5    // segments of the page that begin at one place before it is a column's
	edgeNear   = 2.2  // ems to the neighbouring row
)

// splitAtEdges cuts segments where a column begins in them: lines of neighbouring columns may stand nearer than a usual gap.
func splitAtEdges(segments []Line) []Line {
	split := splitAt(segments, columnStarts(segments))
	split = splitAt(split, runStarts(split))
	return splitAt(split, tightStarts(split))
}

// starts tells whether a column begins with word i of a segment.
type starts func(s *Line, i int) bool

func splitAt(segments []Line, column starts) []Line {
	if column == nil {
		return segments
	}
	var out []Line
	for k := range segments {
		s := &segments[k]
		from := 0
		for i := 1; i < len(s.Words); i++ {
			if !s.Words[i].Glued && column(s, i) {
				out = append(out, newLine(s.Words[from:i]))
				from = i
			}
		}
		if from == 0 {
			out = append(out, *s)
		} else {
			out = append(out, newLine(s.Words[from:]))
		}
	}
	return out
}

// gapBefore is the gap before word i of a segment, in ems.
func gapBefore(s *Line, i int) float64 {
	return (s.Words[i].Box.X0 - s.Words[i-1].Box.X1) / max(1, s.Words[i].Style.Size)
}

// columnStarts takes the places where several segments of the page begin.
func columnStarts(segments []Line) starts {
	counts := map[int]int{} // by whole points
	for _, s := range segments {
		if s.Words != nil {
			counts[int(s.Box.X0)]++
		}
	}
	return func(s *Line, i int) bool {
		x := int(s.Words[i].Box.X0)
		return gapBefore(s, i) > edgeGap && counts[x-1]+counts[x]+counts[x+1] >= edgeStarts
	}
}

// edgeRow is the segments of one base line, and the places where they or words behind a gap begin.
type edgeRow struct {
	segments []*Line
	base     float64
	size     float64
	starts   []float64
}

func edgeRows(segments []Line) []edgeRow {
	var rows []edgeRow
	sorted := make([]*Line, 0, len(segments))
	for i := range segments {
		if segments[i].Words != nil {
			sorted = append(sorted, &segments[i])
		}
	}
	slices.SortStableFunc(sorted, func(a, b *Line) int { return compare(a.Base, b.Base) })
	for _, s := range sorted {
		if n := len(rows); n == 0 || s.Base-rows[n-1].base > sameLine*max(1, min(s.Size, rows[n-1].size)) {
			rows = append(rows, edgeRow{base: s.Base, size: s.Size})
		}
		row := &rows[len(rows)-1]
		row.segments = append(row.segments, s)
		row.starts = append(row.starts, s.Box.X0)
		for i := 1; i < len(s.Words); i++ {
			if wordStarts(s, i) {
				row.starts = append(row.starts, s.Words[i].Box.X0)
			}
		}
	}
	return rows
}

// wordStarts tells whether a column may begin with word i of a segment: it stands behind a gap, and not behind an item's label.
// Typewriter text does not count: its words stand under each other by themselves.
func wordStarts(s *Line, i int) bool {
	w := &s.Words[i]
	return !w.Glued && !w.Style.Mono && gapBefore(s, i) > edgeGap && !isLabel(lineText(Line{Words: s.Words[:i]}))
}

// beginsAt tells whether something begins at x; covered, whether something stands across it.
func (r *edgeRow) beginsAt(x float64) bool {
	return slices.ContainsFunc(r.starts, func(at float64) bool { return abs(at-x) <= edgeExact })
}

func (r *edgeRow) covered(x float64) bool {
	return slices.ContainsFunc(r.segments, func(s *Line) bool { return s.Box.X0 < x-edgeExact && s.Box.X1 > x+edgeExact })
}

// maxEdgeRows bounds the rows looked at: more are no page of columns.
const maxEdgeRows = 400

// runStarts takes the places where words begin, behind a gap, in many rows that follow each other.
func runStarts(segments []Line) starts {
	rows := edgeRows(segments)
	if len(rows) > maxEdgeRows {
		return nil
	}
	type run struct {
		x           float64
		from, to, n int
	}
	var found []run
	for i := range rows {
		for _, x := range rows[i].starts {
			if slices.ContainsFunc(found, func(r run) bool { return abs(r.x-x) <= edgeExact && i <= r.to }) {
				continue
			}
			r := run{x: x, from: i, to: i}
			for k := i; k < len(rows); k++ {
				if rows[k].beginsAt(x) {
					r.n, r.to = r.n+1, k
				} else if rows[k].covered(x) || k > i && rows[k].base-rows[r.to].base > 3*edgeNear*rows[k].size {
					break
				}
			}
			if r.n >= edgeRun {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return func(s *Line, i int) bool {
		return wordStarts(s, i) && slices.ContainsFunc(found, func(r run) bool {
			return abs(r.x-s.Words[i].Box.X0) <= edgeExact && s.Base >= rows[r.from].base-1 && s.Base <= rows[r.to].base+1
		})
	}
}

// tightStarts takes words without much of a gap when segments begin at their place in the two rows above, the two rows below, or on both sides:
// a line that reaches into the gap between columns.
func tightStarts(segments []Line) starts {
	rows := edgeRows(segments)
	if len(rows) > maxEdgeRows {
		return nil
	}
	supports := func(from, step int, x float64) int {
		n := 0
		for k := from + step; k >= 0 && k < len(rows) && n < 2; k += step {
			if abs(rows[k].base-rows[k-step].base) > edgeNear*rows[k].size {
				break
			}
			begins := slices.ContainsFunc(rows[k].segments, func(s *Line) bool { return abs(s.Box.X0-x) <= edgeExact })
			left := slices.ContainsFunc(rows[k].segments, func(s *Line) bool { return s.Box.X1 < x })
			switch {
			case begins && left:
				n++
			case begins:
			default:
				return 0
			}
		}
		return n
	}
	return func(s *Line, i int) bool {
		if gapBefore(s, i) <= tightGap {
			return false
		}
		at, _ := slices.BinarySearchFunc(rows, s.Base-sameLine*s.Size, func(r edgeRow, y float64) int { return compare(r.base, y) })
		for ; at < len(rows) && rows[at].base <= s.Base+sameLine*s.Size; at++ {
			if slices.ContainsFunc(rows[at].segments, func(o *Line) bool { return o == s || o.Base == s.Base && o.Box == s.Box }) {
				x := s.Words[i].Box.X0
				above, below := supports(at, -1, x), supports(at, 1, x)
				return above >= 1 && below >= 1 || above >= 2 || below >= 2
			}
		}
		return false
	}
}
