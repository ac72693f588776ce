package layout

import "decant/handler/internal/doc"

// Builder gathers pages and makes a document of them.
type Builder struct {
	blocks []block
	joined int
}

// NewBuilder makes an empty Builder.
func NewBuilder() *Builder { return &Builder{} }

// Add reads a page. The page may be reused afterwards; only words are kept.
func (b *Builder) Add(p *Page) {
	var glyphs []int
	for i := range p.Glyphs {
		if p.Styles[p.Glyphs[i].Style].Angle == 0 {
			glyphs = append(glyphs, i)
		}
	}
	for _, region := range order(segmentsOf(p, glyphs)) {
		b.blocks = append(b.blocks, paragraphs(p.Number, joinRows(region))...)
	}
}

// Result is what Finish makes of all pages.
type Result struct {
	Blocks      []doc.Block
	Furniture   []doc.Block
	Notes       []doc.Note
	Hyphens     int  // words joined at line ends
	Headings    bool // headings were recognized by their looks
	TableGuess  []doc.Place
	OrderUnsure []int // pages
}

// Finish makes the document. The Builder is used up.
func (b *Builder) Finish() Result {
	var r Result
	for _, bl := range b.blocks {
		f := &flow{}
		for _, l := range bl.lines {
			f.add(bl.page, l)
		}
		r.Hyphens += f.joined
		r.Blocks = append(r.Blocks, doc.Block{Kind: doc.Paragraph, Inlines: f.inlines, Places: f.places})
	}
	return r
}
