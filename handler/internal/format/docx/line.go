package docx

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// line collects the inlines of one paragraph.
type line struct {
	f       *flow
	inlines []doc.Inline
	before  []doc.Block // anchored before any text: text boxes, tables of charts
	after   []doc.Block // anchored after it
	anchors []string    // bookmarks
	hidden  strings.Builder
	rule    bool
	code    bool // a style says that some of it is code
}

// look is how text looks where the walk stands.
type look struct {
	base     runLook // of the paragraph's style
	marks    doc.Marks
	link     string
	revision revision
	floating bool // a drawing that text flows around
}

func (f *flow) newLine() *line { return &line{f: f} }

// walk takes in one element inside a paragraph. Wrappers that are not known are looked through: no text may be lost in them.
func (l *line) walk(n *xmltree.Node, k look) {
	switch n.Name {
	case "w:r", "m:r":
		l.run(n, k)
	case "w:hyperlink":
		l.children(n, l.linked(n, k))
	case "w:ins", "w:del", "w:moveTo", "w:moveFrom":
		k.revision = l.f.p.changes.enter(n, k.revision)
		if !k.revision.hidden {
			l.children(n, k)
		}
	case "w:fldSimple":
		l.simpleField(n, k)
	case "w:bookmarkStart":
		if name := n.Attr("w:name"); name != "" && name != "_GoBack" {
			l.anchors = append(l.anchors, name)
		}
	case "w:commentRangeStart":
		l.f.p.comments.open(n.Attr("w:id"))
	case "w:commentRangeEnd":
		l.f.p.comments.close(n.Attr("w:id"))
	case "m:oMath", "m:oMathPara":
		l.math(n, k)
	case "mc:AlternateContent":
		l.children(choose(n), k)
	case "w:p", "w:tbl":
		l.anchored(l.f.p.story(&xmltree.Node{Name: "w:body", Children: []*xmltree.Node{n}}, l.f.inCell, k.revision))
	case "w:pPr", "w:rPr", "w:sdtPr", "w:sdtEndPr", "w:smartTagPr", "w:customXmlPr", "w:proofErr", "w:bookmarkEnd", "w:sectPr":
	default:
		l.children(n, k)
	}
}

func (l *line) children(n *xmltree.Node, k look) {
	if n == nil {
		return
	}
	for _, c := range n.Children {
		if c.Name != "" {
			l.walk(c, k)
		}
	}
}

// linked is the look inside a hyperlink.
func (l *line) linked(n *xmltree.Node, k look) look {
	target := ""
	if id := n.Attr("r:id"); id != "" {
		rel, ok := l.f.p.rels[id]
		if !ok {
			l.f.p.doc.Warn("missing_part", "A link's target is missing: "+id+".", doc.Place{Part: l.f.p.part})
		}
		target = rel.Target
		if !rel.External && rel.Fragment != "" {
			target = "#" + rel.Fragment
		}
	}
	if anchor := n.Attr("w:anchor"); anchor != "" {
		target += "#" + anchor
	}
	k.link = l.f.p.safeLink(target)
	return k
}

// safeLink gives a link's target, or "" when following it could run something.
func (p *parser) safeLink(target string) string {
	target = strings.TrimSpace(target)
	scheme := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, target))
	for _, unsafe := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(scheme, unsafe) {
			p.doc.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.")
			return ""
		}
	}
	return target
}

// text adds text with its looks, joined to the text before it where they are the same.
func (l *line) text(text string, k look) {
	if text == "" {
		return
	}
	p := l.f.p
	if fd := l.f.instructing(); fd != nil {
		fd.instruct(text)
		return
	}
	p.comments.collect(text)
	link := k.link
	if fieldLink := l.f.link(); fieldLink != "" {
		link = fieldLink
	}
	in := doc.Inline{Kind: doc.Text, Text: text, Marks: k.marks | k.revision.marks, Link: link}
	l.f.hasResult()
	if last := len(l.inlines) - 1; last >= 0 {
		end := &l.inlines[last]
		if end.Kind == doc.Text && len(end.Text) < maxJoined && end.Link == in.Link && (end.Marks == in.Marks || strings.TrimSpace(text) == "" && end.Marks&^in.Marks&loud == 0 && in.Marks&^end.Marks&loud == 0) {
			end.Text += text
			return
		}
	}
	l.inlines = append(l.inlines, in)
}

// loud are the marks that also show on white space.
const loud = doc.Underline | doc.Strike | doc.Highlight | doc.Inserted | doc.Deleted | doc.Monospace

// maxJoined bounds the text that runs of the same looks are joined to: joining copies.
const maxJoined = 64 << 10

// add adds an inline that is not text.
func (l *line) add(in doc.Inline) {
	if l.f.instructing() != nil {
		return
	}
	l.f.hasResult()
	l.inlines = append(l.inlines, in)
}

// anchored keeps blocks that are anchored in the paragraph, before or after its text.
func (l *line) anchored(blocks []doc.Block) {
	if len(l.inlines) == 0 {
		l.before = append(l.before, blocks...)
		return
	}
	l.after = append(l.after, blocks...)
}

func (l *line) content() bool { return len(l.before)+len(l.after) > 0 }

// keepHidden puts the paragraph's hidden text apart.
func (l *line) keepHidden() {
	if text := strings.TrimSpace(l.hidden.String()); text != "" {
		d := l.f.p.doc
		d.Hidden = append(d.Hidden, doc.Hidden{Reason: "hidden_text", Blocks: []doc.Block{doc.P(text)}})
		d.Warn("hidden_text", "Text that is formatted as hidden was kept apart.")
	}
}

// lines takes line ends out of texts: in the XML of a paragraph they mean nothing.
func lines(inlines []doc.Inline) []doc.Inline {
	for i := range inlines {
		if inlines[i].Kind == doc.Text && strings.ContainsAny(inlines[i].Text, "\n\r") {
			inlines[i].Text = strings.Join(strings.FieldsFunc(inlines[i].Text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
		}
	}
	return inlines
}

// trimInlines takes white space and breaks off both ends, and line ends inside texts.
func trimInlines(inlines []doc.Inline) []doc.Inline {
	inlines = lines(inlines)
	for len(inlines) > 0 {
		first := &inlines[0]
		if first.Kind == doc.Text {
			first.Text = strings.TrimLeft(first.Text, " \t\n")
		}
		if first.Kind == doc.Break || first.Kind == doc.Text && first.Text == "" {
			inlines = inlines[1:]
			continue
		}
		break
	}
	for len(inlines) > 0 {
		last := &inlines[len(inlines)-1]
		if last.Kind == doc.Text {
			last.Text = strings.TrimRight(last.Text, " \t\n")
		}
		if last.Kind == doc.Break || last.Kind == doc.Text && last.Text == "" {
			inlines = inlines[:len(inlines)-1]
			continue
		}
		break
	}
	return inlines
}
