package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// inlineMarks says which looks an element gives its text. Elements that are not here give none.
var inlineMarks = map[string]doc.Marks{
	"b": doc.Strong, "strong": doc.Strong,
	"i": doc.Emphasis, "em": doc.Emphasis, "cite": doc.Emphasis, "dfn": doc.Emphasis, "var": doc.Emphasis,
	"u":   doc.Underline,
	"ins": doc.Underline,
	"s":   doc.Strike, "strike": doc.Strike, "del": doc.Strike,
	"sup": doc.Superscript, "sub": doc.Subscript,
	"code": doc.Monospace, "kbd": doc.Monospace, "samp": doc.Monospace, "tt": doc.Monospace,
	"mark": doc.Highlight,
}

// handler reads one kind of element.
type handler func(*flow, *html.Node, look)

// inlineTable lists the inline elements that do more than change looks.
func inlineTable() map[string]handler {
	return map[string]handler{
		"a":        (*flow).link,
		"br":       func(f *flow, _ *html.Node, _ look) { f.add(doc.Inline{Kind: doc.Break}) },
		"wbr":      func(*flow, *html.Node, look) {},
		"img":      (*flow).picture,
		"q":        func(f *flow, n *html.Node, l look) { f.text("“", l); f.children(n, l); f.text("”", l) },
		"math":     (*flow).math,
		"svg":      (*flow).drawing,
		"input":    (*flow).input,
		"select":   (*flow).choice,
		"textarea": func(f *flow, n *html.Node, _ look) { f.field(n, strings.TrimSpace(rawTextOf(n))) },
		"iframe":   (*flow).frame,
		"noscript": (*flow).noscript,
		"span":     (*flow).span,
		"font":     (*flow).span,
		"object":   (*flow).embedded,
		"video":    (*flow).embedded,
		"audio":    (*flow).embedded,
		"embed":    (*flow).embedded,
	}
}

// takeBrackets takes the brackets around a note's mark away, where they stand outside of the link: [<a>1</a>].
func (f *flow) takeBrackets(n *html.Node) {
	before, after := n.PrevSibling, n.NextSibling
	if before == nil || after == nil || before.Type != html.TextNode || after.Type != html.TextNode || len(f.line) == 0 {
		return
	}
	last := &f.line[len(f.line)-1]
	for _, pair := range []string{"[]", "()"} {
		text := strings.TrimRight(last.Text, " \n")
		if last.Kind == doc.Text && strings.HasSuffix(text, pair[:1]) && strings.HasPrefix(strings.TrimLeft(after.Data, " \n"), pair[1:]) {
			last.Text = text[:len(text)-1]
			after.Data = strings.TrimLeft(after.Data, " \n")[1:]
			return
		}
	}
}

// maxMark is how many characters a note's mark may have.
const maxMark = 8

func (f *flow) link(n *html.Node, l look) {
	if hasClass(n, "headerlink", "anchor-link", "anchorjs-link", "heading-link", "mw-editsection") && len([]rune(textOf(n))) <= 1 {
		return // the pilcrow beside a heading
	}
	if id, ok := f.b.noteReference(n); ok {
		if text := textOf(n); len([]rune(text)) > maxMark && !hasType(n, "noteref", "doc-noteref") { // words that lead to a note
			f.children(n, l)
		}
		f.takeBrackets(n)
		f.add(doc.Inline{Kind: doc.NoteReference, Note: id})
		return
	}
	if target := f.b.target(n); target != "" {
		l.link = target
	}
	f.children(n, l)
}

// span reads the looks that style sheets give inline: what people's editors and mailers write instead of <b> and <i>.
func (f *flow) span(n *html.Node, l look) {
	if hasClass(n, "lineno", "linenos", "line-number", "mw-editsection") {
		return
	}
	if hasClass(n, "math") && hasClass(n, "inline", "display") {
		f.texSpan(n)
		return
	}
	l.marks |= styleMarks(attr(n, "style")) | f.b.classMarks(n)
	f.children(n, l)
}

