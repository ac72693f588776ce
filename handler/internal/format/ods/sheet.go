package ods

import (
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// sheetReader reads one table:table.
type sheetReader struct {
	p       *parser
	sheet   *grid.Sheet
	lines   *grid.Lines // instead of the sheet's cells, when they are too many
	row     int
	column  int // of column declarations
	rows    int // row elements that were read
	headers *grid.Rect
	cut     bool // repeated content was cut
}

// maxRepeat bounds how often content is repeated: a row that is filled down to the end of the sheet says nothing more often than this.
const maxRepeat = 1000

func (p *parser) sheet(s *xmltree.Scanner) error {
	p.sheets++
	p.in.Progress(p.sheets, 0)
	hidden := p.hidden[s.Attr("table:style-name")]
	r := &sheetReader{p: p, sheet: &grid.Sheet{Name: s.Attr("table:name"), Page: p.sheets}}
	p.r.Page = p.sheets
	if err := r.read(s, false, false); err != nil {
		return err
	}
	r.sheet.PrintTitles = r.headers
	if r.cut {
		p.d.Warn("limit_reached", "Content that is repeated very often was cut.", r.place(""))
	}
	return p.group(r.sheet, r.blocks(), hidden)
}

func (r *sheetReader) place(cells string) doc.Place {
	return doc.Place{Page: r.sheet.Page, Sheet: r.sheet.Name, Cells: cells}
}

func (r *sheetReader) blocks() []doc.Block {
	if r.lines != nil {
		return r.lines.Blocks(r.p.d)
	}
	r.p.cellsLeft -= len(r.sheet.Cells)
	return r.sheet.Blocks(r.p.d, r.p.in.Options.Hidden == "include")
}

// read reads the children of the element that the scanner stands on. Rows and columns may stand in groups and header elements;
// a group that is not displayed hides what is in it.
func (r *sheetReader) read(s *xmltree.Scanner, header, hidden bool) error {
	depth := s.Depth()
	for s.Next() {
		if s.Kind() == xmltree.End && s.Depth() < depth {
			return nil
		}
		if s.Kind() != xmltree.Start {
			continue
		}
		switch s.Name() {
		case "table:table-row":
			if err := r.readRow(s.Element(), header, hidden); err != nil {
				return err
			}
		case "table:table-header-rows":
			if err := r.read(s, true, hidden); err != nil {
				return err
			}
		case "table:table-row-group", "table:table-column-group":
			if err := r.read(s, header, hidden || s.Attr("table:display") == "false"); err != nil {
				return err
			}
		case "table:table-rows", "table:table-columns", "table:table-header-columns":
			if err := r.read(s, header, hidden); err != nil {
				return err
			}
		case "table:table-column":
			r.readColumn(s, hidden)
		case "table:shapes":
			r.shapes(s.Element())
		default:
			s.Skip()
		}
	}
	return s.Err()
}

func (r *sheetReader) readColumn(s *xmltree.Scanner, hidden bool) {
	n := repeat(s.Attr("table:number-columns-repeated"), grid.MaxColumns)
	if hidden || isHidden(s.Attr("table:visibility")) {
		r.sheet.HiddenColumns.Add(r.column, min(r.column+n, grid.MaxColumns)-1)
	}
	r.column = min(r.column+n, grid.MaxColumns-1)
	s.Skip()
}

func isHidden(visibility string) bool { return visibility == "collapse" || visibility == "filter" }

// repeat reads a repeat count, at least 1 and at most limit.
func repeat(value string, limit int) int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 1
	}
	return min(max(n, 1), limit)
}

// readRow reads a row, as often as it is repeated.
func (r *sheetReader) readRow(n *xmltree.Node, header, hidden bool) error {
	if r.rows++; r.rows%1024 == 0 {
		r.p.in.Progress(r.p.sheets, 0)
		if err := r.p.ctx.Err(); err != nil {
			return err
		}
	}
	times := repeat(n.Attr("table:number-rows-repeated"), grid.MaxRows)
	if hidden || isHidden(n.Attr("table:visibility")) {
		r.sheet.HiddenRows.Add(r.row, min(r.row+times, grid.MaxRows)-1)
	}
	if header {
		r.header(times)
	}
	cells := r.readCells(n)
	if len(cells) > 0 {
		if times > maxRepeat {
			r.cut = true
		}
		for i := range min(times, maxRepeat) {
			for _, c := range cells {
				c.Row = int32(min(r.row+i, grid.MaxRows-1))
				r.add(&c)
			}
			if err := r.p.ctx.Err(); err != nil {
				return err
			}
		}
	}
	r.row = min(r.row+times, grid.MaxRows-1)
	return nil
}

func (r *sheetReader) header(times int) {
	rows := grid.Rect{Top: r.row, Bottom: r.row + times - 1, Right: grid.MaxColumns - 1}
	if r.headers != nil {
		rows = rows.Union(*r.headers)
	}
	r.headers = &rows
}

// add keeps a cell for finding tables, or only its text once there are more than memory holds.
func (r *sheetReader) add(cell *grid.Cell) {
	if r.lines == nil && len(r.sheet.Cells) >= r.p.cellsLeft {
		r.sheet.HiddenColumns.Normalize()
		r.lines = grid.NewLines(r.sheet, r.p.in.Options.Hidden == "include")
		for i := range r.sheet.Cells {
			r.lines.Add(&r.sheet.Cells[i])
		}
		r.sheet.Cells = nil
	}
	if r.lines != nil {
		r.lines.Add(cell)
		return
	}
	r.sheet.Cells = append(r.sheet.Cells, *cell)
}

// shapes reads what lies on the sheet without a cell to hold on to.
func (r *sheetReader) shapes(n *xmltree.Node) {
	for _, c := range n.Children {
		if c.Name == "" {
			continue
		}
		row, column := r.endCell(c)
		r.float(c, row, column)
	}
}

// endCell is where a shape ends, which is all that is stored of its place: "Sheet1.C5".
func (r *sheetReader) endCell(n *xmltree.Node) (row, column int) {
	address := n.Attr("table:end-cell-address")
	for i := len(address) - 1; i >= 0; i-- {
		if address[i] == '.' {
			row, column, _ = grid.ParseCell(address[i+1:])
			break
		}
	}
	return row, column
}

// float puts a shape on the sheet at a cell.
func (r *sheetReader) float(n *xmltree.Node, row, column int) {
	blocks := unboxed(r.p.r.Blocks(&xmltree.Node{Name: "table:shapes", Children: []*xmltree.Node{n}}))
	if len(blocks) == 0 {
		return
	}
	for i := range blocks {
		blocks[i].Places = []doc.Place{r.place(grid.Name(row, column))}
	}
	r.sheet.Floats = append(r.sheet.Floats, grid.Float{Row: row, Column: column, Blocks: blocks})
}

// unboxed takes blocks out of text boxes: on a sheet every float is one.
func unboxed(blocks []doc.Block) []doc.Block {
	var out []doc.Block
	for _, b := range blocks {
		if b.Kind == doc.Group && b.Role == doc.RoleTextBox {
			out = append(out, unboxed(b.Children)...)
			continue
		}
		out = append(out, b)
	}
	return out
}
