package odf

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// Limits of a table: repeated cells and rows would otherwise make one of any size.
const (
	maxColumns = 1000
	maxRepeat  = 1000    // of a row with content
	maxArea    = 1 << 20 // positions that spans may cover in one table
	maxBlank   = 64      // repeats of an empty cell or row that still are part of a table, rather than the rest of a sheet
)

// tableReader makes one table:table into a grid.
type tableReader struct {
	f       *Flow
	grid    *doc.Grid
	headers int
	body    bool // a row that is no header was seen
	taken   map[[2]int]bool
}

// table takes in one table:table.
func (f *Flow) table(n *xmltree.Node) {
	t := &tableReader{f: f, grid: &doc.Grid{}, taken: map[[2]int]bool{}}
	places := f.places()
	t.rows(n, false)
	t.clip()
	t.grid.HeaderRows = t.headers
	for i := range t.grid.Cells {
		t.grid.Cells[i].Header = t.grid.Cells[i].Row < t.headers
	}
	switch {
	case len(t.grid.Cells) == 0:
	case t.grid.Rows == 1 && t.grid.Columns == 1: // a box around text, not a table
		f.addAll(t.grid.Cells[0].Blocks)
	default:
		f.add(doc.Block{Kind: doc.Table, Table: t.grid, Places: places})
	}
}

// clip keeps spans inside the table: files claim rows and columns that do not follow.
func (t *tableReader) clip() {
	for i := range t.grid.Cells {
		c := &t.grid.Cells[i]
		if c.RowSpan > t.grid.Rows-c.Row {
			c.RowSpan = t.grid.Rows - c.Row
		}
		if c.ColSpan > t.grid.Columns-c.Column {
			c.ColSpan = t.grid.Columns - c.Column
		}
	}
}

func (t *tableReader) rows(n *xmltree.Node, header bool) {
	for _, c := range n.Children {
		switch c.Name {
		case "table:table-header-rows":
			t.rows(c, true)
		case "table:table-rows", "table:table-row-group":
			t.rows(c, header)
		case "table:table-row":
			repeat, full := max(1, number(c.Attr("table:number-rows-repeated"), 1)), hasContent(c)
			if !full && repeat > maxBlank {
				continue
			}
			for range min(repeat, maxRepeat) {
				t.row(c, header)
			}
		case "text:soft-page-break":
			t.f.r.Page = max(t.f.r.Page, 1) + 1
		}
	}
}

func hasContent(row *xmltree.Node) bool {
	return row.Find("text:p") != nil || row.Find("text:h") != nil || row.Find("text:list") != nil || row.Find("draw:frame") != nil
}

func (t *tableReader) row(n *xmltree.Node, header bool) {
	row := t.grid.Rows
	t.grid.Rows++
	if header && !t.body {
		t.headers++
	}
	t.body = t.body || !header
	column := 0
	for _, c := range n.Children {
		switch c.Name {
		case "table:table-cell":
			repeat := max(1, number(c.Attr("table:number-columns-repeated"), 1))
			if repeat > maxBlank && !hasContent(c) {
				continue
			}
			for range repeat {
				if column >= maxColumns {
					break
				}
				column = t.cell(c, row, column)
			}
		case "table:covered-table-cell":
			for range min(max(1, number(c.Attr("table:number-columns-repeated"), 1)), maxColumns) {
				if blocks := t.f.r.story(c, true); len(blocks) > 0 && !t.taken[[2]int{row, column}] {
					t.put(doc.Cell{Row: row, Column: column, Blocks: blocks})
				}
				column++
			}
		}
	}
	t.grid.Columns = max(t.grid.Columns, min(column, maxColumns))
}

// cell reads a cell and gives the column after it: covered cells follow in the file, so that a span does not move the column.
func (t *tableReader) cell(n *xmltree.Node, row, column int) int {
	cell := doc.Cell{
		Row: row, Column: column, Blocks: t.f.r.story(n, true),
		RowSpan: span(n.Attr("table:number-rows-spanned")), ColSpan: span(n.Attr("table:number-columns-spanned")),
		Align: t.f.align(n),
	}
	if t.taken[[2]int{row, column}] { // written without the covered cells that a span needs, as pandoc does it
		for t.taken[[2]int{row, cell.Column}] && cell.Column < maxColumns-1 {
			cell.Column++
		}
		if t.taken[[2]int{row, cell.Column}] {
			t.f.r.doc.Warn("overlapping_cells", "A cell of a table found no place beside the cells that cover others; its text was left out.")
			return cell.Column + 1
		}
	}
	t.put(cell)
	return cell.Column + 1
}

// align is the alignment of a cell's first paragraph, where it is not the usual one.
func (f *Flow) align(cell *xmltree.Node) string {
	for _, name := range []string{"text:p", "text:h"} {
		if p := cell.Child(name); p != nil {
			if style := f.r.styles.get("paragraph", p.Attr("text:style-name")); style != nil && style.align != "left" {
				return style.align
			}
			return ""
		}
	}
	return ""
}

func span(value string) int {
	if n := min(number(value, 1), maxColumns); n > 1 {
		return n
	}
	return 0
}

// put adds a cell, cut to the positions that are free.
func (t *tableReader) put(cell doc.Cell) {
	if len(t.taken)+cell.Height()*cell.Width() > maxArea { // a forged span
		cell.RowSpan, cell.ColSpan = 0, 0
	}
	for x := 1; x < cell.Width(); x++ {
		if t.taken[[2]int{cell.Row, cell.Column + x}] {
			cell.ColSpan = x
			break
		}
	}
	for y := range cell.Height() {
		for x := range cell.Width() {
			t.taken[[2]int{cell.Row + y, cell.Column + x}] = true
		}
	}
	t.grid.Cells = append(t.grid.Cells, cell)
}
