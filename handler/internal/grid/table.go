package grid

import (
	"slices"

	"decant/handler/internal/doc"
)

// axis gives each used row or column of a region its number in the table.
type axis struct {
	used  []int // sheet numbers, ascending
	index map[int]int
}

func newAxis(numbers map[int]bool) axis {
	a := axis{index: make(map[int]int, len(numbers))}
	for n := range numbers {
		a.used = append(a.used, n)
	}
	slices.Sort(a.used)
	for i, n := range a.used {
		a.index[n] = i
	}
	return a
}

// span counts the used numbers in from-to.
func (a axis) span(from, to int) int {
	if from == to {
		return 1
	}
	start, _ := slices.BinarySearch(a.used, from)
	end, found := slices.BinarySearch(a.used, to)
	if found {
		end++
	}
	return end - start
}

// tableCells is how many cells one table block has at most. A longer table goes on in further blocks with the same header rows,
// so that whatever reads the model block by block needs little memory.
const tableCells = 50_000

// tables makes a table of a region, in several blocks when it is long: rows and columns without any cell are left out.
func (b *builder) tables(r *region, index merges) []doc.Block {
	columns := map[int]bool{}
	for i := range r.cells {
		columns[int(r.cells[i].Column)] = true
	}
	columnAxis := newAxis(columns)
	bands := r.bands()
	blocks := make([]doc.Block, 0, len(bands))
	for _, band := range bands {
		blocks = append(blocks, b.table(band, columnAxis, index))
	}
	return blocks
}

// bands cuts a long region into pieces that each begin with the header rows.
func (r *region) bands() []*region {
	if len(r.cells) <= tableCells {
		return []*region{r}
	}
	rows := r.rows()
	var header []Cell
	for _, row := range rows[:r.headerRows] {
		header = append(header, row...)
	}
	var bands []*region
	band := &region{headerRows: r.headerRows, name: r.name}
	for i, row := range rows {
		if len(band.cells) > 0 && len(band.cells)+len(row) > tableCells && i > r.headerRows {
			bands = append(bands, band)
			band = &region{headerRows: r.headerRows, name: r.name, cells: slices.Clone(header)}
		}
		band.cells = append(band.cells, row...)
	}
	bands = append(bands, band)
	for i, band := range bands {
		body := band.cells
		if i > 0 {
			body = body[len(header):]
		}
		band.Rect = Rect{int(body[0].Row), r.Left, int(body[len(body)-1].Row), r.Right}
	}
	bands[len(bands)-1].Bottom = r.Bottom
	return bands
}

func (b *builder) table(r *region, columnAxis axis, index merges) doc.Block {
	rows := map[int]bool{}
	for i := range r.cells {
		rows[int(r.cells[i].Row)] = true
	}
	rowAxis := newAxis(rows)
	table := &doc.Grid{Rows: len(rowAxis.used), Columns: len(columnAxis.used), HeaderRows: r.headerRows, Cells: make([]doc.Cell, 0, len(r.cells))}
	taken := newCovered(table.Columns)
	for i := range r.cells {
		c := &r.cells[i]
		cell := b.cell(c)
		cell.Row, cell.Column = rowAxis.index[int(c.Row)], columnAxis.index[int(c.Column)]
		cell.Header = cell.Row < r.headerRows
		if taken.has(cell.Row, cell.Column) {
			continue // a value under a merged cell is not shown by any program
		}
		if area := index.area(c); area.Height() > 1 || area.Width() > 1 {
			cell.RowSpan, cell.ColSpan = spanOf(rowAxis.span(area.Top, area.Bottom)), spanOf(columnAxis.span(area.Left, area.Right))
			if taken.meets(&cell) {
				cell.RowSpan, cell.ColSpan = 0, 0
				b.overlaps++
			}
			taken.add(&cell)
		}
		table.Cells = append(table.Cells, cell)
	}
	return doc.Block{Kind: doc.Table, Table: table, Label: r.name, Places: []doc.Place{b.place(r.String())}}
}

func spanOf(n int) int {
	if n <= 1 {
		return 0
	}
	return n
}

// covered says for each column down to which row merged cells take it. Cells must come row by row.
type covered []int

func newCovered(columns int) covered {
	c := make(covered, columns)
	for i := range c {
		c[i] = -1
	}
	return c
}

func (c covered) add(cell *doc.Cell) {
	for column := range cell.Width() {
		c[cell.Column+column] = cell.Row + cell.Height() - 1
	}
}

func (c covered) has(row, column int) bool { return c[column] >= row }

// meets tells whether a merged cell reaches into another one.
func (c covered) meets(cell *doc.Cell) bool {
	for column := range cell.Width() {
		if c.has(cell.Row, cell.Column+column) {
			return true
		}
	}
	return false
}
