package layout

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spacingAccents are the accents that some fonts draw over a letter as characters of their own, and the marks that they stand for.
var spacingAccents = map[rune]rune{
	'`': 0x300, '´': 0x301, 'ˆ': 0x302, '˜': 0x303, '¯': 0x304, '˘': 0x306, '˙': 0x307, '¨': 0x308,
	'˚': 0x30A, '˝': 0x30B, 'ˇ': 0x30C, '¸': 0x327, '˛': 0x328,
}

// accentReach is how many glyphs back the letter under an accent is looked for: a word that was drawn after its accent may come first.
const accentReach = 30

// composeAccents puts accents that are drawn over a letter together with it, as TeX's older fonts need it, and gives the glyphs that are left.
func composeAccents(p *Page, glyphs []int) []int {
	var kept []int // made when the first accent is found
	for n, index := range glyphs {
		if !composeAccent(p, glyphs, n) {
			if kept != nil {
				kept = append(kept, index)
			}
			continue
		}
		if kept == nil {
			kept = append(make([]int, 0, len(glyphs)), glyphs[:n]...)
		}
	}
	if kept == nil {
		return glyphs
	}
	return kept
}

// composeAccent gives the letter under glyph n, if that is an accent, its mark, and tells whether it did.
func composeAccent(p *Page, glyphs []int, n int) bool {
	accent := &p.Glyphs[glyphs[n]]
	mark := spacingAccents[accent.Rune]
	if mark == 0 {
		return false
	}
	for k := min(n+1, len(glyphs)-1); k >= 0 && k >= n-accentReach; k-- {
		letter := &p.Glyphs[glyphs[k]]
		if k == n || !accent.covers(letter, p) {
			continue
		}
		if whole := withMark(letter.Rune, mark); whole != 0 {
			letter.Rune, letter.Space = whole, letter.Space || accent.Space && k > n
			return true
		}
	}
	return false
}

// covers tells whether the middle of an accent stands over or under a glyph of its line.
func (g *Glyph) covers(letter *Glyph, p *Page) bool {
	middle := (g.Box.X0 + g.Box.X1) / 2
	size := max(1, p.Styles[letter.Style].Size)
	return middle > letter.Box.X0 && middle < letter.Box.X1 && abs(g.Y-letter.Y) < 0.4*size
}

// withMark is a letter with a mark as one character, or 0 when there is none.
func withMark(letter, mark rune) rune {
	switch letter {
	case 'ı':
		letter = 'i'
	case 'ȷ':
		letter = 'j'
	}
	text := norm.NFC.String(string([]rune{letter, mark}))
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) {
		return 0
	}
	return r
}
