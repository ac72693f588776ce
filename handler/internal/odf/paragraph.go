package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// paragraph takes in a text:p or text:h.
func (f *Flow) paragraph(n *xmltree.Node) {
	r := f.r
	style := r.styles.get("paragraph", n.Attr("text:style-name"))
	if style == nil {
		style = r.styles.get("paragraph", "Standard")
		if name := n.Attr("text:style-name"); name != "" { // named, but not described
			style = named(name)
		}
	}
	places := f.places()
	l := f.newLine()
	k := look{style: style}
	if style != nil {
		k.marks = style.own
	}
	l.children(n, k)
	b := doc.Block{Kind: doc.Paragraph, Places: places}
	if level := f.headingLevel(n, style); level > 0 && !f.inCell && !f.toc {
		b.Kind, b.Level = doc.Heading, level
		b.Number = f.headingNumber(n, level, style)
		if style.role() == stylename.Title {
			b.Role = roleTitle
			r.titles++
		}
	}
	if style != nil && style.hidden && r.in.Options.Hidden != "include" {
		r.hide(doc.PlainText(trim(l.inlines)))
		return
	}
	l.rule = l.rule || style.isRuled() && !f.inCell
	if b.Kind == doc.Heading || !f.byRole(style.role(), &b, l) {
		f.place(&b, l)
	}
}

// headingLevel is the outline level of a paragraph, or 0.
func (f *Flow) headingLevel(n *xmltree.Node, style *Style) int {
	if style.role() == stylename.Title {
		return 1
	}
	if n.Name == "text:h" {
		return max(1, number(first(n.Attr("text:outline-level"), n.Attr("text:level")), 1))
	}
	if style != nil && style.Outline > 0 {
		return style.Outline
	}
	return 0
}

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

// headingNumber is a heading's number: as stored (text:number), else counted by the outline style.
func (f *Flow) headingNumber(n *xmltree.Node, level int, style *Style) string {
	if n.Name != "text:h" || style.role() == stylename.Title {
		return ""
	}
	counted := ""
	if outline := f.r.styles.outline; outline != nil && n.Attr("text:is-list-header") != "true" && level <= maxLevels {
		counted = f.r.lists.heading(outline, level-1, n)
	}
	if stored := n.Child("text:number"); stored != nil {
		return strings.TrimSpace(stored.AllText())
	}
	return strings.TrimSpace(counted)
}

// place adds a paragraph and what is anchored in it.
func (f *Flow) place(b *doc.Block, l *line) {
	if b.Inlines = l.inlines; !f.r.PlainItems || !drawnCode(l.inlines) {
		b.Inlines = trim(l.inlines)
	}
	if len(l.anchors) > 0 {
		b.Anchor = l.anchors[0]
	}
	if b.Kind == doc.Heading {
		for i := range b.Inlines {
			b.Inlines[i].Marks &^= doc.Strong
		}
	}
	f.addAll(l.before)
	switch {
	case len(b.Inlines) == 0:
		if l.rule {
			f.add(doc.Block{Kind: doc.Rule})
		}
		if len(l.before)+len(l.after) == 0 {
			f.quote = false
		}
	case b.Kind == doc.Paragraph && (f.figures(b) || f.formulas(b)):
	default:
		f.add(*b)
	}
	f.addAll(l.after)
}

// drawnCode tells whether a text on a slide is in a typeface for code: then its indent says something.
func drawnCode(inlines []doc.Inline) bool {
	text := false
	for _, in := range inlines {
		if in.Kind != doc.Text || !in.Marks.Has(doc.Monospace) {
			return false
		}
		text = text || strings.TrimSpace(in.Text) != ""
	}
	return text
}

// figures turns a paragraph of pictures and nothing else into figures.
func (f *Flow) figures(b *doc.Block) bool {
	if f.inCell {
		return false
	}
	for _, in := range b.Inlines {
		if in.Kind != doc.Picture && !(in.Kind == doc.Text && strings.TrimSpace(in.Text) == "") || in.Link != "" {
			return false
		}
	}
	for _, in := range b.Inlines {
		if in.Kind == doc.Picture {
			f.add(doc.Block{Kind: doc.Figure, Image: in.Image, Places: b.Places})
		}
	}
	return true
}

// formulas turns a paragraph of one formula and nothing else into a formula block.
func (f *Flow) formulas(b *doc.Block) bool {
	if len(b.Inlines) != 1 || b.Inlines[0].Kind != doc.Math {
		return false
	}
	f.add(doc.Block{Kind: doc.Formula, Text: b.Inlines[0].Text, Places: b.Places})
	return true
}

// hide keeps hidden text apart.
func (r *Reader) hide(text string) {
	if text = strings.TrimSpace(text); text != "" {
		r.doc.Hidden = append(r.doc.Hidden, doc.Hidden{Reason: "hidden_text", Blocks: []doc.Block{doc.P(text)}})
		r.doc.Warn("hidden_text", "Text that is formatted as hidden was kept apart.")
	}
}
