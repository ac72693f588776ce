package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minGutter is the narrowest usual gap between columns, in ems; single lines may come nearer.
const minGutter = 0.55

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
		switch y := center(s); {
		case y < g.top:
			above = append(above, s)
		case y > g.bottom:
			below = append(below, s)
		case s.Box.X0 < g.x-edgeSlack:
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

// center is the height at which a segment counts: the middle of its letters, or of a table.
func center(s Line) float64 {
	if s.Words == nil {
		return (s.Box.Y0 + s.Box.Y1) / 2
	}
	return s.Base - 0.3*s.Size
}

// gutter is an upright strip without text, with text on both sides.
type gutter struct {
	x           float64
	top, bottom float64 // heights between which it divides
	score       float64
}

// bestGutter looks at every left edge that several segments share.
func bestGutter(segments []Line) (gutter, bool) {
	var best gutter
	edges := leftEdges(segments)
	if len(segments) > maxScattered {
		return best, false
	}
	segments = slices.Clone(segments)
	slices.SortStableFunc(segments, func(a, b Line) int { return compare(center(a), center(b)) })
	for _, x := range edges {
		for _, g := range guttersAt(segments, x) {
			if g.score > best.score {
				best = g
			}
		}
	}
	return best, best.score > 0
}

// Bounds on a page full of scattered text: the places tried, and the segments above which no columns are looked for.
const (
	maxEdges     = 200
	maxScattered = 6_000
)

// leftEdges lists the places where at least two segments begin, each once.
func leftEdges(segments []Line) []float64 {
	var edges []float64
	for _, s := range segments {
		edges = append(edges, s.Box.X0)
	}
	slices.Sort(edges)
	var found []float64
	for i, x := range edges {
		if n := len(found); n > 0 && x-found[n-1] <= 1 {
			continue
		}
		if i+1 < len(edges) && edges[i+1]-x < 6 || len(segments) <= 60 {
			found = append(found, x)
		}
	}
	return found[:min(len(found), maxEdges)]
}

// guttersAt gives the strips that end at x: the heights between segments that cross it. Segments are ordered by their middle.
func guttersAt(segments []Line, x float64) []gutter {
	var blocked []span
	for _, s := range segments {
		if crosses(s, x) && !hangs(segments, s, x) {
			blocked = append(blocked, span{center(s) - 0.3*s.Size, center(s) + 0.3*s.Size})
			if s.Words == nil {
				blocked[len(blocked)-1] = span{s.Box.Y0, s.Box.Y1}
			}
		}
	}
	slices.SortFunc(blocked, func(a, b span) int { return compare(a.from, b.from) })
	var found []gutter
	from := -1e9
	try := func(to float64) {
		if to-from < 1 {
			return
		}
		var run []Line
		first, _ := slices.BinarySearchFunc(segments, from, func(s Line, y float64) int { return compare(center(s), y) })
		for _, s := range segments[first:] {
			y := center(s)
			if y >= to {
				break
			}
			if y > from {
				run = append(run, s)
			}
		}
		if g, ok := strip(run, x); ok {
			found = append(found, g)
		}
	}
	for _, b := range blocked {
		try(b.from)
		from = max(from, b.to)
	}
	try(1e9)
	return found
}

// edgeSlack is how far, in points, a segment may begin before the edge of its column.
const edgeSlack = 4.0

func crosses(s Line, x float64) bool {
	return s.Box.X0 < x-edgeSlack && s.Box.X1 > x-tightGap*max(1, s.Size)
}

// overhang is how far, in ems, a line of the left column may reach beyond the edge of the right one where nothing stands there.
const overhang = 1.2

// hangs tells whether a segment that crosses x is a line of the left column all the same: it reaches a little into the right one's indent.
func hangs(segments []Line, s Line, x float64) bool {
	if s.Words == nil || s.Box.X1 > x+overhang*s.Size || x-s.Box.X0 < 8*s.Size {
		return false
	}
	for i := range segments {
		o := &segments[i]
		if o.Box.X0 >= x-edgeSlack && o.Box.X0 < s.Box.X1+edgeGap*s.Size && overlapY(o.Box, s.Box) > 0 {
			return false
		}
	}
	return true
}

// strip judges a run of segments that leave x free.
func strip(run []Line, x float64) (gutter, bool) {
	var left, right []Line
	for _, s := range run {
		if s.Box.X0 < x-edgeSlack {
			left = append(left, s)
		} else {
			right = append(right, s)
		}
	}
	if len(left) == 0 || len(right) == 0 {
		return gutter{}, false
	}
	// Both sides must stand beside each other, not below.
	top, bottom := max(firstTop(left), firstTop(right)), min(lastBottom(left), lastBottom(right))
	allLeft, allRight := left, right
	left, right = within(left, top, bottom), within(right, top, bottom)
	if len(left) == 0 || len(right) == 0 {
		return gutter{}, false
	}
	need := 3
	gap := x - usualRight(left)
	if gap < minGutter*medianSize(left) {
		return gutter{}, false
	}
	if size := medianSize(left); gap > 4*size {
		need = 2
		if gap > 8*size && len(run) <= 6 {
			need = 1
		}
	}
	if lineCount(left) < need || lineCount(right) < need {
		return gutter{}, false
	}
	if labels(left) || tableLike(left, right) {
		return gutter{}, false
	}
	g := gutter{x: x, top: 1e9, bottom: -1e9}
	for _, s := range append(slices.Clone(left), right...) {
		g.top, g.bottom = min(g.top, center(s)), max(g.bottom, center(s))
	}
	g.extend(allLeft)
	g.extend(allRight)
	g.score = g.bottom - g.top + 1
	return g, true
}

// columnPitch is how far apart, in ems, lines may stand and still be one column's.
const columnPitch = 2.2

// extend lets a gutter reach as far up and down as the lines of one side follow each other: columns need not begin or end together.
func (g *gutter) extend(side []Line) {
	for i := len(side) - 1; i >= 0; i-- {
		if y := center(side[i]); y < g.top && g.top-y < columnPitch*side[i].Size {
			g.top = y
		}
	}
	for i := range side {
		if y := center(side[i]); y > g.bottom && y-g.bottom < columnPitch*side[i].Size {
			g.bottom = y
		}
	}
}

// lineCount counts lines; a table is as many as it has rows, a picture as many as would stand in its height.
func lineCount(lines []Line) int {
	n := 0
	for _, l := range lines {
		n++
		switch {
		case l.table != nil:
			n += l.table.rows
		case l.figure != nil:
			n += int(height(l.Box) / (1.2 * l.Size))
		}
	}
	return n
}

// usualRight is where lines end at most, but for the widest tenth.
func usualRight(lines []Line) float64 {
	var ends []float64
	for _, l := range lines {
		ends = append(ends, l.Box.X1)
	}
	slices.Sort(ends)
	return ends[(len(ends)-1)*9/10]
}

func firstTop(lines []Line) float64 {
	y := 1e9
	for _, l := range lines {
		y = min(y, l.Box.Y0)
	}
	return y
}

func lastBottom(lines []Line) float64 {
	y := -1e9
	for _, l := range lines {
		y = max(y, l.Box.Y1)
	}
	return y
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

// labels tells whether the left side is nothing but bullets and numbers of the text on the right.
func labels(left []Line) bool {
	for _, l := range left {
		if l.Words == nil || !isLabel(lineText(l)) {
			return false
		}
	}
	return true
}

// isLabel tells whether a text is a bullet or an item's number: "•", "1.", "(a)", "iv)", "2.3.1".
func isLabel(s string) bool {
	s = strings.TrimSpace(s)
	n := utf8.RuneCountInString(s)
	if n == 0 || n > 7 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if n == 1 && !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return true
	}
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r), strings.ContainsRune(".()[]-", r):
		default:
			return false
		}
	}
	return letters <= 4 && strings.ContainsAny(s, ".)]") || n <= 3 && letters == 0
}

