package pdftest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

// Mapped adds a font with the shapes of Helvetica, each 0.556 em wide (spaces 0.278), whose bytes stand for the given texts; other bytes stand for
// themselves. With it a test writes any script without a font of that script.
func (f *File) Mapped(name string, texts map[byte]string) {
	var b strings.Builder
	b.WriteString("begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n")
	for code := range 0x80 {
		if _, mapped := texts[byte(code)]; !mapped && code >= 0x20 {
			fmt.Fprintf(&b, "1 beginbfchar <%02X> <%04X> endbfchar\n", code, code)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "1 beginbfchar <%02X> <%s> endbfchar\n", code, utf16Hex(texts[code]))
	}
	b.WriteString("endcmap")
	cmap := f.Stream("", b.String())
	f.Font(name, fmt.Sprintf("<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /Helvetica /FirstChar 32 /LastChar 255 /Widths [278 %s] /ToUnicode %d 0 R >>",
		strings.Repeat("556 ", 255-32), cmap))
}

// Vertical adds a font of East Asian text in upright columns, one em a character; it shows the characters of text and no others.
func (f *File) Vertical(name, text string) *Columns {
	v := &Columns{name: name, glyphs: map[rune]int{}}
	var cmap strings.Builder
	cmap.WriteString("begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n")
	for _, r := range text {
		if _, known := v.glyphs[r]; !known {
			v.glyphs[r] = len(v.glyphs) + 1
			fmt.Fprintf(&cmap, "1 beginbfchar <%04X> <%s> endbfchar\n", v.glyphs[r], utf16Hex(string(r)))
		}
	}
	mapping := f.Stream("", cmap.String()+"endcmap")
	file := f.Stream("", string(squareFont(len(v.glyphs)+1)))
	descriptor := f.Object(fmt.Sprintf("<< /Type /FontDescriptor /FontName /Squares /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 /ItalicAngle 0 /FontFile2 %d 0 R >>", file))
	inner := f.Object(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Squares /FontDescriptor %d 0 R /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 >>", descriptor))
	f.Font(name, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /Squares /Encoding /Identity-V /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", inner, mapping))
	return v
}

// Columns is a font of File.Vertical.
type Columns struct {
	name   string
	glyphs map[rune]int
}

// Show adds a column of text to the content: x is the middle of the column, y its top.
func (v *Columns) Show(c *Content, size, x, y float64, text string) {
	var codes strings.Builder
	for _, r := range text {
		fmt.Fprintf(&codes, "%04X", v.glyphs[r])
	}
	c.Raw(fmt.Sprintf("BT /%s %g Tf %g %g Td <%s> Tj ET", v.name, size, x, y, codes.String()))
}

func utf16Hex(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	return b.String()
}
