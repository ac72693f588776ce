package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// Render writes the document as Markdown. The document must be finished (doc.Finish) and must not change while the Output is used.
func Render(d *doc.Document, o Options) *Output {
	r := newRenderer(d, o)
	r.anchors = anchors(d)
	r.survey(d)
	r.blocks(d.Blocks)
	r.furniture()
	r.hidden()
	r.comments()
	r.notes()
	if len(r.buf) > 0 {
		r.newline()
	}
	return &Output{Text: r.text(), Nodes: r.nodes, Spans: r.spans, doc: d, options: o}
}

func newRenderer(d *doc.Document, o Options) *renderer {
	r := &renderer{doc: d, options: o, images: map[string]*doc.Image{}}
	for i := range d.Images {
		r.images[d.Images[i].ID] = &d.Images[i]
	}
	r.fresh, r.bare, r.closed = true, true, -1
	return r
}

// renderer is the state of one Render.
type renderer struct {
	writer
	doc     *doc.Document
	options Options
	images  map[string]*doc.Image
	linked  map[string]bool   // names that links go to
	anchors map[string]string // of headings: anchor → GitHub's name for the heading
	nodes   []Node
	depth   int

	offset   int      // of the inline being written, in the plain text
	escapeAt int      // place in the plain text of a character that needs a backslash; 0 for none
	need     escapes  // of the block being written
	line     lineMode // what a line break becomes
}

// maxDepth bounds nesting, against stack overflow and prefix blow-up; what is deeper is written as if it were not nested.
const maxDepth = 100

// open starts a node at the next byte that will be written; close ends it.
func (r *renderer) open(kind NodeKind, b *doc.Block) int {
	start := len(r.buf)
	if r.bare {
		start += len(r.prefix)
	}
	r.nodes = append(r.nodes, Node{Kind: kind, Block: b, Start: start})
	return len(r.nodes) - 1
}

func (r *renderer) close(n int) {
	r.nodes[n].End = max(len(r.buf), r.nodes[n].Start)
	if r.bare { // nothing was written
		r.nodes[n].Start = min(r.nodes[n].Start, len(r.buf))
		r.nodes[n].End = max(r.nodes[n].Start, len(r.buf))
	}
	r.nodes[n].Last = int32(len(r.nodes))
}

// survey looks over the document once: for the names that links go to, and for how much there will be, so that what grows with the
// document seldom has to move.
func (r *renderer) survey(d *doc.Document) {
	r.linked = map[string]bool{}
	text, blocks, texts, nodes := 0, 0, 0, 0
	visit := func(b *doc.Block) bool {
		blocks++
		text += len(b.Text) + 8
		texts += len(b.Inlines)
		for i := range b.Inlines {
			in := &b.Inlines[i]
			text += len(in.Text) + len(in.Link)
			if name, ok := strings.CutPrefix(in.Link, "#"); ok {
				r.linked[name] = true
			}
		}
		if b.Table != nil {
			nodes += b.Table.Rows + max(0, min(b.Table.Rows*b.Table.Columns, 2*len(b.Table.Cells)))
		}
		return true
	}
	doc.Walk(d.Blocks, visit)
	for i := range d.Notes {
		doc.Walk(d.Notes[i].Blocks, visit)
	}
	r.buf = make([]byte, 0, text+text/32+64)
	r.nodes = make([]Node, 0, max(nodes, blocks/2)+8)
	r.spans = make([]Span, 0, texts+8)
}