// tableLike tells whether what stands left and right of a gutter are cells of the same rows rather than columns of text:
// most lines have a neighbour on the same base line, and they are short, or figures.
func tableLike(left, right []Line) bool {
	few, many := left, right
	if len(few) > len(many) {
		few, many = many, few
	}
	aligned, words, figures := 0, 0, 0
	for _, l := range few {
		if hasNeighbour(l, many) {
			aligned++
		}
		words += wordCount(l)
		if isFigure(lineText(l)) {
			figures++
		}
	}
	if aligned*10 < len(few)*6 {
		return false
	}
	if asks(left)*2 >= len(left) {
		return true
	}
	if figures*2 >= len(few) {
		return true
	}
	rows := textRows(append(slices.Clone(left), right...))
	several := 0
	for _, row := range rows {
		if len(row) >= 3 {
			several++
		}
	}
	otherWords := 0
	for _, l := range many {
		otherWords += wordCount(l)
	}
	if several*2 >= len(rows) && words <= 4*len(few) {
		return true
	}
	return words*2 <= 5*len(few) && otherWords <= 6*len(many) && figures*4 >= len(few)
}

// asks counts labels that end with a colon: "Date:", "Name:".
func asks(lines []Line) int {
	n := 0
	for _, l := range lines {
		if strings.HasSuffix(lineText(l), ":") {
			n++
		}
	}
	return n
}

func hasNeighbour(l Line, others []Line) bool {
	for _, o := range others {
		if abs(o.Base-l.Base) <= 0.2*max(1, l.Size) {
			return true
		}
	}
	return false
}
