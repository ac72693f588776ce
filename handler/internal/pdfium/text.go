package pdfium

// Char is one character as PDFium places it.
type Char struct {
	Rune      rune
	Loose     Rect    // from the glyph's origin to its advance, from the font's descent to its ascent
	X, Y      float64 // the origin, on the base line
	Object    uint64  // the text object that draws it; see Page.Text
	Generated bool    // a space or line break that PDFium put in; its box is not to be trusted
	Hyphen    bool    // a hyphen at a line's end (its rune is U+FFFE, or U+0002)
	Unmapped  bool    // the font has no Unicode mapping for it: the rune is a guess
}

// maxChars bounds the characters of one page.
const maxChars = 2_000_000

// Chars reads the page's characters in PDFium's order (content order, with right-to-left runs in logical order), appended to into.
// Ligatures come expanded, text drawn twice at the same place comes once. complete is false when the page has more than 2 million.
func (p *Page) Chars(into []Char) (chars []Char, complete bool) {
	n := p.countChars()
	complete = n <= maxChars
	e := p.d.e
	for i := range min(n, maxChars) {
		c := p.char(uint64(i))
		if e.err != nil {
			break
		}
		into = append(into, c)
	}
	return into, complete
}

// CountChars is how many characters the page has, those that PDFium generates included.
func (p *Page) CountChars() int { return p.countChars() }

func (p *Page) countChars() int {
	if p.text == 0 {
		p.text = p.d.e.call("FPDFText_LoadPage", p.handle)
	}
	if uint32(p.text) == 0 {
		return 0
	}
	return max(0, int32Of(p.d.e.call("FPDFText_CountChars", p.text)))
}

func (p *Page) char(i uint64) Char {
	e := p.d.e
	t, s := p.text, uint64(e.scratch)
	c := Char{Rune: rune(uint32(e.do(e.hot.unicode, t, i)))}
	c.Generated = int32Of(e.do(e.hot.generated, t, i)) == 1
	if c.Generated {
		return c
	}
	c.Object = e.do(e.hot.object, t, i)
	c.Hyphen = int32Of(e.do(e.hot.hyphen, t, i)) == 1
	c.Unmapped = int32Of(e.do(e.hot.mapError, t, i)) == 1
	if truth(e.do(e.hot.loose, t, i, s)) {
		c.Loose = e.rect(e.scratch)
	}
	if truth(e.do(e.hot.origin, t, i, s, s+8)) {
		c.X, c.Y = e.f64(e.scratch), e.f64(e.scratch+8)
	}
	return c
}

// Text describes a text object: what is the same for all its characters.
type Text struct {
	Font   Font
	Size   float64 // points as seen: the font size times the matrix's scale
	Matrix [6]float64
	Mode   int   // text rendering mode, ISO 32000-2 table 104; 3 is invisible
	Fill   Color // of modes 0, 2, 4, 6
	Tag    int   // marked content id, or -1
}

// Color is a colour with its opacity, 0 to 255.
type Color struct{ R, G, B, A uint8 }

// Font describes a font.
type Font struct {
	Name     string // base font name, with its subset prefix
	Weight   int    // 0 when not known, which is so for the base 14
	Italic   bool
	Fixed    bool
	Serif    bool
	Embedded bool
}

// Text describes a text object of the page. The object stays valid until the page is closed.
func (p *Page) Text(object uint64) Text {
	e := p.d.e
	s := uint64(e.scratch)
	t := Text{Matrix: [6]float64{1, 0, 0, 1, 0, 0}, Tag: -1}
	if uint32(object) == 0 {
		return t
	}
	if truth(e.call("FPDFTextObj_GetFontSize", object, s)) {
		t.Size = e.f32(e.scratch)
	}
	if m, ok := e.matrix(object); ok {
		t.Matrix = m
	}
	t.Mode = int32Of(e.call("FPDFTextObj_GetTextRenderMode", object))
	t.Fill = e.color("FPDFPageObj_GetFillColor", object)
	t.Tag = int32Of(e.call("FPDFPageObj_GetMarkedContentID", object))
	t.Font = p.d.font(e.call("FPDFTextObj_GetFont", object))
	return t
}

func (e *Engine) matrix(object uint64) (m [6]float64, ok bool) {
	if !truth(e.call("FPDFPageObj_GetMatrix", object, uint64(e.scratch))) {
		return m, false
	}
	for i := range m {
		m[i] = e.f32(e.scratch + uint32(4*i))
	}
	return m, true
}

func (e *Engine) color(name string, object uint64) Color {
	s := uint64(e.scratch)
	if !truth(e.call(name, object, s, s+4, s+8, s+12)) {
		return Color{A: 255}
	}
	part := func(i uint32) uint8 { return uint8(e.u32(e.scratch + 4*i)) }
	return Color{R: part(0), G: part(1), B: part(2), A: part(3)}
}

// font reads a font's facts once per document.
func (d *Document) font(handle uint64) Font {
	if uint32(handle) == 0 {
		return Font{}
	}
	if font, ok := d.fonts[handle]; ok {
		return font
	}
	e := d.e
	font := Font{Name: cText(e.fetch(func(buffer, size uint64) uint64 {
		return e.call("FPDFFont_GetBaseFontName", handle, buffer, size)
	}))}
	// ISO 32000-2, table 121: bit 1 fixed pitch, bit 2 serif, bit 7 italic, bit 19 force bold.
	flags := int32Of(e.call("FPDFFont_GetFlags", handle))
	font.Fixed, font.Serif, font.Italic = flags&1 != 0, flags&2 != 0, flags&64 != 0
	font.Weight = int32Of(e.call("FPDFFont_GetWeight", handle))
	if flags&(1<<18) != 0 {
		font.Weight = max(font.Weight, 700)
	}
	if truth(e.call("FPDFFont_GetItalicAngle", handle, uint64(e.scratch))) && int32(e.u32(e.scratch)) != 0 {
		font.Italic = true
	}
	font.Embedded = int32Of(e.call("FPDFFont_GetIsEmbedded", handle)) == 1
	d.fonts[handle] = font
	return font
}
