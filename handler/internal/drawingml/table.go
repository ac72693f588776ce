package drawingml

import (
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxTableCells bounds the cells of one table; PowerPoint allows 75 x 75.
const maxTableCells = 200_000

// table makes a table of a:tbl (21.1.3.13). Cells that a merged cell covers are marked with hMerge and vMerge, and are left out.
func (r *Reader) table(n *xmltree.Node) *doc.Grid {
	grid := &doc.Grid{}
	properties := Child(n, "tblPr")
	if v := properties.Attr("firstRow"); v == "1" || v == "true" {
		grid.HeaderRows = 1
	}
	firstColumn := properties.Attr("firstCol") == "1" || properties.Attr("firstCol") == "true"
	for _, row := range n.Children {
		if Local(row.Name) != "tr" {
			continue
		}
		column := 0
		for _, c := range row.Children {
			if Local(c.Name) != "tc" || len(grid.Cells) >= maxTableCells {
				continue
			}
			if !isCovered(c) {
				cell := r.cell(c)
				cell.Row, cell.Column = grid.Rows, column
				cell.Header = grid.Rows < grid.HeaderRows || firstColumn && column == 0
				grid.Cells = append(grid.Cells, cell)
			}
			column++
		}
		grid.Columns = max(grid.Columns, column)
		grid.Rows++
	}
	clip(grid)
	growHeader(grid)
	return grid
}

// growHeader makes the header as high as its highest cell: a cell cannot be half a header.
func growHeader(g *doc.Grid) {
	if g.HeaderRows == 0 {
		return
	}
	for i := range g.Cells {
		if g.Cells[i].Row < g.HeaderRows {
			g.HeaderRows = max(g.HeaderRows, g.Cells[i].Row+g.Cells[i].Height())
		}
	}
	for i := range g.Cells {
		g.Cells[i].Header = g.Cells[i].Header || g.Cells[i].Row < g.HeaderRows
	}
}

func isCovered(c *xmltree.Node) bool {
	h, v := c.Attr("hMerge"), c.Attr("vMerge")
	return h == "1" || h == "true" || v == "1" || v == "true"
}

func (r *Reader) cell(n *xmltree.Node) doc.Cell {
	span := func(name string) int {
		v, _ := strconv.Atoi(n.Attr(name))
		return spanOf(v)
	}
	return doc.Cell{RowSpan: span("rowSpan"), ColSpan: span("gridSpan"), Blocks: r.Text(Child(n, "txBody"), nil)}
}

const (
	maxSpan    = 1000               // rows or columns of a merged cell
	maxCovered = 10 * maxTableCells // positions that merged cells cover together; spans beyond are cut to one
)

// clip keeps spans inside the table, and off the places of other cells: a forged or damaged table may have a merged cell, and
// another one where it should be covered.
func clip(g *doc.Grid) {
	type place struct{ row, column int }
	taken := make(map[place]bool, len(g.Cells))
	for _, c := range g.Cells {
		taken[place{c.Row, c.Column}] = true
	}
	covered := 0
	for i := range g.Cells {
		c := &g.Cells[i]
		width, height := 1, 1
		if covered > maxCovered {
			c.ColSpan, c.RowSpan = 1, 1
		}
		for width < min(c.ColSpan, maxSpan) && c.Column+width < g.Columns && !taken[place{c.Row, c.Column + width}] {
			width++
		}
		free := func(row int) bool {
			for x := range width {
				if taken[place{row, c.Column + x}] {
					return false
				}
			}
			return true
		}
		for height < min(c.RowSpan, maxSpan) && c.Row+height < g.Rows && free(c.Row+height) {
			height++
		}
		covered += width * height
		for y := range height {
			for x := range width {
				taken[place{c.Row + y, c.Column + x}] = true
			}
		}
		c.ColSpan, c.RowSpan = spanOf(width), spanOf(height)
	}
	g.HeaderRows = min(g.HeaderRows, g.Rows)
}

// spanOf is how the model writes a span: none is 0.
func spanOf(n int) int {
	if n > 1 {
		return n
	}
	return 0
}
