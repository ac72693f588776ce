package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// blockTable lists the elements that end the paragraph around them.
func blockTable() map[string]handler {
	table := map[string]handler{
		"h1": (*flow).heading, "h2": (*flow).heading, "h3": (*flow).heading,
		"h4": (*flow).heading, "h5": (*flow).heading, "h6": (*flow).heading,
		"ul": (*flow).list, "ol": (*flow).list, "menu": (*flow).list, "dir": (*flow).list,
		"li":         (*flow).strayItem,
		"dl":         (*flow).terms,
		"table":      (*flow).table,
		"pre":        (*flow).preformatted,
		"listing":    (*flow).preformatted,
		"xmp":        (*flow).preformatted,
		"plaintext":  (*flow).preformatted,
		"blockquote": (*flow).quote,
		"hr":         func(f *flow, _ *html.Node, _ look) { f.flush(); f.emit(doc.Block{Kind: doc.Rule}) },
		"figure":     (*flow).figure,
		"details":    (*flow).container,
		"summary":    (*flow).summary,
		"center":     (*flow).container,
		"p":          (*flow).paragraph,
		"div":        (*flow).division,
		"aside":      (*flow).division,
		"section":    (*flow).division,
	}
	for name := range set("html body p address article header footer hgroup main nav search form fieldset legend noindex caption figcaption " +
		"dt dd thead tbody tfoot tr td th option optgroup dialog") {
		if table[name] == nil {
			table[name] = (*flow).container
		}
	}
	return table
}

// container parts its content from what stands around it.
func (f *flow) container(n *html.Node, l look) {
	f.flush()
	f.children(n, l)
	f.flush()
}

// division is a container that may be more: a heading by role, an admonition, notes, a highlighted program.
func (f *flow) division(n *html.Node, l look) {
	switch {
	case len(n.Attr) == 0:
	case attr(n, "role") == "heading":
		f.heading(n, l)
		return
	case isNotes(n):
		f.flush()
		f.readNotes(n)
		return
	case hasClass(n, "math") && hasClass(n, "display"):
		f.texSpan(n)
		return
	case hasClass(n, "admonition", "admonitionblock", "alert", "callout", "markdown-alert"):
		f.admonition(n, l)
		return
	}
	l.marks |= styleMarks(attr(n, "style")) & doc.Strong
	f.container(n, l)
}

func (f *flow) heading(n *html.Node, l look) {
	f.flush()
	level, _ := strconv.Atoi(n.Data[1:])
	if level == 0 {
		level, _ = strconv.Atoi(attr(n, "aria-level"))
	}
	inlines := f.inlinesOf(n, l)
	if len(inlines) > 0 {
		f.emit(doc.Block{Kind: doc.Heading, Level: min(max(level, 1), 6), Inlines: plainHeading(inlines)})
	}
	f.first, f.last = 0, 0
}

// plainHeading takes a bold look off a heading that is bold as a whole, and breaks.
func plainHeading(inlines []doc.Inline) []doc.Inline {
	inlines = plainLook(inlines)
	for i := range inlines {
		if inlines[i].Kind == doc.Break {
			inlines[i] = doc.T(" ")
		}
	}
	return tidy(inlines)
}

// plainLook takes a bold look off a text that is bold as a whole.
func plainLook(inlines []doc.Inline) []doc.Inline {
	for _, in := range inlines {
		if in.Kind == doc.Text && !in.Marks.Has(doc.Strong) {
			return inlines
		}
	}
	for i := range inlines {
		inlines[i].Marks &^= doc.Strong
	}
	return tidy(inlines)
}

func (f *flow) summary(n *html.Node, l look) {
	f.flush()
	l.marks |= doc.Strong
	f.children(n, l)
	f.flush()
}

func (f *flow) quote(n *html.Node, l look) {
	f.flush()
	if children := f.within(n, l); len(children) > 0 {
		f.emit(doc.Block{Kind: doc.Quote, Children: children})
	}
}

