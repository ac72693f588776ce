package chunk

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// piece is a range that is not cut unless it must be: a heading, a paragraph, an item, a table, a table's row.
type piece struct {
	start, end int
	path       int32 // index in outline: the heading that it stands under; of a heading, the one above; -1 for none
	inner      int32 // what the pieces behind it stand under: of a heading, the heading itself; else path
	node       int32 // in Output.Nodes
	table      int32 // node of the table, of rows; else -1
	page       int32 // first page, 0 when unknown
	row        int32 // of a row in its table, from 1
	lastRow    int32 // of rows that spans tie together
	notes      int32 // tokens of the notes that are cited in it
	kind       pieceKind
	partial    bool // a part of a row
	spanned    bool // a row that spans tie to others, apart from them
	atEnd      bool // the last row of its table
	fresh      bool // must start a chunk
	glued      bool // belongs with the piece after it: an introduction of a list
	leaf       bool // holds no smaller blocks: cut it as text
}

type pieceKind uint8

const (
	textPiece pieceKind = iota
	headingPiece
	listPiece
	tablePiece
	rowPiece
	codePiece
	formulaPiece
	figurePiece
	notePiece
)

// heading is an entry of the outline.
type heading struct {
	up         int32 // the heading above; -1 for none
	level      int
	start, end int // in the Markdown
	title      string
}

// collector lists the pieces of a document in order.
type collector struct {
	md      *markdown.Output
	options Options
	pieces  []piece
	outline []heading
	at      int32 // current heading, -1 for none
	page    int32
	gap     bool // something was left out: the next piece starts a chunk
	known   int  // up to there the text is context only
}

func collect(md *markdown.Output, o Options, known int) *collector {
	c := &collector{md: md, options: o, at: -1, known: known}
	c.nodes(0, int32(len(md.Nodes)))
	return c
}

// nodes goes over sibling nodes from one index up to another.
func (c *collector) nodes(from, to int32) {
	for i := from; i < to; i = c.md.Nodes[i].Last {
		c.node(i)
	}
}

func (c *collector) node(i int32) {
	n := &c.md.Nodes[i]
	if n.End <= n.Start {
		return
	}
	switch n.Kind {
	case markdown.LabelNode:
		c.heading(i, n, 2, n.Block.Label)
	case markdown.NoteNode:
		c.at, c.page = -1, 0
		c.add(piece{start: n.Start, end: n.End, node: i, kind: notePiece})
	case markdown.HiddenNode, markdown.FurnitureNode:
		c.at = -1
		c.inside(i, n)
	case markdown.CommentNode:
		c.at = -1
		c.add(piece{start: n.Start, end: n.End, node: i})
	case markdown.BlockNode:
		c.block(i, n)
	default:
		c.add(piece{start: n.Start, end: n.End, node: i})
	}
}

func (c *collector) block(i int32, n *markdown.Node) {
	if len(n.Block.Places) > 0 && n.Block.Places[0].Page > 0 {
		c.page = int32(n.Block.Places[0].Page)
	}
	p := piece{start: n.Start, end: n.End, node: i}
	switch n.Block.Kind {
	case doc.Heading:
		c.heading(i, n, max(1, n.Block.Level), n.Block.PlainText())
		return
	case doc.Group:
		at := c.at
		c.inside(i, n)
		c.at = at
		return
	case doc.TOC:
		if !c.options.Contents {
			c.gap = true
			return
		}
		c.inside(i, n)
		return
	case doc.List:
		c.inside(i, n)
		return
	case doc.Item:
		p.kind = listPiece
	case doc.Table:
		p.kind, p.table = tablePiece, i
	case doc.Code:
		p.kind = codePiece
	case doc.Formula:
		p.kind = formulaPiece
	case doc.Figure:
		p.kind = figurePiece
	}
	c.add(p)
}

// inside lists what a container holds; the markup before its first and behind its last child belongs to these.
func (c *collector) inside(i int32, n *markdown.Node) {
	from := len(c.pieces)
	c.nodes(i+1, n.Last)
	if from == len(c.pieces) {
		if !c.gap {
			c.add(piece{start: n.Start, end: n.End, node: i})
		}
		return
	}
	c.pieces[from].start = max(c.known, min(c.pieces[from].start, n.Start))
	c.pieces[len(c.pieces)-1].end = max(c.pieces[len(c.pieces)-1].end, n.End)
}

func (c *collector) heading(i int32, n *markdown.Node, level int, title string) {
	for c.at >= 0 && c.outline[c.at].level >= level {
		c.at = c.outline[c.at].up
	}
	isNew := c.add(piece{start: n.Start, end: n.End, node: i, kind: headingPiece})
	if number := strings.TrimSpace(n.Block.Number); number != "" && !strings.HasPrefix(title, number) {
		title = number + " " + title
	}
	if isNew {
		c.pieces[len(c.pieces)-1].inner = int32(len(c.outline))
	}
	c.outline = append(c.outline, heading{up: c.at, level: level, start: n.Start, end: n.End, title: strings.Join(strings.Fields(title), " ")})
	c.at = int32(len(c.outline) - 1)
}

// add lists a piece, unless there is nothing in it or it is context only.
func (c *collector) add(p piece) bool {
	if p.end <= c.known || strings.TrimSpace(c.md.Text[p.start:p.end]) == "" {
		return false
	}
	p.path, p.inner, p.page = c.at, c.at, c.page
	if p.kind != tablePiece {
		p.table = -1
	}
	p.fresh = c.gap
	c.gap = false
	if n := len(c.pieces); n > 0 {
		before := &c.pieces[n-1]
		before.glued = before.kind == textPiece && before.path == p.path &&
			(p.kind == listPiece && endsWithColon(c.md.Text[before.start:before.end]) || p.kind == tablePiece && isCaption(c.md.Text[before.start:before.end]))
	}
	c.pieces = append(c.pieces, p)
	return true
}

func endsWithColon(s string) bool {
	s = strings.TrimRight(s, " *_\n")
	return len(s) < 1000 && (strings.HasSuffix(s, ":") || strings.HasSuffix(s, "："))
}

// isCaption tells whether a paragraph reads like the caption of the table that follows it.
func isCaption(s string) bool {
	return len(s) < 300 && (strings.HasPrefix(strings.TrimLeft(s, "*_"), "Table ") || endsWithColon(s))
}
