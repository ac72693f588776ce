package pdf

import (
	"math"
	"strings"
	"unicode"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
	"decant/handler/internal/pdfium"
)

// read fills a layout page from a PDFium page and hands it to the builder.
func (p *parse) read(page *pdfium.Page, out *doc.Page) {
	v := newView(page.Geometry(), p.unit(out.Number-1))
	out.Width, out.Height = v.width, v.height
	into := &layout.Page{Number: out.Number, Width: v.width, Height: v.height}
	g := &graphics{v: v, page: page, into: into}
	g.read()
	if !p.plain {
		p.links(page, v, into)
	}
	var tags map[int]pdfium.Element
	if p.out.Metadata.Tagged && !p.plain {
		tags = page.Structure()
	}
	t := &texts{parse: p, tags: tags, page: page, v: v, into: into, g: g, seen: map[uint64]look{}, cells: map[*pdfium.Cell]*layout.Cell{}, hidden: map[string]*strings.Builder{}}
	t.read()
	t.report()
	if p.engine.Err() != nil {
		return
	}
	if t.visible == 0 && g.covered() > scanShare {
		out.Scan = true
		p.scans++
		p.out.Warn("scanned_page", "A page is a picture without text; it needs OCR.", doc.Place{Page: out.Number})
	}
	p.savePictures(page, g, into, tags, t.visible > 0)
	if !p.plain {
		p.annotations(page, v, into)
	}
	if p.engine.Err() != nil {
		return
	}
	p.builder.Add(into)
}

// scanShare is how much of a page without text a picture must cover for it to count as scanned.
const scanShare = 0.3

// texts turns a page's characters into glyphs.
type texts struct {
	*parse
	page    *pdfium.Page
	v       view
	into    *layout.Page
	g       *graphics
	seen    map[uint64]look // by text object
	visible int
	space   bool // PDFium put a space before the next character
	total   int
	garbage int
	tags    map[int]pdfium.Element // by marked content id
	cells   map[*pdfium.Cell]*layout.Cell
	shown   int                         // times the page was drawn to see whether something shows
	hidden  map[string]*strings.Builder // text by reason
	order   storedOrder
}

// look is what a text object gives all its glyphs.
type look struct {
	style  int32
	reason string // why it is hidden, or ""
}

func (t *texts) read() {
	var complete bool
	t.chars, complete = t.page.Chars(t.chars[:0])
	if !complete {
		t.out.Warn("limit_reached", "A page has more than 2,000,000 characters; the rest was not read.", doc.Place{Page: t.into.Number})
	}
	t.into.Glyphs = t.glyphs[:0]
	defer func() { t.glyphs = t.into.Glyphs }()
	for i := range t.chars {
		t.char(&t.chars[i])
	}
}

func (t *texts) char(c *pdfium.Char) {
	if c.Generated || uint32(c.Object) == 0 {
		t.space = c.Rune == ' '
		return
	}
	l, ok := t.seen[c.Object]
	if !ok {
		l = t.look(c)
		t.seen[c.Object] = l
	}
	g := layout.Glyph{Rune: c.Rune, Box: t.v.rect(c.Loose), Style: l.style, Hyphen: c.Hyphen, Space: t.space}
	t.space = false
	g.X, g.Y = t.v.point(c.X, c.Y)
	switch {
	case c.Hyphen || g.Rune == 0xFFFE || g.Rune == 2:
		g.Rune, g.Hyphen = '-', true
	case g.Rune == 0xAD:
		g.Hyphen = true
	}
	space := unicode.IsSpace(g.Rune)
	if !space && !drawn(g.Rune) {
		if unmapped(g.Rune) {
			t.garbage++
			t.total++
			g.Rune = unicode.ReplacementChar
		} else {
			return
		}
	}
	t.order.add(c)
	reason := l.reason
	if reason == "" && t.outside(g.Box) {
		reason = "outside_page"
	}
	if reason != "" {
		t.hide(reason, g.Rune)
		return
	}
	if !space {
		t.visible++
		t.total++
	}
	t.into.Glyphs = append(t.into.Glyphs, g)
}

// drawn tells whether a rune is something to read: control and format characters are not, but joiners and soft hyphens are.
func drawn(r rune) bool {
	if r == 0x200C || r == 0x200D || r == 0xAD {
		return true
	}
	return r > 0x20 && unicode.IsGraphic(r) && !unmapped(r)
}

// unmapped tells whether a rune says that the font has no Unicode for the glyph.
func unmapped(r rune) bool {
	return r == unicode.ReplacementChar || r < 0x20 && r != 0 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 || unicode.Is(unicode.Co, r)
}

func (t *texts) outside(b doc.Box) bool {
	const slack = 2
	return b.X1 < -slack || b.Y1 < -slack || b.X0 > t.v.width+slack || b.Y0 > t.v.height+slack
}

func (t *texts) hide(reason string, r rune) {
	b := t.hidden[reason]
	if b == nil {
		b = &strings.Builder{}
		t.hidden[reason] = b
	}
	b.WriteRune(r)
}