// admonition is a quote with a label: the title of the box.
func (f *flow) admonition(n *html.Node, l look) {
	f.flush()
	label := ""
	for _, c := range elements(n) {
		if hasClass(c, "admonition-title", "alert-heading", "markdown-alert-title", "callout-title", "title") {
			label = textOf(c)
			n.RemoveChild(c)
			break
		}
	}
	children := f.within(n, l)
	if label = strings.Join(strings.Fields(label), " "); label != "" && !admonitions[strings.ToLower(label)] {
		title := doc.Block{Kind: doc.Paragraph, Inlines: []doc.Inline{{Kind: doc.Text, Text: label, Marks: doc.Strong}}}
		label, children = "", append([]doc.Block{title}, children...)
	}
	if len(children) > 0 {
		f.emit(doc.Block{Kind: doc.Quote, Label: label, Children: children})
	}
}

// admonitions are the titles of boxes that say of what kind the box is; another title is a line of its text.
var admonitions = map[string]bool{
	"note": true, "tip": true, "important": true, "warning": true, "caution": true, "hint": true, "danger": true, "attention": true, "error": true, "info": true,
	"example": true, "abstract": true,
}

// preformatted is code, or text whose line ends count.
func (f *flow) preformatted(n *html.Node, _ look) {
	f.flush()
	for _, gutter := range gutters(n) {
		gutter.Parent.RemoveChild(gutter)
	}
	text := strings.Trim(rawTextOf(n), "\n\r")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if strings.TrimSpace(text) == "" {
		f.children(n, look{})
		f.flush()
		return
	}
	if line := f.b.lines.at(text); line > 0 {
		f.first, f.last = line, line+strings.Count(text, "\n")
	}
	language := codeLanguage(n)
	if language == "math" {
		f.emit(doc.Block{Kind: doc.Formula, Text: text})
	} else {
		f.emit(doc.Block{Kind: doc.Code, Text: text, Language: language})
	}
	f.first, f.last = 0, 0
}

func gutters(n *html.Node) []*html.Node {
	var list []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && hasClass(d, "lineno", "linenos", "line-number", "line-numbers", "gutter", "hljs-ln-numbers") {
			list = append(list, d)
		}
	}
	return list
}

// codeLanguage finds the language of a program where highlighters put it: on <code>, on <pre>, or on a box around.
func codeLanguage(n *html.Node) string {
	candidates := []*html.Node{find(n, "code"), n}
	for p, i := n.Parent, 0; p != nil && i < 2; p, i = p.Parent, i+1 {
		candidates = append(candidates, p)
	}
	for _, c := range candidates {
		if c == nil {
			continue
		}
		for _, name := range []string{"data-lang", "data-language", "lang"} {
			if v := attr(c, name); v != "" && (name != "lang" || c.Data == "pre" || c.Data == "code") {
				return strings.ToLower(v)
			}
		}
		if language := classLanguage(attr(c, "class")); language != "" {
			return language
		}
	}
	return ""
}

func classLanguage(class string) string {
	fields := strings.Fields(class)
	for i, field := range fields {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:"} {
			language, ok := strings.CutPrefix(field, prefix)
			if !ok {
				continue
			}
			if language == "" && prefix == "brush:" && i+1 < len(fields) {
				language = fields[i+1]
			}
			language = strings.Trim(strings.ToLower(language), ";")
			if language != "" && language != "default" && language != "none" {
				return language
			}
		}
		if field == "sourceCode" && i+1 < len(fields) {
			return strings.ToLower(fields[i+1])
		}
	}
	return ""
}

// figure is a picture, a table or a program with its caption.
func (f *flow) figure(n *html.Node, l look) {
	f.flush()
	var caption []doc.Inline
	for d := range n.Descendants() {
		if isElement(d, "figcaption") {
			caption = f.inlinesOf(d, l)
			d.Parent.RemoveChild(d)
			break
		}
	}
	blocks := f.within(n, l)
	if len(blocks) == 1 {
		b := &blocks[0]
		switch {
		case b.Kind == doc.Table && len(b.Caption) == 0:
			b.Caption = caption
			f.emit(*b)
			return
		case b.Kind == doc.Paragraph && onlyPicture(b.Inlines):
			f.emit(doc.Block{Kind: doc.Figure, Image: b.Inlines[0].Image, Caption: caption})
			return
		}
	}
	for _, b := range blocks {
		f.emit(b)
	}
	if len(caption) > 0 {
		f.emit(doc.Block{Kind: doc.Paragraph, Inlines: caption})
	}
	f.first, f.last = 0, 0
}

func onlyPicture(inlines []doc.Inline) bool {
	return len(inlines) == 1 && inlines[0].Kind == doc.Picture && inlines[0].Link == ""
}
