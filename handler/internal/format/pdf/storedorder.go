package pdf

import (
	"unicode"

	"decant/handler/internal/pdfium"

	"golang.org/x/text/unicode/bidi"
)

// storedOrder finds right-to-left text that the file stores as it is seen, from left to right. PDFium gives it in reading order:
// then the letters of one text object, which are shown from left to right, come from right to left.
type storedOrder struct {
	object uint64
	x      float64
	visual int // pairs of letters
}

func (o *storedOrder) add(c *pdfium.Char) {
	if !rightToLeft(c.Rune) {
		o.object = 0
		return
	}
	if o.object == c.Object && c.X < o.x {
		o.visual++
	}
	o.object, o.x = c.Object, c.X
}

func rightToLeft(r rune) bool {
	if r < 0x590 || !unicode.IsLetter(r) {
		return false
	}
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}