// look describes a text object.
func (t *texts) look(c *pdfium.Char) look {
	text := t.page.Text(c.Object)
	style := layout.Style{
		Font: fontName(text.Font.Name),
		Size: round(text.Size*math.Hypot(text.Matrix[2], text.Matrix[3])*t.v.unit, 10),
		Bold: isBold(text.Font), Italic: isItalic(text.Font), Mono: text.Font.Fixed || isMono(text.Font.Name),
		Angle: t.angle(text.Matrix),
	}
	if t.tags != nil {
		style.Role, style.Cell = t.role(c.Object, text.Tag), t.cell(text.Tag)
	}
	if style.Size == 0 {
		style.Size = round(t.v.rect(c.Loose).Y1-t.v.rect(c.Loose).Y0, 10)
	}
	l := look{reason: t.reason(c, text, style.Size)}
	if l.reason == "" {
		l.reason = t.unseen(c)
	}
	if l.reason == "render_mode_3" && t.g.covered() > ocrShare {
		l.reason, style.Source = "", "ocr_layer"
	}
	l.style = t.style(style)
	return l
}

// role is what the structure tree says about a text object.
func (t *texts) role(object uint64, tag int) string {
	if tag >= 0 {
		return t.tags[tag].Type
	}
	if t.page.Artifact(object) {
		return layout.RoleArtifact
	}
	return ""
}

// cell is the cell of a table that a text object stands in, as the structure tree has it.
func (t *texts) cell(tag int) *layout.Cell {
	c := t.tags[tag].Cell
	if c == nil {
		return nil
	}
	if t.cells[c] == nil {
		cell := layout.Cell(*c)
		t.cells[c] = &cell
	}
	return t.cells[c]
}

// ocrShare is how much of a page pictures must cover for invisible text to be a scanner's.
const ocrShare = 0.6

// slant is how far, in degrees, a line may lean and still be read as one along an axis: scans lie askew.
const slant = 12

// angle is the writing direction as seen, in degrees clockwise: quarter turns, unless the text clearly runs across the page.
func (t *texts) angle(m [6]float64) int {
	degrees := -math.Atan2(m[1], m[0])*180/math.Pi + float64(90*t.v.rotation)
	quarter := int(math.Round(degrees / 90))
	if math.Abs(degrees-float64(90*quarter)) > slant {
		return (int(math.Round(degrees))%360 + 360) % 360
	}
	return (quarter%4 + 4) % 4 * 90
}

func (t *texts) style(s layout.Style) int32 {
	for i := len(t.into.Styles) - 1; i >= 0 && i >= len(t.into.Styles)-64; i-- {
		if t.into.Styles[i] == s {
			return int32(i)
		}
	}
	t.into.Styles = append(t.into.Styles, s)
	return int32(len(t.into.Styles) - 1)
}

// tinySize is the size in points below which no one reads.
const tinySize = 1.0

// reason says why a reader does not see a text object, or "".
func (t *texts) reason(c *pdfium.Char, text pdfium.Text, size float64) string {
	switch {
	case text.Mode == 3 || text.Mode == 7:
		return "render_mode_3"
	case size > 0 && size < tinySize:
		return "tiny"
	case text.Fill.A == 0 && text.Mode != 1:
		return "same_colour_as_background"
	case text.Mode == 0 && luma(text.Fill) > 0.98 && t.g.background(t.v.rect(c.Loose)) > 0.97:
		return "same_colour_as_background"
	}
	return ""
}

// maxShown bounds how often a page is drawn to see whether something shows.
const maxShown = 60

// unseen draws the page with and without a text object that stands in a layer, or under something drawn later.
func (t *texts) unseen(c *pdfium.Char) string {
	box := t.v.rect(c.Loose)
	name, layer := t.page.Layer(c.Object)
	if layer {
		if off, known := t.layers[name]; known && name != "" {
			return reasonIf(off, "layer_off")
		}
	} else if len(t.g.covers) == 0 || !t.g.mayBeCovered(c.Object, box) {
		return ""
	}
	if t.shown++; t.shown > maxShown || t.outside(box) {
		return ""
	}
	unit := t.v.unit
	hidden := !t.page.Shows(c.Object, box.X0/unit, box.Y0/unit, (box.X1-box.X0)/unit, (box.Y1-box.Y0)/unit)
	if !layer {
		return reasonIf(hidden, "covered")
	}
	if name != "" {
		t.layers[name] = hidden
	}
	return reasonIf(hidden, "layer_off")
}

func reasonIf(yes bool, reason string) string {
	if yes {
		return reason
	}
	return ""
}

// report puts hidden text and unreliable text on record.
func (t *texts) report() {
	place := doc.Place{Page: t.into.Number}
	for _, reason := range []string{"render_mode_3", "same_colour_as_background", "tiny", "outside_page", "layer_off", "covered"} {
		if b := t.hidden[reason]; b != nil && strings.TrimSpace(b.String()) != "" {
			t.out.Hidden = append(t.out.Hidden, doc.Hidden{Reason: reason, Blocks: []doc.Block{doc.P(strings.TrimSpace(b.String()), place)}})
			t.out.Warn("hidden_text", "Text that a reader of the page does not see was kept apart.", place)
		}
	}
	if t.order.visual > 0 {
		t.out.Warn("visual_order", "Right-to-left text was stored in visual order and was put into logical order.", place)
	}
	if t.garbage > 0 && t.garbage*20 > t.total {
		t.out.Warn("unmapped_glyphs", "Characters have no Unicode mapping; the text of the page is not reliable and may need OCR.", place)
	}
}

func luma(c pdfium.Color) float64 {
	return (0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)) / 255
}

func round(x float64, parts float64) float64 { return math.Round(x*parts) / parts }