func styleMarks(style string) doc.Marks {
	if style == "" {
		return 0
	}
	style = spaces.Replace(strings.ToLower(style))
	var marks doc.Marks
	for _, s := range []struct {
		text string
		mark doc.Marks
	}{
		{"font-weight:bold", doc.Strong}, {"font-weight:700", doc.Strong}, {"font-weight:600", doc.Strong}, {"font-weight:800", doc.Strong},
		{"font-style:italic", doc.Emphasis}, {"font-style:oblique", doc.Emphasis},
		{"line-through", doc.Strike}, {"vertical-align:super", doc.Superscript}, {"vertical-align:sub", doc.Subscript},
		{"text-decoration:underline", doc.Underline},
	} {
		if strings.Contains(style, s.text) && !marks.Has(doc.Superscript) {
			marks |= s.mark
		}
	}
	return marks
}

// drawing keeps the text of an <svg>: its title, description and labels.
func (f *flow) drawing(n *html.Node, l look) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "image" { // a page of a book that is one picture
			f.svgImage(d, l)
		}
		if isElement(d, "title", "desc", "text") {
			if text := contentOf(d); text != "" {
				f.text(text+" ", l)
			}
		}
	}
}

// svgImage is a picture in a drawing.
func (f *flow) svgImage(n *html.Node, l look) {
	source := attr(n, "href")
	for _, a := range n.Attr {
		if a.Key == "href" && a.Namespace == "xlink" || a.Key == "xlink:href" {
			source = a.Val
		}
	}
	if source == "" {
		return
	}
	if id := f.b.image(source, ""); id != "" {
		f.add(doc.Inline{Kind: doc.Picture, Image: id, Link: l.link})
	}
}

// contentOf is textOf for an element whose own name is on the list of dropped ones.
func contentOf(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		parts = append(parts, textOf(c))
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

func (f *flow) input(n *html.Node, _ look) {
	switch strings.ToLower(attr(n, "type")) {
	case "hidden", "submit", "button", "reset", "image", "file", "password":
	case "checkbox", "radio":
		value := "☐"
		if hasAttr(n, "checked") {
			value = "☑"
		}
		f.field(n, value)
		f.add(doc.T(" "))
	default:
		f.field(n, attr(n, "value"))
	}
}

func (f *flow) field(n *html.Node, value string) {
	if value == "" {
		return
	}
	f.add(doc.Inline{Kind: doc.Input, Text: value, Name: attr(n, "name")})
}

// choice gives what is chosen in a <select>: the marked options, or the first.
func (f *flow) choice(n *html.Node, _ look) {
	var chosen []string
	first := ""
	for d := range n.Descendants() {
		if isElement(d, "option") {
			text := textOf(d)
			if first == "" {
				first = text
			}
			if hasAttr(d, "selected") {
				chosen = append(chosen, text)
			}
		}
	}
	if len(chosen) == 0 && first != "" && !hasAttr(n, "multiple") {
		chosen = []string{first}
	}
	f.field(n, strings.Join(chosen, ", "))
}

// frame reads a page that is written inside the page, or that came with it; a page elsewhere stays a reference.
func (f *flow) frame(n *html.Node, _ look) {
	inner, ok := attr(n, "srcdoc"), hasAttr(n, "srcdoc")
	source := attr(n, "src")
	if !ok && f.b.o.Frame != nil && source != "" {
		inner, ok = f.b.o.Frame(source)
	}
	switch {
	case ok && f.b.quiet < maxFrames:
		f.flush()
		f.b.quiet++ // its lines and warnings are not the page's
		root, _ := Tree(inner)
		f.node(root, look{})
		f.b.quiet--
		f.flush()
	case source != "":
		f.b.elsewhere()
	}
}

// maxFrames bounds pages inside pages inside pages.
const maxFrames = 3

func (b *builder) elsewhere() {
	if b.quiet == 0 {
		b.d.Warn("external_reference", "A frame, video or other object is not part of the document.")
	}
}

// embedded keeps what stands in for a video, sound or object.
func (f *flow) embedded(n *html.Node, l look) {
	f.b.elsewhere()
	f.children(n, l)
}

// noscript is read, unless it only repeats a picture that a script would load.
func (f *flow) noscript(n *html.Node, l look) {
	if textOf(n) == "" {
		return
	}
	f.children(n, l)
}
