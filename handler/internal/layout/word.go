package layout

import (
	"slices"
	"strings"
	"unicode"

	"decant/handler/internal/doc"

	"golang.org/x/text/unicode/norm"
)

// Word is a run of glyphs without a space inside, all of one look.
type Word struct {
	Text   string
	Box    doc.Box
	Base   float64 // y of the base line
	Style  Style
	Marks  doc.Marks
	Link   string
	Glued  bool // no space stands between it and the word before it in the line
	Hyphen bool // ends with a hyphen that divides a word
}

// Gaps between glyphs, in ems.
const (
	wordGap      = 0.17 // a wider gap divides words where the text has no spaces of its own
	spacedGap    = 0.30 // the same where it has
	sameLine     = 0.28 // base lines closer than this are one
	segmentGap   = 0.95 // a wider gap divides segments
	overlapGlyph = 0.60 // glyphs that overlap more than this in their line are drawn over each other
)

// row is glyphs on one base line, from left to right.
type row struct {
	glyphs []int // indexes into the page's glyphs
	base   float64
	size   float64 // of most glyphs
	spaces bool    // has spaces of its own
}

// rowsOf groups glyphs by base line. Small glyphs that stand up or down from a line (superscripts) make rows of their own;
// attachScripts brings them home.
func rowsOf(p *Page, glyphs []int) []row {
	slices.SortStableFunc(glyphs, func(a, b int) int { return compare(p.Glyphs[a].Y, p.Glyphs[b].Y) })
	var rows []row
	var open row
	for _, g := range glyphs {
		y, size := p.Glyphs[g].Y, p.Styles[p.Glyphs[g].Style].Size
		if len(open.glyphs) > 0 && y-open.base > sameLine*max(1, min(size, open.size)) {
			rows = append(rows, open)
			open = row{}
		}
		if len(open.glyphs) == 0 {
			open.base, open.size = y, size
		}
		open.glyphs = append(open.glyphs, g)
		if size > open.size {
			open.size, open.base = size, y
		}
	}
	if len(open.glyphs) > 0 {
		rows = append(rows, open)
	}
	for i := range rows {
		rows[i].order(p)
	}
	return rows
}

func (r *row) order(p *Page) {
	slices.SortStableFunc(r.glyphs, func(a, b int) int { return compare(p.Glyphs[a].X, p.Glyphs[b].X) })
	for _, g := range r.glyphs {
		if unicode.IsSpace(p.Glyphs[g].Rune) {
			r.spaces = true
		}
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// piece is a word being gathered.
type piece struct {
	text        strings.Builder
	box         doc.Box
	base        float64
	style       int32
	hyphen      bool
	gapBefore   float64 // to the piece before it in its row
	spaceBefore bool
	letters     int
}

// pieces cuts a row where words end, or where the look changes.
func (r *row) pieces(p *Page) []piece {
	var all []piece
	space := false
	limit := wordGap
	if r.spaces {
		limit = spacedGap
	}
	for _, index := range r.glyphs {
		g := &p.Glyphs[index]
		if unicode.IsSpace(g.Rune) || g.Rune == 0 {
			space = true
			continue
		}
		size := max(1, p.Styles[g.Style].Size)
		var last *piece
		if len(all) > 0 {
			last = &all[len(all)-1]
		}
		gap := 0.0
		if last != nil {
			gap = g.Box.X0 - last.box.X1
		}
		far := last == nil || gap > limit*size
		if last == nil || space || far || p.Styles[last.style] != p.Styles[g.Style] || abs(g.Y-last.base) > 0.05*size {
			all = append(all, piece{base: g.Y, style: g.Style, gapBefore: gap, spaceBefore: space || far})
			last = &all[len(all)-1]
		}
		last.text.WriteRune(g.Rune)
		last.letters++
		last.box = union(last.box, g.Box)
		last.hyphen = g.Hyphen
		space = false
	}
	return all
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// word makes the piece a Word.
func (c *piece) word(p *Page) Word {
	style := p.Styles[c.style]
	return Word{
		Text: norm.NFC.String(c.text.String()), Box: c.box, Base: c.base, Style: style, Marks: marksOf(style),
		Glued: !c.spaceBefore, Hyphen: c.hyphen,
	}
}

func marksOf(s Style) doc.Marks {
	var m doc.Marks
	if s.Bold {
		m |= doc.Strong
	}
	if s.Italic {
		m |= doc.Emphasis
	}
	if s.Mono {
		m |= doc.Monospace
	}
	return m
}
