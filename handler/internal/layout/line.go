package layout

import (
	"slices"

	"decant/handler/internal/doc"
)

// Line is words on one base line, in reading order: a segment first (no wide gap inside), a whole line of its column later.
type Line struct {
	Words []Word
	Box   doc.Box
	Base  float64
	Size  float64 // of most of its letters

	page   int     // from 1
	table  *table  // in place of words
	figure *figure // in place of words
}

func newLine(words []Word) Line {
	l := Line{Words: words}
	weights := map[float64]int{}
	best := 0
	for _, w := range words {
		l.Box = union(l.Box, w.Box)
		weights[w.Style.Size] += len(w.Text)
		if n := weights[w.Style.Size]; n > best {
			best, l.Size, l.Base = n, w.Style.Size, w.Base
		}
	}
	return l
}

// segmentsOf cuts the page's upright text into segments, ordered from top to bottom, then left to right.
func segmentsOf(p *Page, glyphs []int) []Line {
	var segments []Line
	for _, r := range rowsOf(p, pieces(p, composeAccents(p, glyphs))) {
		var open []Word
		words, gaps := r.words(p)
		for i, w := range words {
			if len(open) > 0 && gaps[i] > segmentGap*max(w.Style.Size, open[len(open)-1].Style.Size) {
				segments = append(segments, newLine(open))
				open = nil
			}
			if len(open) == 0 {
				w.Glued = false
			}
			open = append(open, w)
		}
		if len(open) > 0 {
			segments = append(segments, newLine(open))
		}
	}
	return sortLines(segments)
}

// wideGap is a gap that no justified line has, in ems: what stands beyond it is another block.
const wideGap = 4.0

func sortLines(lines []Line) []Line {
	slices.SortStableFunc(lines, func(a, b Line) int {
		if c := compare(a.Base, b.Base); c != 0 {
			return c
		}
		return compare(a.Box.X0, b.Box.X0)
	})
	return lines
}

// joinRows makes one line of the segments that share a base line within a region.
func joinRows(segments []Line) []Line {
	sortLines(segments)
	var lines []Line
	for _, s := range segments {
		if n := len(lines); n > 0 && onOneLine(lines[n-1], s) {
			lines[n-1] = mergeLines(lines[n-1], s)
			continue
		}
		lines = append(lines, s)
	}
	return lines
}

func onOneLine(a, b Line) bool {
	if a.Words == nil || b.Words == nil {
		return false
	}
	if max(a.Box.X0, b.Box.X0)-min(a.Box.X1, b.Box.X1) > wideGap*max(a.Size, b.Size) && !isLabel(lineText(a)) {
		return false
	}
	return abs(a.Base-b.Base) <= sameLine*max(1, min(a.Size, b.Size)) && overlapX(a.Box, b.Box) < overlapGlyph*min(a.Size, b.Size)
}

func mergeLines(a, b Line) Line {
	if b.Box.X0 < a.Box.X0 {
		a, b = b, a
	}
	return newLine(append(slices.Clip(a.Words), b.Words...))
}
