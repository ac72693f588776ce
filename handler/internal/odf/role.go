package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
)

// byRole adds a paragraph as what its style says that it is, and tells whether the style said something.
func (f *Flow) byRole(role stylename.Role, b *doc.Block, l *line) bool {
	switch role {
	case stylename.Code:
		f.addCode(l, b.Places)
	case stylename.Quote:
		f.addQuote(l, b.Places)
	case stylename.Rule:
		f.add(doc.Block{Kind: doc.Rule})
	case stylename.Caption, stylename.TableCaption, stylename.FigureCaption:
		return f.addCaption(role, b, l)
	case stylename.Term, stylename.Details:
		return f.addTerm(role, b, l)
	default:
		return false
	}
	return true
}

func (f *Flow) addCode(l *line, places []doc.Place) {
	text := strings.TrimRight(doc.PlainText(l.inlines), " ")
	if last := len(f.blocks) - 1; f.code && last >= 0 {
		f.blocks[last].Text += "\n" + text
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	f.add(doc.Block{Kind: doc.Code, Text: text, Places: places})
	f.code = true
}

func (f *Flow) addQuote(l *line, places []doc.Place) {
	inlines := trim(l.inlines)
	if len(inlines) == 0 {
		return
	}
	b := doc.Block{Kind: doc.Paragraph, Inlines: inlines, Places: places}
	if last := len(f.blocks) - 1; f.quote && last >= 0 {
		f.blocks[last].Children = append(f.blocks[last].Children, b)
		return
	}
	f.add(doc.Block{Kind: doc.Quote, Children: []doc.Block{b}})
	f.quote = true
}

// addCaption gives a caption to the picture or table before it, or keeps it for the table that may follow.
func (f *Flow) addCaption(role stylename.Role, b *doc.Block, l *line) bool {
	inlines := trim(l.inlines)
	if f.inCell || len(inlines) == 0 || len(l.before)+len(l.after) > 0 || hasPicture(inlines) {
		return false
	}
	f.closeLists(-1)
	f.flushCaption()
	if last := len(f.blocks) - 1; last >= 0 && takesCaption(&f.blocks[last], role, doc.PlainText(inlines)) {
		f.blocks[last].Caption = inlines
		return true
	}
	b.Inlines = inlines
	if len(l.anchors) > 0 {
		b.Anchor = l.anchors[0]
	}
	f.caption = b
	return true
}

// takesCaption tells whether a caption below a block may be the block's.
func takesCaption(before *doc.Block, role stylename.Role, text string) bool {
	if len(before.Caption) > 0 {
		return false
	}
	return before.Kind == doc.Figure && stylename.BelowFigure(role, text) || before.Kind == doc.Table && stylename.BelowTable(role, text)
}

func hasPicture(inlines []doc.Inline) bool {
	for _, in := range inlines {
		if in.Kind == doc.Picture {
			return true
		}
	}
	return false
}

// flushCaption makes a paragraph of a caption that found no table.
func (f *Flow) flushCaption() {
	if b := f.caption; b != nil {
		f.caption = nil
		f.add(*b)
	}
}

// addTerm adds a paragraph of a list of definitions. Details belong to a term: without one they are ordinary text.
func (f *Flow) addTerm(role stylename.Role, b *doc.Block, l *line) bool {
	last := len(f.blocks) - 1
	goesOn := last >= 0 && len(f.open) == 0 && f.caption == nil && f.blocks[last].Kind == doc.Terms
	inlines := trim(l.inlines)
	if len(inlines) == 0 || role == stylename.Details && !goesOn || len(l.before)+len(l.after) > 0 {
		return len(inlines) == 0 && len(l.before)+len(l.after) == 0
	}
	b.Inlines = inlines
	if len(l.anchors) > 0 {
		b.Anchor = l.anchors[0]
	}
	if !goesOn {
		f.add(doc.Block{Kind: doc.Terms})
		last = len(f.blocks) - 1
	}
	terms := &f.blocks[last]
	if role == stylename.Term {
		b.Kind = doc.Term
		terms.Children = append(terms.Children, *b)
		return true
	}
	if end := len(terms.Children) - 1; terms.Children[end].Kind == doc.Details {
		terms.Children[end].Children = append(terms.Children[end].Children, *b)
		return true
	}
	terms.Children = append(terms.Children, doc.Block{Kind: doc.Details, Children: []doc.Block{*b}})
	return true
}
