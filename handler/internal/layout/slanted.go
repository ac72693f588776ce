package layout

import (
	"unicode"
)

// slantedBlock makes one block of the glyphs that run across the page at one angle, as watermarks and stamps do, in drawing order.
func slantedBlock(p *Page, glyphs []int) block {
	var words []Word
	open := false
	var last *Glyph
	for _, i := range glyphs {
		g := &p.Glyphs[i]
		if unicode.IsSpace(g.Rune) || g.Rune == 0 {
			open = false
			continue
		}
		style := &p.Styles[g.Style]
		if last != nil && (g.Space || distance(last, g) > 2*max(1, style.Size)) {
			open = false
		}
		last = g
		if !open || words[len(words)-1].Style != style {
			words = append(words, Word{Box: g.Box, Base: g.Y, Style: style, Marks: marksOf(style), Glued: open})
		}
		w := &words[len(words)-1]
		w.Text += string(g.Rune)
		w.Box = union(w.Box, g.Box)
		open = true
	}
	b := block{page: p.Number, rotated: true}
	if len(words) > 0 {
		line := newLine(words)
		line.page = p.Number
		b.lines, b.box = []Line{line}, line.Box
	}
	return b
}

// distance is how far apart the origins of two glyphs stand, along the farther axis.
func distance(a, b *Glyph) float64 { return max(abs(a.X-b.X), abs(a.Y-b.Y)) }
