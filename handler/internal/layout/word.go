package layout

import (
	"slices"
	"unicode"

	"decant/handler/internal/doc"
)

// Word is a run of glyphs without a space inside, all of one look.
type Word struct {
	Text   string
	Box    doc.Box
	Base   float64 // y of the base line
	Style  *Style  // shared by all words of the look
	Marks  doc.Marks
	Glued  bool // no space stands between it and the word before it in the line
	Hyphen bool // ends with a hyphen that divides a word
	rtl    bool // read from right to left; Text is in reading order
	// leftward says that right-to-left text stands on the page as if it ran from left to right: words are in reading order as they stand
	leftward bool
	leads    *lead // where it leads, if anywhere; few words do, and there are many words
}

// lead is where a word leads.
type lead struct {
	target string // of a link
	note   string // the note that it refers to
}

// link is the target of the word's link, or "".
func (w *Word) link() string {
	if w.leads == nil {
		return ""
	}
	return w.leads.target
}

// Gaps between glyphs. The first two are shares of the usual glyph's width, so that condensed and stretched type reads alike;
// the others are in ems.
const (
	wordGap      = 0.36 // a wider gap divides words where the text has no spaces of its own
	spacedGap    = 0.45 // the same where it has
	pieceGap     = 0.17 // a wider gap ends a piece
	hintGap      = 0.08 // the same where a space is expected
	sameLine     = 0.28 // base lines closer than this are one
	segmentGap   = 0.95 // a wider gap divides segments
	overlapGlyph = 0.60 // glyphs that overlap more than this in their line are drawn over each other
)

// piece is glyphs of one look that follow each other without a gap, as they were drawn.
type piece struct {
	text       []rune
	box        doc.Box
	base       float64
	style      int32
	hyphen     bool // ends with a dividing hyphen
	spaceAfter bool // a space glyph stands on its right
	spaceLeft  bool // a space glyph stands on its left
	hinted     bool // a space is expected before it
	rtl        bool // read from right to left; text is in reading order
}

// pieces cuts the glyphs, in drawing order, where words end, the look changes or the pen jumps. Going by drawing order first
// keeps words whole that lie over each other.
func pieces(p *Page, glyphs []int) []piece {
	var all []piece
	var last *piece
	x := 0.0        // where the last glyph, space or not, ended
	var box doc.Box // of the last glyph
	for _, index := range glyphs {
		g := &p.Glyphs[index]
		size := max(1, p.Styles[g.Style].Size)
		near := last != nil && abs(g.Y-last.base) <= 0.05*size && g.Box.X0-x < pieceGap*size && g.Box.X0-x > -0.4*size
		rtl := isRTL(g.Rune)
		if last != nil && last.rtl {
			near = continuesLeft(last, g, size)
			rtl = rtl || (unicode.Is(unicode.Mn, g.Rune) || isJoiner(g.Rune)) && near
		}
		// The letters of a ligature, and a letter and its mark, have one place.
		samePlace := last != nil && abs(g.Y-last.base) <= 0.05*size && sameSides(g.Box, box)
		near = near || samePlace
		if unicode.IsSpace(g.Rune) || g.Rune == 0 {
			if last != nil && len(last.text) > 0 {
				last.takeSpace(g, near, size)
			}
			if !near || g.Box.X1 > x {
				x = g.Box.X1
			}
			continue
		}
		if last == nil || last.spaceAfter || last.spaceLeft || !near || g.Space && g.Box.X0-x > hintGap*size || last.rtl != rtl || p.Styles[last.style] != p.Styles[g.Style] {
			all = append(all, piece{base: g.Y, style: g.Style, hinted: g.Space && !rtl, rtl: rtl})
			last = &all[len(all)-1]
		}
		if n := len(last.text); rtl && n > 0 && samePlace {
			// The letters of a ligature come as they are seen; reading order is the other way.
			last.text = append(last.text[:n-1], g.Rune, last.text[n-1])
		} else {
			last.text = append(last.text, g.Rune)
		}
		box = g.Box
		last.box = union(last.box, g.Box)
		last.hyphen = g.Hyphen
		x = g.Box.X1
	}
	return all
}

// takeSpace notes on which side of the piece a space glyph stands: text that is read from right to left has its spaces on the left.
func (c *piece) takeSpace(g *Glyph, near bool, size float64) {
	switch {
	case abs(g.Y-c.base) <= 0.05*size && abs(g.Box.X1-c.box.X0) < pieceGap*size:
		c.spaceLeft = true
	case near:
		c.spaceAfter = true
	}
}

func sameSides(a, b doc.Box) bool { return abs(a.X0-b.X0) < 0.05 && abs(a.X1-b.X1) < 0.05 }

// isJoiner tells whether a rune is one of the invisible signs that join or part letters.
func isJoiner(r rune) bool { return r == 0x200C || r == 0x200D }

// isRTL tells whether a rune is a letter that is read from right to left.
func isRTL(r rune) bool {
	return r >= 0x590 && r <= 0x8FF && unicode.IsLetter(r) || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC
}

// continuesLeft tells whether a glyph goes on to the left of a piece, or stands within its last glyph as parts of a ligature do.
func continuesLeft(last *piece, g *Glyph, size float64) bool {
	gap := last.box.X0 - g.Box.X1
	return abs(g.Y-last.base) <= 0.05*size && gap < pieceGap*size && g.Box.X0 < last.box.X0+0.45*size && g.Box.X1 > last.box.X0-pieceGap*size
}

