package rtf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// flow turns paragraphs into blocks: headings, lists, code, quotes, figures with their captions, tables of contents.
type flow struct {
	blocks  []doc.Block
	lists   []*openList
	last    doc.Kind   // what goes on with the next paragraph of its kind: code, a quote
	caption *doc.Block // waits for its table
}

// add puts a block that is no list item at the end.
func (f *flow) add(b doc.Block) {
	f.closeLists(0)
	f.last = ""
	if caption := f.caption; caption != nil {
		f.caption = nil
		if b.Kind == doc.Table && len(b.Caption) == 0 {
			b.Caption, b.Anchor = caption.Inlines, caption.Anchor
		} else {
			f.blocks = append(f.blocks, *caption)
		}
	}
	f.blocks = append(f.blocks, b)
}

func (f *flow) finish() []doc.Block {
	f.closeLists(0)
	if f.caption != nil {
		f.blocks = append(f.blocks, *f.caption)
		f.caption = nil
	}
	blocks := f.blocks
	f.blocks = nil
	return blocks
}

var headingName = lazyregexp.New(`^(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*([1-9])$`)

// paragraph adds the paragraph that the story has read.
func (f *flow) paragraph(s *story, par *paragraph, inCell bool) {
	level, title := s.p.heading(par)
	if level == 0 {
		f.typedLabel(s, par)
	}
	text := doc.PlainText(s.inlines) // of code, before its blanks are gone
	face := common(s.inlines)
	inlines := trim(s.inlines)
	b := doc.Block{Kind: doc.Paragraph, Inlines: inlines}
	if face.Has(doc.Monospace) && len(inlines) > 0 && inlines[0].Kind == doc.Text { // it may be code
		inlines[0].Text = text[:len(text)-len(strings.TrimLeft(text, " \t"))] + inlines[0].Text
	}
	if len(inlines) > 0 && len(s.anchors) > 0 {
		b.Anchor = s.anchors[0]
		s.p.alias(s.anchors)
		s.anchors = nil
	}
	heading := level > 0 && !inCell
	switch {
	case !heading && !f.isItem(s, par) && s.p.styled(par, isCode):
		f.addCode(b, text)
	case len(inlines) == 0:
		f.empty(par, inCell)
	case heading:
		b.Inlines = trim(b.Inlines)
		f.heading(s, b, level, title)
	case f.isItem(s, par):
		f.item(s, par, b)
	case s.p.styled(par, isTOC) && !inCell:
		f.addTo(doc.TOC, b)
	case f.figures(b, inCell):
	case s.p.styled(par, isCaption) && !inCell:
		f.addCaption(b)
	case f.isContinuation(s, par):
		f.continueItem(par, b)
	case s.p.styled(par, isQuote):
		f.addTo(doc.Quote, b)
	default:
		f.add(b)
	}
	for _, beside := range s.beside {
		f.add(beside)
	}
}

// empty takes in a paragraph without text: a line may be drawn in its place.
func (f *flow) empty(par *paragraph, inCell bool) {
	if par.ruled && !inCell {
		f.add(doc.Block{Kind: doc.Rule})
	}
	if f.last == doc.Quote {
		f.last = ""
	}
}

// addTo adds a paragraph to the block of that kind that is being read, or starts one.
func (f *flow) addTo(kind doc.Kind, b doc.Block) {
	if last := len(f.blocks) - 1; f.last == kind && last >= 0 {
		f.blocks[last].Children = append(f.blocks[last].Children, b)
		return
	}
	f.add(doc.Block{Kind: kind, Children: []doc.Block{b}})
	f.last = kind
}

// addCaption gives a caption to the picture or table before it, or keeps it for the table that may follow.
func (f *flow) addCaption(b doc.Block) {
	if last := len(f.blocks) - 1; last >= 0 && len(f.lists) == 0 && f.caption == nil {
		before := &f.blocks[last]
		if (before.Kind == doc.Figure || before.Kind == doc.Table) && len(before.Caption) == 0 {
			before.Caption = b.Inlines
			if before.Anchor == "" {
				before.Anchor = b.Anchor
			}
			return
		}
	}
	f.closeLists(0)
	if f.caption != nil {
		f.blocks = append(f.blocks, *f.caption)
	}
	f.caption = &b
}

// heading is a paragraph's level as a heading, or 0, and whether it is the title.
func (p *parser) heading(par *paragraph) (level int, title bool) {
	if par.outline >= 0 && par.outline < 9 {
		return par.outline + 1, false
	}
	p.styled(par, func(def *styleDef) bool {
		switch match := headingName.FindStringSubmatch(def.name); {
		case match != nil:
			level = int(match[1][0] - '0')
		case def.name == "title":
			level, title = 1, true
		case def.outline >= 0 && def.outline < 9:
			level = def.outline + 1
		}
		return level > 0
	})
	return level, title
}

func (f *flow) heading(s *story, b doc.Block, level int, title bool) {
	b.Kind, b.Level = doc.Heading, level
	if title {
		b.Role = roleTitle
		s.p.titles++
	}
	if s.label != nil {
		b.Number = strings.TrimSpace(s.label.text)
	}
	looks := doc.Strong | common(b.Inlines)&(doc.Emphasis|doc.Underline|doc.Monospace)
	for i := range b.Inlines {
		b.Inlines[i].Marks &^= looks
		if b.Inlines[i].Kind == doc.Break {
			b.Inlines[i] = doc.T(" ")
		}
	}
	f.add(b)
}

// roleTitle marks the block of the style Title until the end.
const roleTitle = "title"

// common are the marks that all of a text has.
func common(inlines []doc.Inline) doc.Marks {
	marks := ^doc.Marks(0)
	for _, in := range inlines {
		if in.Kind == doc.Text && strings.TrimSpace(in.Text) != "" {
			marks &= in.Marks
		}
	}
	return marks
}

var codeNames = map[string]bool{"html preformatted": true, "preformatted text": true, "source code": true, "code": true, "plain text code": true, "macro text": true}

func isCode(def *styleDef) bool { return codeNames[def.name] }

func isQuote(def *styleDef) bool {
	switch def.name {
	case "quote", "intense quote", "block text", "block quote", "quotations", "quotation":
		return true
	}
	return false
}

func isCaption(def *styleDef) bool {
	switch def.name {
	case "caption", "table caption", "image caption", "figure caption":
		return true
	}
	return false
}

var contentsName = lazyregexp.New(`^(?:toc|contents) [1-9]0?$`)

func isTOC(def *styleDef) bool { return contentsName.MatchString(def.name) }

// addCode adds a line of code; an empty one only goes on.
func (f *flow) addCode(b doc.Block, text string) {
	text = strings.TrimRight(text, " \t\n")
	if last := len(f.blocks) - 1; f.last == doc.Code && last >= 0 {
		f.blocks[last].Text += "\n" + text
		return
	}
	if text == "" {
		return
	}
	f.add(doc.Block{Kind: doc.Code, Text: text, Anchor: b.Anchor})
	f.last = doc.Code
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
	p.doc.Blocks = p.typewriter(p.doc.Blocks)
	title, first := false, true
	doc.Walk(p.doc.Blocks, func(b *doc.Block) bool {
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
	p.anchor()
}
