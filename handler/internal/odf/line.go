package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// line collects the inlines of one paragraph.
type line struct {
	f       *Flow
	inlines []doc.Inline
	before  []doc.Block // anchored before any text
	after   []doc.Block // anchored after it
	anchors []string
	rule    bool // it holds a line that is drawn across the page
}

// look is how text looks where the walk stands.
type look struct {
	style  *Style // of the paragraph
	marks  doc.Marks
	link   string
	hidden bool
	code   bool // a style says that it is code
}

func (f *Flow) newLine() *line { return &line{f: f} }

func (l *line) children(n *xmltree.Node, k look) {
	for _, c := range n.Children {
		if c.Name == "" {
			l.text(collapse(c.Text), k)
		} else {
			l.walk(c, k)
		}
	}
}

// collapse folds white space as OpenDocument does (part 3, 6.1.2): runs become one space.
func collapse(text string) string {
	if !strings.ContainsAny(text, "\n\t\r") && !strings.Contains(text, "  ") {
		return text
	}
	var b strings.Builder
	space := false
	for _, r := range text {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

const (
	maxSpaces = 1000     // of one text:s
	maxJoined = 64 << 10 // bytes of text that pieces of the same looks are joined to: joining copies
)

// walk takes in one element inside a paragraph. Fields hold their shown value as text and are looked through.
func (l *line) walk(n *xmltree.Node, k look) {
	r := l.f.r
	switch n.Name {
	case "text:span":
		l.span(n, k)
	case "text:a", "draw:a":
		if target := r.link(n.Attr("xlink:href")); target != "" {
			k.link = target
		}
		l.children(n, k)
	case "text:s":
		l.raw(strings.Repeat(" ", min(max(1, number(first(n.Attr("text:c"), "1"), 1)), maxSpaces)), k)
	case "text:tab", "text:tab-stop":
		l.raw("\t", k)
	case "text:line-break":
		l.add(doc.Inline{Kind: doc.Break})
	case "text:soft-page-break":
		r.Page = max(r.Page, 1) + 1
	case "text:note", "text:footnote", "text:endnote":
		l.note(n)
	case "text:bookmark", "text:bookmark-start", "text:reference-mark", "text:reference-mark-start":
		if name := n.Attr("text:name"); name != "" {
			l.anchors = append(l.anchors, name)
		}
	case "text:bookmark-ref", "text:reference-ref", "text:sequence-ref":
		if name := n.Attr("text:ref-name"); name != "" && n.Name != "text:sequence-ref" {
			r.anchors[name] = true
			k.link = "#" + name
		}
		l.children(n, k)
	case "office:annotation":
		r.comment(n)
	case "office:annotation-end":
		r.endComment(n.Attr("office:name"))
	case "text:change", "text:change-start", "text:change-end":
		r.changes.mark(n)
		l.deleted(n, k)
	case "text:ruby":
		l.ruby(n, k)
	case "text:number", "text:toc-mark", "text:toc-mark-start", "text:alphabetical-index-mark", "text:user-index-mark", "svg:title", "svg:desc":
	case "text:hidden-paragraph", "text:hidden-text":
		r.hide(first(n.AllText(), n.Attr("text:string-value")))
	case "text:list", "table:table", "text:p", "text:h":
		l.anchored(r.story(&xmltree.Node{Name: "office:text", Children: []*xmltree.Node{n}}, l.f.inCell))
	case "math:math":
		l.add(doc.Inline{Kind: doc.Math, Text: strings.TrimSpace(n.AllText())})
	default:
		if strings.HasPrefix(n.Name, "draw:") {
			l.frame(n, k)
			return
		}
		l.children(n, k)
	}
}

func (l *line) span(n *xmltree.Node, k look) {
	r := l.f.r
	name := n.Attr("text:style-name")
	style := r.styles.get("text", name)
	if style == nil && name != "" {
		style = named(name)
	}
	if style != nil {
		if k.hidden = k.hidden || style.hidden; k.hidden && r.in.Options.Hidden != "include" {
			r.hide(n.AllText())
			return
		}
		k.marks = k.marks&^style.said | style.marks
		if k.code = k.code || stylename.OfText(style.names...) == stylename.CodeText; k.code { // whatever typeface a span in it asks for
			k.marks |= doc.Monospace
		}
		if style.Is("internet link", "visited internet link") {
			k.marks &^= doc.Underline
		}
	}
	l.children(n, k)
}

// text adds text in which white space was collapsed: at the start of a line and after white space there is no more of it.
func (l *line) text(text string, k look) {
	if strings.HasPrefix(text, " ") && l.endsInSpace() {
		text = text[1:]
	}
	l.raw(text, k)
}

func (l *line) endsInSpace() bool {
	last := len(l.inlines) - 1
	if last < 0 {
		return true
	}
	in := l.inlines[last]
	return in.Kind == doc.Text && (strings.HasSuffix(in.Text, " ") || strings.HasSuffix(in.Text, "\t"))
}

func (l *line) raw(text string, k look) {
	if text == "" {
		return
	}
	r := l.f.r
	if r.changes.skips() {
		return
	}
	r.collect(text)
	if k.link != "" {
		k.marks &^= doc.Underline
	}
	in := doc.Inline{Kind: doc.Text, Text: text, Marks: k.marks | r.changes.marks(), Link: k.link}
	if last := len(l.inlines) - 1; last >= 0 {
		end := &l.inlines[last]
		if end.Kind == doc.Text && len(end.Text) < maxJoined && end.Link == in.Link && end.Marks == in.Marks {
			end.Text += text
			return
		}
	}
	l.inlines = append(l.inlines, in)
}

func (l *line) add(in doc.Inline) {
	if !l.f.r.changes.skips() {
		l.inlines = append(l.inlines, in)
	}
}

// anchored keeps blocks that are anchored in the paragraph, before or after its text.
func (l *line) anchored(blocks []doc.Block) {
	if len(l.inlines) == 0 {
		l.before = append(l.before, blocks...)
		return
	}
	l.after = append(l.after, blocks...)
}

// ruby writes the base text and its reading in parentheses.
func (l *line) ruby(n *xmltree.Node, k look) {
	if base := n.Child("text:ruby-base"); base != nil {
		l.children(base, k)
	}
	if reading := strings.TrimSpace(n.Child("text:ruby-text").AllText()); reading != "" {
		l.raw("("+reading+")", k)
	}
}

// link gives a target that is safe to follow, or "". Links to places in the document lose LibreOffice's suffix ("|outline").
func (r *Reader) link(target string) string {
	target = strings.TrimSpace(target)
	scheme := strings.ToLower(strings.Map(func(c rune) rune {
		if c <= ' ' {
			return -1
		}
		return c
	}, target))
	for _, unsafe := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(scheme, unsafe) {
			r.doc.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.")
			return ""
		}
	}
	if name, internal := strings.CutPrefix(target, "#"); internal {
		name, _, _ = strings.Cut(name, "|")
		r.anchors[name] = true
		return "#" + name
	}
	return target
}

// trim takes white space and breaks off both ends.
func trim(inlines []doc.Inline) []doc.Inline {
	for len(inlines) > 0 {
		first := &inlines[0]
		if first.Kind == doc.Text {
			first.Text = strings.TrimLeft(first.Text, " \t\n")
		}
		if first.Kind != doc.Break && (first.Kind != doc.Text || first.Text != "") {
			break
		}
		inlines = inlines[1:]
	}
	for len(inlines) > 0 {
		last := &inlines[len(inlines)-1]
		if last.Kind == doc.Text {
			last.Text = strings.TrimRight(last.Text, " \t\n")
		}
		if last.Kind != doc.Break && (last.Kind != doc.Text || last.Text != "") {
			break
		}
		inlines = inlines[:len(inlines)-1]
	}
	return inlines
}
