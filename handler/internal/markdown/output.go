package markdown

import "decant/handler/internal/doc"

// Options are what to show beside the body.
type Options struct {
	Hidden    bool // hidden sheets, rows, columns, slides, text
	Furniture bool // running headers, footers, page numbers
	Comments  bool // comments and highlights
}

// Output is a document as Markdown with its map.
type Output struct {
	Text  string
	Nodes []Node // in order; a node is followed by its descendants
	Spans []Span // in order, not overlapping; bytes outside all spans are markup

	doc     *doc.Document
	options Options
}

// NodeKind says what a Node stands for.
type NodeKind uint8

// The node kinds.
const (
	BlockNode   NodeKind = iota // a block of the document
	LabelNode                   // a heading made of a group's label; Block is the group
	CaptionNode                 // a table's or figure's caption
	HeaderNode                  // a table's header rows with the markup around them
	RowNode                     // a row of a table's body
	CellNode                    // a cell's content; in header and rows
	NoteNode                    // a footnote or endnote; Note is its index in Document.Notes
	HiddenNode                  // an entry of Document.Hidden; Note is its index
	CommentNode                 // an entry of Document.Annotations; Note is its index
	FurnitureNode
)

// Node is a part of the text that stands for a part of the document.
type Node struct {
	Start, End int        // bytes of Output.Text, without the blank line after it
	Block      *doc.Block // the block; of caption, header, row and cell the table or figure; nil for notes and comments
	Cell       *doc.Cell  // of a CellNode; nil where a grid position is empty
	Last       int32      // index in Output.Nodes after the last descendant
	Row        int32      // of RowNode and CellNode, in the grid
	Note       int32      // index into Document.Notes, Hidden or Annotations
	Kind       NodeKind
	HTML       bool // of a table: written as HTML
}

// Span maps bytes of the text to bytes of a block's plain text.
type Span struct {
	Start, End int        // bytes of Output.Text
	Block      *doc.Block // whose text it is
	From, To   int        // bytes of Block.PlainText(), or of the caption's
	Caption    bool
}

// Text of a node.
func (o *Output) Slice(n *Node) string { return o.Text[n.Start:n.End] }
