package pdftest

import (
	"fmt"
	"strings"
)

// Content builds a content stream.
type Content struct{ b strings.Builder }

// Text shows a line of text: x and y in points from the bottom left.
func (c *Content) Text(font string, size, x, y float64, text string) *Content {
	fmt.Fprintf(&c.b, "BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, Escape(text))
	return c
}

// Line strokes a line.
func (c *Content) Line(x0, y0, x1, y1 float64) *Content {
	fmt.Fprintf(&c.b, "%g %g m %g %g l S\n", x0, y0, x1, y1)
	return c
}

// Raw adds operators as they are.
func (c *Content) Raw(operators string) *Content {
	c.b.WriteString(operators + "\n")
	return c
}

// Grid strokes a net of lines: at the given places across and along.
func (c *Content) Grid(xs, ys []float64) *Content {
	for _, x := range xs {
		c.Line(x, ys[0], x, ys[len(ys)-1])
	}
	for _, y := range ys {
		c.Line(xs[0], y, xs[len(xs)-1], y)
	}
	return c
}

func (c *Content) String() string { return c.b.String() }

// Escape writes text for a literal string: parentheses, backslashes, and Latin-1 characters as octal.
func Escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '•':
			b.WriteString("\\225") // WinAnsiEncoding
		case r == '–':
			b.WriteString("\\226")
		case r < 0x80:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\%03o", r&0xFF)
		}
	}
	return b.String()
}
