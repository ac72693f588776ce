package chunk

import (
	"strings"

	"decant/handler/internal/doc"
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

// rows lists the rows of a table; rows that are tied together by spans are one piece at first.
// What stands before the first row belongs to it, and what stands behind the last one to that.
func (p *packer) rows(x piece) []piece {
	tied := tiedRows(p.md.Nodes[x.node].Block.Table)
	var rows []piece
	for _, i := range p.rowNodes(x.node, 0, len(tied)) {
		n := &p.md.Nodes[i]
		if last := len(rows) - 1; last >= 0 && tied[n.Row] {
			rows[last].end, rows[last].lastRow = n.End, n.Row+1
			continue
		}
		row := x
		row.kind, row.node, row.table, row.row, row.lastRow = rowPiece, i, x.node, n.Row+1, n.Row+1
		row.start, row.end = n.Start, n.End
		row.fresh, row.glued = false, false
		rows = append(rows, row)
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

// tiedRows tells for each row whether a cell reaches into it from the row above.
func tiedRows(g *doc.Grid) []bool {
	tied := make([]bool, g.Rows)
	for i := range g.Cells {
		c := &g.Cells[i]
		for r := c.Row + 1; r < min(g.Rows, c.Row+c.Height()); r++ {
			tied[r] = true
		}
	}
	return tied
}

// rowNodes lists the nodes of the grid rows from..to of a table.
func (p *packer) rowNodes(table int32, from, to int) []int32 {
	var list []int32
	t := &p.md.Nodes[table]
	for i := table + 1; i < t.Last; i = p.md.Nodes[i].Last {
		if n := &p.md.Nodes[i]; n.Kind == markdown.RowNode && int(n.Row) >= from && int(n.Row) <= to {
			list = append(list, i)
		}
	}
	return list
}

// untie takes rows apart that spans tie together.
func (p *packer) untie(x piece) []piece {
	var rows []piece
	for i := x.node; len(rows) <= int(x.lastRow-x.row) && i < p.md.Nodes[x.table].Last; i = p.md.Nodes[i].Last {
		n := &p.md.Nodes[i]
		if n.Kind != markdown.RowNode {
			continue
		}
		row := x
		row.node, row.row, row.lastRow, row.spanned = i, n.Row+1, n.Row+1, true
		row.start, row.end, row.atEnd, row.fresh = n.Start, n.End, false, false
		rows = append(rows, row)
	}
	rows[0].start, rows[0].fresh = x.start, x.fresh
	last := &rows[len(rows)-1]
	last.end, last.atEnd = x.end, x.atEnd
	return rows
}

// cells takes a row apart: first what stands before it, then its cells.
func (p *packer) cells(x piece) []piece {
	if x.lastRow > x.row {
		return p.untie(x)
	}
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
		if p.options.TableFormat == "rows" { // the content only
			part.start, part.end = p.md.Nodes[i].Start, p.md.Nodes[i].End
		}
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
