package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// look is what the elements around a text say about it.
type look struct {
	marks doc.Marks
	link  string
	pre   bool // white space counts
}

// flow collects blocks, and the inlines of the paragraph that is being read.
type flow struct {
	b       *builder
	blocks  []doc.Block
	line    []doc.Inline
	first   int // source lines of the paragraph
	last    int
	wrapped bool // the last list was there for the sake of its indent, and may go on
	word    wordList
	anchors []string // names of the next block
}

// node adds a node and what is below it.
func (f *flow) node(n *html.Node, l look) {
	if f.b.stopped() {
		return
	}
	switch n.Type {
	case html.TextNode:
		f.text(n.Data, l)
	case html.ElementNode:
		f.element(n, l)
	case html.DocumentNode:
		f.children(n, l)
	}
}

func (f *flow) children(n *html.Node, l look) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.node(c, l)
	}
}

// dropped elements have nothing to read.
var dropped = set("script style template head title meta link base noframes param source track col colgroup datalist map area " +
	"frameset frame applet canvas annotation annotation-xml")

func (f *flow) element(n *html.Node, l look) {
	if note, ok := f.b.noteNodes[n]; ok { // often hidden, to be shown at its mark
		f.flush()
		f.readNote(n, note)
		return
	}
	if reason := f.b.hiddenReason(n); reason != "" {
		f.b.hide(n, reason)
		return
	}
	if len(n.Attr) > 0 {
		f.anchors = append(f.anchors, f.b.anchorsOf(n)...)
		if hasType(n, "pagebreak", "doc-pagebreak") { // the number of a printed page
			return
		}
	}
	if handle, ok := f.b.blocks[n.Data]; ok {
		handle(f, n, l)
		return
	}
	if handle, ok := f.b.inlines[n.Data]; ok {
		handle(f, n, l)
		return
	}
	switch {
	case n.Data == "epub:switch":
		f.choose(n, l)
	case localName(n) == "math": // under a prefix
		f.math(n, l)
	case n.Data == "script" && strings.HasPrefix(attr(n, "type"), "math/tex"):
		f.texScript(n)
	case dropped[n.Data]:
		f.b.leftOut(n)
	default:
		if mark := inlineMarks[n.Data]; mark != doc.Strong || !hasNormalWeight(n) {
			l.marks |= mark
		}
		l.marks |= f.b.classMarks(n)
		f.children(n, l)
	}
}

// known are the namespaces for which an e-book's epub:case may ask.
var known = set("http://www.w3.org/1998/Math/MathML http://www.w3.org/1999/xhtml http://www.w3.org/2000/svg")

// choose reads the first case of an epub:switch that can be read, or the default (EPUB Content Documents 3.0.1, 2.4.2): never both.
func (f *flow) choose(n *html.Node, l look) {
	for _, c := range elements(n) {
		if c.Data == "epub:default" || c.Data == "epub:case" && known[attr(c, "required-namespace")] {
			f.children(c, l)
			return
		}
	}
}

// leftOut reports what is active in an element that is not read: itself, or what the head of a page has.
func (b *builder) leftOut(n *html.Node) {
	switch n.Data {
	case "script", "applet":
		b.active()
	case "head":
		for d := range n.Descendants() {
			if isElement(d, "script", "applet") {
				b.active()
			}
		}
	}
}

// active says once for each that a script was left out.
func (b *builder) active() {
	if b.quiet == 0 {
		b.d.Warn("active_content", "A script was left out.")
	}
}

// text adds text. Its white space is folded when the paragraph ends.
func (f *flow) text(s string, l look) {
	if s == "" {
		return
	}
	if line := f.b.lines.at(s); line > 0 {
		if f.first == 0 {
			f.first = line
		}
		f.last = line
	}
	if l.pre {
		f.preText(s, l)
		return
	}
	f.add(doc.Inline{Kind: doc.Text, Text: s, Marks: l.marks, Link: l.link})
}

// preText keeps line ends as breaks.
func (f *flow) preText(s string, l look) {
	for i, part := range strings.Split(s, "\n") {
		if i > 0 {
			f.add(doc.Inline{Kind: doc.Break})
		}
		if part != "" {
			f.add(doc.Inline{Kind: doc.Text, Text: strings.TrimRight(part, "\r"), Marks: l.marks, Link: l.link})
		}
	}
}

// add appends an inline, joined with the one before where they look the same.
func (f *flow) add(in doc.Inline) {
	if n := len(f.line); n > 0 && in.Kind == doc.Text {
		last := &f.line[n-1]
		if last.Kind == doc.Text && last.Marks == in.Marks && last.Link == in.Link {
			last.Text += in.Text
			return
		}
	}
	f.line = append(f.line, in)
}

// flush ends the paragraph that is being read.
func (f *flow) flush() {
	if inlines := tidy(f.line); len(inlines) > 0 {
		f.emit(doc.Block{Kind: doc.Paragraph, Inlines: inlines})
	}
	f.line, f.first, f.last = f.line[:0:0], 0, 0
}

// emit adds a block with the place and the anchor that were collected for it.
func (f *flow) emit(b doc.Block) {
	if f.first > 0 && len(b.Places) == 0 {
		b.Places = []doc.Place{{Line: f.first, EndLine: f.last}}
	}
	f.name(&b)
	f.blocks = append(f.blocks, b)
}

// within reads the children of n into blocks of their own.
func (f *flow) within(n *html.Node, l look) []doc.Block {
	inner := flow{b: f.b}
	inner.children(n, l)
	inner.flush()
	f.take(&inner)
	return inner.blocks
}

// inlinesOf reads the children of n as one line of inlines; blocks inside are joined by spaces or, with breaks, by line breaks.
func (f *flow) inlinesOf(n *html.Node, l look) []doc.Inline {
	inner := flow{b: f.b}
	inner.children(n, l)
	inner.flush()
	f.take(&inner)
	if inner.first > 0 && f.first == 0 {
		f.first, f.last = inner.first, inner.last
	}
	var out []doc.Inline
	doc.Walk(inner.blocks, func(b *doc.Block) bool {
		if b.Anchor != "" {
			f.anchors = append(f.anchors, b.Anchor)
		}
		line := b.Inlines
		if b.Kind == doc.Code || b.Kind == doc.Formula {
			line = []doc.Inline{{Kind: doc.Math, Text: b.Text}}
			if b.Kind == doc.Code {
				line = []doc.Inline{{Kind: doc.Text, Text: b.Text, Marks: doc.Monospace}}
			}
		}
		if len(out) > 0 && len(line) > 0 {
			out = append(out, doc.T(" "))
		}
		if f.first == 0 && len(b.Places) > 0 {
			f.first, f.last = b.Places[0].Line, b.Places[0].EndLine
		}
		out = append(out, line...)
		if b.Image != "" {
			out = append(out, doc.Inline{Kind: doc.Picture, Image: b.Image})
		}
		return true
	})
	return tidy(out)
}
