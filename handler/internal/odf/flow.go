package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// Flow takes the text elements of one story, one after another, and gives its blocks.
type Flow struct {
	r      *Reader
	inCell bool
	blocks []doc.Block
	code   bool // the last block is code that goes on
	quote  bool // the last block is a quote that goes on
	toc    bool
	open   []*openList // lists that may get more items, outermost first

	caption *doc.Block // a caption that waits for its table
}

// NewFlow starts a story.
func (r *Reader) NewFlow() *Flow { return &Flow{r: r} }

// Blocks reads the content of one element (a cell, a text box, a note) as a story of its own.
func (r *Reader) Blocks(n *xmltree.Node) []doc.Block { return r.story(n, false) }

func (r *Reader) story(n *xmltree.Node, inCell bool) []doc.Block {
	if r.depth >= maxStories {
		r.doc.Warn("nesting_flattened", "Tables or frames are nested deeper than the limit; their text was kept.")
		if text := strings.TrimSpace(n.AllText()); text != "" {
			return []doc.Block{doc.P(text)}
		}
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	f := &Flow{r: r, inCell: inCell}
	f.children(n)
	return f.Finish()
}

// Finish gives the blocks of the story.
func (f *Flow) Finish() []doc.Block {
	f.flushCaption()
	f.closeLists(-1)
	return f.blocks
}

func (f *Flow) children(n *xmltree.Node) {
	for _, c := range n.Children {
		if c.Name != "" {
			f.Add(c)
		}
	}
}

// Add takes in one block-level element. What is not known is looked through, so that no text is lost in it.
func (f *Flow) Add(n *xmltree.Node) {
	r := f.r
	switch n.Name {
	case "text:p", "text:h":
		f.paragraph(n)
	case "text:list", "text:ordered-list", "text:unordered-list":
		f.list(n)
	case "table:table":
		f.table(n)
	case "text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index", "text:user-index", "text:alphabetical-index":
		f.index(n)
	case "text:bibliography", "text:section", "text:index-body":
		f.section(n)
	case "text:tracked-changes":
		r.changes.read(n)
	case "text:change", "text:change-start", "text:change-end":
		r.changes.mark(n)
		f.deleted(n)
	case "text:soft-page-break":
		r.Page = max(r.Page, 1) + 1
	case "office:annotation":
		r.comment(n)
	case "office:annotation-end":
		r.endComment(n.Attr("office:name"))
	case "text:sequence-decls", "text:variable-decls", "text:user-field-decls", "text:alphabetical-index-auto-mark-file", "office:forms", "text:dde-connection-decls",
		"office:settings", "office:scripts", "text:table-of-content-source", "text:bibliography-source", "text:illustration-index-source", "office:event-listeners",
		"svg:title", "svg:desc", "draw:glue-point", "table:title", "table:desc", "table:named-expressions":
	case "text:numbered-paragraph":
		f.numbered(n)
	default:
		if strings.HasPrefix(n.Name, "draw:") || strings.HasPrefix(n.Name, "dr3d:") {
			l := f.newLine()
			l.frame(n, look{})
			f.place(&doc.Block{Kind: doc.Paragraph}, l)
			return
		}
		f.children(n)
	}
}

// add puts a block at the end of the story.
func (f *Flow) add(b doc.Block) {
	f.closeLists(-1)
	f.giveCaption(&b)
	f.code, f.quote = false, false
	f.blocks = append(f.blocks, b)
}

// giveCaption gives the caption that waits to a table; before anything else it becomes a paragraph.
func (f *Flow) giveCaption(b *doc.Block) {
	if f.caption == nil {
		return
	}
	if b.Kind != doc.Table || len(b.Caption) > 0 {
		f.flushCaption()
		return
	}
	b.Caption, b.Anchor = f.caption.Inlines, first(b.Anchor, f.caption.Anchor)
	f.caption = nil
}

func (f *Flow) addAll(blocks []doc.Block) {
	for _, b := range blocks {
		f.add(b)
	}
}

// section reads a section; a hidden one is kept apart.
func (f *Flow) section(n *xmltree.Node) {
	display := n.Attr("text:display")
	if (display == "none" || display == "condition" && n.Attr("text:is-hidden") == "true") && f.r.in.Options.Hidden != "include" {
		if blocks := f.r.story(n, f.inCell); len(blocks) > 0 {
			f.r.doc.Hidden = append(f.r.doc.Hidden, doc.Hidden{Reason: "hidden_text", Name: n.Attr("text:name"), Blocks: blocks})
			f.r.doc.Warn("hidden_text", "A hidden section was kept apart.")
		}
		return
	}
	f.children(n)
}

// index reads a table of contents or another index.
func (f *Flow) index(n *xmltree.Node) {
	body := n.Child("text:index-body")
	if body == nil {
		return
	}
	inner := &Flow{r: f.r, toc: true}
	inner.children(body)
	blocks := inner.Finish()
	if n.Name != "text:table-of-content" {
		f.addAll(blocks)
		return
	}
	if len(blocks) > 0 {
		f.add(doc.Block{Kind: doc.TOC, Children: blocks})
	}
}

func (f *Flow) places() []doc.Place {
	if f.r.Page == 0 || f.inCell {
		return nil
	}
	return []doc.Place{{Page: f.r.Page}}
}
