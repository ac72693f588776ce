package layout

import "slices"

// minGutter is the narrowest gap between columns, in ems.
const minGutter = 0.9

// order cuts segments into regions of one column each, in reading order. The strongest gutter divides its rows into
// what stands above, left, right and below, and each part is cut again.
func order(segments []Line) [][]Line {
	return cut(segments, 0)
}

const maxCuts = 200 // depth; honest pages need five

func cut(segments []Line, depth int) [][]Line {
	if len(segments) == 0 {
		return nil
	}
	g, ok := bestGutter(segments)
	if !ok || depth > maxCuts {
		return [][]Line{segments}
	}
	var above, left, right, below []Line
	for _, s := range segments {
		mid := s.Base
		switch {
		case mid < g.top:
			above = append(above, s)
		case mid > g.bottom:
			below = append(below, s)
		case (s.Box.X0+s.Box.X1)/2 < g.x:
			left = append(left, s)
		default:
			right = append(right, s)
		}
	}
	var regions [][]Line
	for _, part := range [][]Line{above, left, right, below} {
		if len(part) < len(segments) {
			regions = append(regions, cut(part, depth+1)...)
		}
	}
	return regions
}

// gutter is an upright strip without text, with text on both sides.
type gutter struct {
	x           float64
	top, bottom float64 // base lines of the first and last segments beside it
	score       float64
}

// bestGutter looks at every left edge that several segments share.
func bestGutter(segments []Line) (gutter, bool) {
	var best gutter
	for _, x := range leftEdges(segments) {
		for _, g := range guttersAt(segments, x) {
			if g.score > best.score {
				best = g
			}
		}
	}
	return best, best.score > 0
}

// leftEdges lists the places where segments begin, each once.
func leftEdges(segments []Line) []float64 {
	var edges []float64
	for _, s := range segments {
		edges = append(edges, s.Box.X0)
	}
	slices.Sort(edges)
	var distinct []float64
	for _, x := range edges {
		if n := len(distinct); n == 0 || x-distinct[n-1] > 1 {
			distinct = append(distinct, x)
		}
	}
	return distinct
}

// guttersAt gives the strips that end at x: runs of segments none of which crosses the strip.
func guttersAt(segments []Line, x float64) []gutter {
	var found []gutter
	start := 0
	for i := 0; i <= len(segments); i++ {
		if i < len(segments) && !crosses(segments[i], x) {
			continue
		}
		if g, ok := strip(segments[start:i], x); ok {
			found = append(found, g)
		}
		start = i + 1
	}
	return found
}

func crosses(s Line, x float64) bool {
	return s.Box.X0 < x-0.5 && s.Box.X1 > x-minGutter*s.Size
}

// strip judges a run of segments that leave x free.
func strip(run []Line, x float64) (gutter, bool) {
	var left, right []Line
	for _, s := range run {
		if s.Box.X0 < x-0.5 {
			left = append(left, s)
		} else {
			right = append(right, s)
		}
	}
	// Both sides must stand beside each other, not below.
	top, bottom := max(firstTop(left), firstTop(right)), min(lastBottom(left), lastBottom(right))
	left, right = within(left, top, bottom), within(right, top, bottom)
	if len(left) < 3 || len(right) < 3 {
		return gutter{}, false
	}
	g := gutter{x: x - 0.25, top: min(left[0].Base, right[0].Base), bottom: max(left[len(left)-1].Base, right[len(right)-1].Base)}
	g.score = g.bottom - g.top + 1
	return g, true
}

func firstTop(lines []Line) float64 {
	if len(lines) == 0 {
		return 1e9
	}
	return lines[0].Box.Y0
}

func lastBottom(lines []Line) float64 {
	if len(lines) == 0 {
		return -1e9
	}
	return lines[len(lines)-1].Box.Y1
}

func within(lines []Line, top, bottom float64) []Line {
	var kept []Line
	for _, l := range lines {
		if l.Box.Y1 >= top && l.Box.Y0 <= bottom {
			kept = append(kept, l)
		}
	}
	return kept
}
