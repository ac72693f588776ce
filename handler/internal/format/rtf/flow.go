package rtf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// flow turns paragraphs into blocks: headings, lists, code, figures.
type flow struct {
	blocks []doc.Block
	lists  []*openList
	code   bool
}

// add puts a block that is no list item at the end.
func (f *flow) add(b doc.Block) {
	f.closeLists(0)
	f.code = false
	f.blocks = append(f.blocks, b)
}

func (f *flow) finish() []doc.Block {
	f.closeLists(0)
	blocks := f.blocks
	f.blocks = nil
	return blocks
}

var headingName = lazyregexp.New(`^(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*([1-9])$`)

// paragraph adds the paragraph that the story has read.
func (f *flow) paragraph(s *story, par *paragraph, inCell bool) {
	inlines := trim(s.inlines)
	b := doc.Block{Kind: doc.Paragraph, Inlines: inlines}
	if len(inlines) > 0 && len(s.anchors) > 0 {
		b.Anchor = s.anchors[0]
		s.anchors = nil
	}
	level, title := s.p.heading(par)
	switch {
	case len(inlines) == 0:
	case level > 0 && !inCell:
		f.heading(s, b, level, title)
	case f.isItem(s, par):
		f.item(s, par, b)
	case f.isCode(s.p, par):
		f.addCode(b)
	case f.figures(b, inCell):
	case f.isContinuation(s, par):
		f.continueItem(b)
	default:
		f.add(b)
	}
	for _, beside := range s.beside {
		f.add(beside)
	}
}

// heading is a paragraph's level as a heading, or 0, and whether it is the title.
func (p *parser) heading(par *paragraph) (level int, title bool) {
	if par.outline >= 0 && par.outline < 9 {
		return par.outline + 1, false
	}
	number := par.style
	for range 20 { // styles based on styles
		def := p.styles[number]
		if def == nil {
			break
		}
		if match := headingName.FindStringSubmatch(def.name); match != nil {
			return int(match[1][0] - '0'), false
		}
		if def.name == "title" {
			return 1, true
		}
		if def.outline >= 0 && def.outline < 9 {
			return def.outline + 1, false
		}
		if def.base == number || def.base == 0 || def.base == 222 { // 222: based on no style
			break
		}
		number = def.base
	}
	return 0, false
}

func (f *flow) heading(s *story, b doc.Block, level int, title bool) {
	b.Kind, b.Level = doc.Heading, level
	if title {
		b.Role = roleTitle
		s.p.titles++
	}
	if s.label != nil {
		b.Number = strings.TrimSpace(*s.label)
	}
	for i := range b.Inlines {
		b.Inlines[i].Marks &^= doc.Strong
		if b.Inlines[i].Kind == doc.Break {
			b.Inlines[i] = doc.T(" ")
		}
	}
	f.add(b)
}

// roleTitle marks the block of the style Title until the end.
const roleTitle = "title"

func (f *flow) isCode(p *parser, par *paragraph) bool {
	def := p.styles[par.style]
	if def == nil {
		return false
	}
	switch def.name {
	case "html preformatted", "preformatted text", "source code", "code", "plain text code", "macro text":
		return true
	}
	return false
}

func (f *flow) addCode(b doc.Block) {
	text := doc.PlainText(b.Inlines)
	if last := len(f.blocks) - 1; f.code && last >= 0 {
		f.blocks[last].Text += "\n" + text
		return
	}
	f.add(doc.Block{Kind: doc.Code, Text: text})
	f.code = true
}

// figures turns a paragraph of pictures and nothing else into figures.
func (f *flow) figures(b doc.Block, inCell bool) bool {
	if inCell {
		return false
	}
	for _, in := range b.Inlines {
		if in.Kind != doc.Picture && !(in.Kind == doc.Text && strings.TrimSpace(in.Text) == "") || in.Link != "" {
			return false
		}
	}
	for _, in := range b.Inlines {
		if in.Kind == doc.Picture {
			f.add(doc.Block{Kind: doc.Figure, Image: in.Image})
		}
	}
	return true
}

// finish puts together what was collected on the way.
func (p *parser) finish() {
	p.reportChanges()
	if len(p.doc.Furniture) > 0 && p.in.Options.Furniture != "keep" {
		p.doc.Warn("furniture_dropped", "Headers and footers are in document.json only.")
	}
	title, first := false, true
	doc.Walk(p.doc.Blocks, func(b *doc.Block) bool {
		if b.Anchor != "" && !p.anchors[b.Anchor] {
			b.Anchor = ""
		}
		if b.Kind == doc.Heading {
			if first {
				title = b.Role == roleTitle && p.titles == 1
			} else if title {
				b.Level++
			}
			first = false
			b.Role = ""
		}
		return true
	})
}
