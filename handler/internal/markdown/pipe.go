package markdown

import (
	"decant/handler/internal/doc"
	"slices"
)

// pipe writes a table with bars. Without header rows the first row stands where GFM wants a header.
func (r *renderer) pipe(b *doc.Block, v *view) {
	next := 0
	for row := range v.rows {
		if row > 0 {
			r.newline()
		}
		kind := RowNode
		if row == 0 && v.header > 0 {
			kind = HeaderNode
		}
		n := r.open(kind, b)
		r.nodes[n].Row = int32(v.rows[row])
		r.pipeRow(b, v, row, v.rowCells(&next, row))
		if row == 0 {
			r.newline()
			r.delimiterRow(v)
		}
		r.close(n)
	}
}

func (r *renderer) pipeRow(b *doc.Block, v *view, row int, cells []placed) {
	r.raw("|")
	for column := range v.columns {
		r.raw(" ")
		n := r.open(CellNode, b)
		r.nodes[n].Row = int32(v.rows[row])
		if len(cells) > 0 && cells[0].column == column {
			r.nodes[n].Cell = cells[0].cell
			r.pipeCell(cells[0].cell)
			cells = cells[1:]
		}
		r.close(n)
		r.raw(" |")
	}
}

func (r *renderer) pipeCell(c *doc.Cell) {
	wrote := false
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if !r.shows(b) {
			continue
		}
		if wrote {
			r.raw("<br>")
		}
		wrote = true
		r.line = cellLines
		r.number(b, b.Inlines)
		r.inlines(b, b.Inlines, cellLines)
	}
}

func (r *renderer) delimiterRow(v *view) {
	aligns := v.aligns()
	r.raw("|")
	for column := range v.columns {
		switch aligns[column] {
		case "right":
			r.raw(" ---: |")
		case "center":
			r.raw(" :---: |")
		case "left":
			r.raw(" :--- |")
		default:
			r.raw(" --- |")
		}
	}
}

// aligns gives the alignment of every column whose cells agree on one. Headers are often centered over any column: they count where
// a column has nothing else.
func (v *view) aligns() []string {
	aligns := make([]string, len(v.columns))
	seen := make([]bool, len(v.columns))
	for _, headers := range []bool{false, true} {
		done := slices.Clone(seen)
		for i := range v.cells {
			p := &v.cells[i]
			if len(p.cell.Blocks) == 0 || p.cell.Header != headers || done[p.column] {
				continue
			}
			if !seen[p.column] {
				seen[p.column], aligns[p.column] = true, p.cell.Align
			} else if aligns[p.column] != p.cell.Align {
				aligns[p.column] = ""
			}
		}
	}
	return aligns
}
