package docx

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// flow is one story: the body, a table cell, a note, a text box. Block-level elements go in, blocks come out.
type flow struct {
	p        *parser
	root     bool // the body itself
	inCell   bool
	blocks   []doc.Block
	lists    []*openList
	fields   []*field     // open fields, innermost last
	prefix   []doc.Inline // text of a paragraph whose mark is gone: it goes on in the next one
	caption  *doc.Block   // a caption that waits for its table
	pending  []string     // bookmarks that wait for the next block
	toc      int          // depth of tables of contents that are open
	code     bool         // the last block is code that goes on
	tasks    bool         // the last block is a list of tasks that goes on
	quote    bool         // the last block is a quote that goes on
	revision revision     // of everything in it
}

func (p *parser) newFlow() *flow { return &flow{p: p} }

// story reads the block-level children of a node as a story of its own.
func (p *parser) story(n *xmltree.Node, inCell bool, rev revision) []doc.Block {
	if p.depth >= maxStories {
		p.doc.Warn("nesting_flattened", "Tables or text boxes are nested deeper than the limit; their text was kept.")
		if text := strings.TrimSpace(n.AllText()); text != "" {
			return []doc.Block{doc.P(text)}
		}
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	f := &flow{p: p, inCell: inCell, revision: rev}
	f.children(n)
	return f.finish()
}

// maxWordText bounds the text that is told of a change or comment.
const maxWordText = 16 << 10

// wordText is the text of the runs below a node, as far as maxWordText.
func wordText(n *xmltree.Node) string {
	var b strings.Builder
	n.Walk(func(c *xmltree.Node) bool {
		switch {
		case b.Len() > maxWordText:
			return false
		case c.Name == "w:t" || c.Name == "w:delText":
			b.WriteString(c.AllText())
		case c.Name == "w:tab":
			b.WriteByte('\t')
		case (c.Name == "w:p" || c.Name == "w:br") && b.Len() > 0:
			b.WriteByte('\n')
		}
		return true
	})
	return b.String()
}

func (f *flow) children(n *xmltree.Node) {
	for _, c := range n.Children {
		if c.Name != "" {
			f.block(c)
		}
	}
}

// block takes in one block-level element.
func (f *flow) block(n *xmltree.Node) {
	switch n.Name {
	case "w:p":
		f.paragraph(n)
	case "w:tbl":
		f.table(n)
	case "w:sdt":
		f.control(n)
	case "w:sectPr":
		f.p.section(n)
	case "w:ins", "w:moveTo", "w:del", "w:moveFrom":
		f.changed(n)
	case "w:altChunk":
		f.foreign(n.Attr("r:id"))
	case "mc:AlternateContent":
		f.children(choose(n))
	case "m:oMathPara", "m:oMath", "w:r", "w:hyperlink", "w:fldSimple", "w:bookmarkStart", "w:commentRangeStart", "w:commentRangeEnd":
		f.loose(n)
	case "w:sdtPr", "w:sdtEndPr", "w:tcPr", "w:customXmlPr", "w:smartTagPr", "w:pPr":
	default:
		f.children(n)
	}
}

// loose takes in an inline element that stands between paragraphs: bookmarks, comment marks, or runs without their paragraph.
func (f *flow) loose(n *xmltree.Node) {
	l := f.newLine()
	l.walk(n, look{revision: f.revision})
	f.pendAnchors(l)
	if len(l.inlines) > 0 || len(l.before) > 0 || len(l.after) > 0 {
		f.place(&paragraph{}, l)
	}
}

// control takes in a content control. One that holds a table of contents says so.
func (f *flow) control(n *xmltree.Node) {
	content := n.Child("w:sdtContent")
	if content == nil {
		return
	}
	gallery := n.Child("w:sdtPr", "w:docPartObj", "w:docPartGallery").Attr("w:val")
	if strings.EqualFold(gallery, "Table of Contents") {
		f.toc++
		defer func() { f.toc-- }()
	}
	f.children(content)
}

// changed takes in block-level content that was inserted, deleted or moved as a whole.
func (f *flow) changed(n *xmltree.Node) {
	outer := f.revision
	defer func() { f.revision = outer }()
	f.revision = f.p.changes.enter(n, outer)
	if f.revision.hidden {
		return
	}
	f.children(n)
}

// add puts a block that is no list item at the end of the story.
func (f *flow) add(b doc.Block) {
	f.closeLists()
	f.code, f.quote, f.tasks = false, false, false
	if f.toc > 0 && b.Kind != doc.TOC {
		f.addTOC(b)
		return
	}
	f.blocks = append(f.blocks, b)
}

func (f *flow) addTOC(b doc.Block) {
	if last := len(f.blocks) - 1; last >= 0 && f.blocks[last].Kind == doc.TOC {
		f.blocks[last].Children = append(f.blocks[last].Children, b)
		return
	}
	f.blocks = append(f.blocks, doc.Block{Kind: doc.TOC, Children: []doc.Block{b}})
}

// finish closes what is open and gives the blocks.
func (f *flow) finish() []doc.Block {
	if len(f.prefix) > 0 {
		f.add(doc.Block{Kind: doc.Paragraph, Inlines: trimInlines(f.prefix)})
		f.prefix = nil
	}
	f.flushCaption()
	f.closeLists()
	return f.blocks
}