// row is pieces on one base line, from left to right.
type row struct {
	pieces []piece
	base   float64
	size   float64 // of the largest
	spaces bool    // has spaces of its own
}

// rowsOf groups pieces by base line.
func rowsOf(p *Page, all []piece) []row {
	slices.SortStableFunc(all, func(a, b piece) int { return compare(a.base, b.base) })
	var rows []row
	var open row
	for _, c := range all {
		size := p.Styles[c.style].Size
		if len(open.pieces) > 0 && c.base-open.base > sameLine*max(1, min(size, open.size)) {
			rows = append(rows, open)
			open = row{}
		}
		if len(open.pieces) == 0 {
			open.base, open.size = c.base, size
		}
		open.pieces = append(open.pieces, c)
		open.spaces = open.spaces || c.spaceAfter || c.spaceLeft
		if size > open.size {
			open.size, open.base = size, c.base
		}
	}
	if len(open.pieces) > 0 {
		rows = append(rows, open)
	}
	for i := range rows {
		slices.SortStableFunc(rows[i].pieces, func(a, b piece) int { return compare(a.box.X0, b.box.X0) })
	}
	return rows
}

// withinNumber tells whether piece i goes on with a number: kerning must not tear figures apart.
func (r *row) withinNumber(i int) bool {
	before, after := r.pieces[i-1].text, r.pieces[i].text
	figure := func(c rune) bool { return unicode.IsDigit(c) || c == ',' || c == '.' }
	if endsFigure(before) {
		return false
	}
	return figure(before[len(before)-1]) && figure(after[0]) && !r.spaced(i) && (unicode.IsDigit(after[0]) && unicode.IsDigit(before[0]))
}

// endsFigure tells whether a text is a figure of four digits or more and a comma or a stop behind it: groups of thousands have three,
// so that it is a year, say, at the end of its clause.
func endsFigure(text []rune) bool {
	n := len(text) - 1
	if n < 4 || text[n] != ',' && text[n] != '.' {
		return false
	}
	for _, r := range text[n-4 : n] {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// spaced tells whether a space glyph stands before piece i.
func (r *row) spaced(i int) bool { return r.pieces[i-1].spaceAfter || r.pieces[i].spaceLeft }

// letterSpacing is the gap between the letters of a row that is set l i k e this, or 0.
// Spaces of such a row's own say nothing: they may stand between letters.
func (r *row) letterSpacing(p *Page) float64 {
	if len(r.pieces) < 5 {
		return 0
	}
	var gaps []float64
	for i := range r.pieces {
		c := &r.pieces[i]
		if len(c.text) > 1 || !unicode.IsLetter(c.text[0]) {
			return 0
		}
		if i > 0 {
			gaps = append(gaps, c.box.X0-r.pieces[i-1].box.X1)
		}
	}
	spacing := median(gaps)
	if size := p.Styles[r.pieces[0].style].Size; spacing < 0.1*size || spacing > 0.9*size {
		return 0
	}
	for i := range r.pieces {
		r.pieces[i].spaceAfter, r.pieces[i].spaceLeft, r.pieces[i].hinted = false, false, false
	}
	return spacing
}

// glyphWidth is the mean width of a row's glyphs.
func (r *row) glyphWidth() float64 {
	sum, n := 0.0, 0
	for i := range r.pieces {
		sum += width(r.pieces[i].box)
		n += len(r.pieces[i].text)
	}
	return sum / float64(max(1, n))
}

// words makes words of a row, each with the gap to the one before.
func (r *row) words(p *Page) (words []Word, gaps []float64) {
	share := wordGap
	if r.spaces {
		share = spacedGap
	}
	limit := share * r.glyphWidth()
	spacing := r.letterSpacing(p)
	if spacing > 0 {
		limit = 1.6 * spacing
	}
	end := 0.0
	for i := range r.pieces {
		c := &r.pieces[i]
		w := c.word(p)
		gap := c.box.X0 - end
		size := max(1, w.Style.Size)
		limit := limit
		if spacing == 0 {
			limit = min(limit, 0.33*size)
		}
		if c.hinted && i > 0 && !r.withinNumber(i) {
			limit = min(limit, hintGap*size)
		}
		if i > 0 {
			before := &r.pieces[i-1]
			w.Glued = gap <= limit && gap > -0.5*size && !r.spaced(i)
			if w.Glued && before.style == c.style && before.rtl == c.rtl && abs(before.base-c.base) <= 0.05*size {
				last := &words[len(words)-1]
				if c.rtl {
					last.Text = w.Text + last.Text
				} else {
					last.Text += w.Text
				}
				last.Box, last.Hyphen = union(last.Box, w.Box), w.Hyphen
				end = max(end, c.box.X1)
				continue
			}
		}
		words, gaps = append(words, w), append(gaps, gap)
		end = max(end, c.box.X1)
	}
	return words, gaps
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

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// word makes the piece a Word.
func (c *piece) word(p *Page) Word {
	style := &p.Styles[c.style]
	return Word{
		Text: string(c.text), Box: c.box, Base: c.base, Style: style, Marks: marksOf(style), Hyphen: c.hyphen, rtl: c.rtl,
	}
}

func marksOf(s *Style) doc.Marks {
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
