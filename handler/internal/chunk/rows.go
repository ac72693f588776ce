package chunk

import (
	"strings"

	"decant/handler/internal/markdown"
)

// parts takes a piece apart by its structure: a table by rows, a row by cells, a list item, quote or figure by its blocks.
// It gives nothing when the piece can only be cut as text.
func (p *packer) parts(x piece) []piece {
	switch {
	case x.leaf:
		return nil
	case x.kind == tablePiece:
		return p.rows(x)
	case x.kind == rowPiece:
		return p.cells(x)
	case x.kind == notePiece || p.md.Nodes[x.node].Kind == markdown.BlockNode:
		return p.blocks(x)
	}
	return nil
}

// blocks lists the blocks inside a piece.
func (p *packer) blocks(x piece) []piece {
	n := &p.md.Nodes[x.node]
	if x.start != n.Start && x.end != n.End && n.Last == x.node+1 {
		return nil
	}
	c := &collector{md: p.md, options: p.options, at: x.path, page: x.page, outline: p.outline}
	c.nodes(x.node+1, n.Last)
	if len(c.pieces) == 0 {
		return nil
	}
	c.pieces[0].start = x.start
	c.pieces[0].fresh = x.fresh
	c.pieces[len(c.pieces)-1].end = x.end
	for i := range c.pieces {
		y := &c.pieces[i]
		if y.kind == textPiece || y.kind == headingPiece {
			if y.kind = x.kind; x.kind == figurePiece {
				y.kind = textPiece
			}
		}
		y.path, y.inner = x.path, x.path
		y.leaf = y.leaf || y.node == x.node
	}
	return c.pieces
}

// rows lists the rows of a table. What stands before the first row belongs to it, and what stands behind the last one to that.
func (p *packer) rows(x piece) []piece {
	t := &p.md.Nodes[x.node]
	var rows []piece
	for i := x.node + 1; i < t.Last; i = p.md.Nodes[i].Last {
		if n := &p.md.Nodes[i]; n.Kind == markdown.RowNode {
			row := x
			row.kind, row.node, row.table, row.row = rowPiece, i, x.node, n.Row+1
			row.start, row.end = n.Start, n.End
			row.fresh, row.glued = false, false
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		x.leaf = true
		return []piece{x}
	}
	rows[0].start, rows[0].fresh = x.start, x.fresh
	last := &rows[len(rows)-1]
	last.end, last.atEnd = x.end, true
	return rows
}

// cells takes a row apart: first what stands before it, then its cells.
func (p *packer) cells(x piece) []piece {
	n := &p.md.Nodes[x.node]
	if x.start < n.Start {
		head, row := x, x
		head.kind, head.leaf = tablePiece, true
		head.end = trimEnd(p.text, x.start, n.Start)
		row.start, row.fresh = n.Start, false
		return []piece{head, row}
	}
	var parts []piece
	before := x.start
	for i := x.node + 1; i < n.Last; i = p.md.Nodes[i].Last {
		next := x.end
		if following := p.md.Nodes[i].Last; following < n.Last {
			next = p.cellStart(p.md.Nodes[i].End, p.md.Nodes[following].Start)
		}
		part := x
		part.start, part.end = skipBlanks(p.text, before, next), trimEnd(p.text, before, next)
		part.partial, part.leaf, part.atEnd = true, true, false
		if part.start < part.end {
			parts = append(parts, part)
		}
		before = next
	}
	return parts
}

// cellStart is where the markup of a cell begins, between the content of the cell before and its own.
func (p *packer) cellStart(from, to int) int {
	between := p.text[from:to]
	if i := strings.LastIndex(between, "<t"); i >= 0 {
		return from + i
	}
	if i := strings.LastIndex(between, "|"); i >= 0 {
		return from + i
	}
	return to
}
