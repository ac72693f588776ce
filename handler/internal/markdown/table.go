package markdown

import (
	"cmp"
	"slices"

	"decant/handler/internal/doc"
)

// view is what is shown of a grid: its visible rows and columns, with the spans cut to them.
type view struct {
	grid    *doc.Grid
	rows    []int // grid rows that are shown
	columns []int // grid columns that are shown
	header  int   // how many of rows are headers
	cells   []placed
	shaded  []int // per column: the first row that no cell from above covers; nil when none does
}

// placed is a cell at its place in the view.
type placed struct {
	cell          *doc.Cell
	row, column   int // in the view
	height, width int
}

// look makes the view of a table: rows and columns whose cells are all hidden are left out, unless asked for.
func (r *renderer) look(g *doc.Grid) *view {
	v := &view{grid: g}
	rowAt, columnAt := visible(g, r.options.Hidden)
	for row, at := range rowAt[:g.Rows] {
		if at < rowAt[row+1] {
			v.rows = append(v.rows, row)
			if row < g.HeaderRows {
				v.header++
			}
		}
	}
	for column, at := range columnAt[:g.Columns] {
		if at < columnAt[column+1] {
			v.columns = append(v.columns, column)
		}
	}
	v.cells = make([]placed, 0, len(g.Cells))
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Row < 0 || c.Column < 0 || c.Row >= g.Rows || c.Column >= g.Columns || c.Hidden && !r.options.Hidden {
			continue
		}
		p := placed{cell: c, row: rowAt[c.Row], column: columnAt[c.Column]}
		p.height = rowAt[min(g.Rows, c.Row+c.Height())] - p.row
		p.width = columnAt[min(g.Columns, c.Column+c.Width())] - p.column
		if p.height > 0 && p.width > 0 {
			v.cells = append(v.cells, p)
		}
	}
	v.sort()
	v.header = v.wholeHeader()
	return v
}

// maxHeaderGrowth is by how many rows a header grows for a cell that reaches out of it.
const maxHeaderGrowth = 2

// wholeHeader is how many rows the header has so that no cell of it reaches out of it: HTML ends such a cell with its <thead>. A
// header that would take the whole table is none; its cells are header cells all the same.
func (v *view) wholeHeader() int {
	header := v.header
	for i := range v.cells {
		c := &v.cells[i]
		if c.row >= header {
			break // cells are in the order of rows
		}
		header = max(header, c.row+c.height)
	}
	if header > v.header && (header-v.header > maxHeaderGrowth || header >= len(v.rows)) {
		return 0
	}
	return header
}

func (v *view) sort() {
	for i := 1; i < len(v.cells); i++ {
		if before(v.cells[i], v.cells[i-1]) < 0 {
			slices.SortStableFunc(v.cells, before)
			return
		}
	}
}

func before(a, b placed) int {
	return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
}

// visible gives for every row and column how many shown ones stand before it; one more entry at the end.
func visible(g *doc.Grid, all bool) (rowAt, columnAt []int) {
	rowAt, columnAt = make([]int, g.Rows+1), make([]int, g.Columns+1)
	hidden, hiddenRow, hiddenColumn := false, make([]bool, g.Rows), make([]bool, g.Columns)
	if !all {
		hidden = hiddenLines(g, hiddenRow, hiddenColumn)
	}
	for i := range g.Rows {
		rowAt[i+1] = rowAt[i]
		if !hidden || !hiddenRow[i] {
			rowAt[i+1]++
		}
	}
	for i := range g.Columns {
		columnAt[i+1] = columnAt[i]
		if !hidden || !hiddenColumn[i] {
			columnAt[i+1]++
		}
	}
	return rowAt, columnAt
}

// hiddenLines marks the rows and columns that have cells, all of them hidden; false when no cell is hidden.
func hiddenLines(g *doc.Grid, rows, columns []bool) bool {
	any := false
	for i := range g.Cells {
		if c := &g.Cells[i]; c.Hidden {
			any = true
			if inside(g, c) {
				rows[c.Row], columns[c.Column] = true, true
			}
		}
	}
	if !any {
		return false
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Hidden || !inside(g, c) {
			continue
		}
		for row := c.Row; row < min(g.Rows, c.Row+c.Height()); row++ {
			rows[row] = false
		}
		for column := c.Column; column < min(g.Columns, c.Column+c.Width()); column++ {
			columns[column] = false
		}
	}
	return true
}

func inside(g *doc.Grid, c *doc.Cell) bool {
	return c.Row >= 0 && c.Column >= 0 && c.Row < g.Rows && c.Column < g.Columns
}

// isSimple tells whether a pipe table can say all that the view holds.
func (v *view) isSimple() bool {
	if v.header > 1 || v.grid.HeaderRows > 1 {
		return false
	}
	for i := range v.cells {
		if v.cells[i].height > 1 || v.cells[i].width > 1 || !isTextCell(v.cells[i].cell) {
			return false
		}
	}
	return true
}

// isTextCell tells whether a cell holds text only: paragraphs, at most three of them.
func isTextCell(c *doc.Cell) bool {
	for i := range c.Blocks {
		if k := c.Blocks[i].Kind; k != doc.Paragraph && k != doc.Heading || k == doc.Heading && len(c.Blocks) > 1 {
			return false
		}
	}
	return len(c.Blocks) <= maxCellParagraphs
}

// maxCellParagraphs is how many paragraphs a pipe table's cell may hold; <br> stands between them.
const maxCellParagraphs = 3

// grid writes a table and its caption.
func (r *renderer) grid(b *doc.Block, node int) {
	if len(b.Caption) > 0 {
		r.captionOf(b)
	}
	v := r.look(b.Table)
	if len(v.rows) == 0 || len(v.columns) == 0 {
		return
	}
	if len(b.Caption) > 0 {
		r.gap()
	}
	if v.isSimple() {
		r.pipe(b, v)
		return
	}
	r.nodes[node].HTML = true
	r.html(b, v)
}

// rowCells gives the cells that start in row, and moves on.
func (v *view) rowCells(next *int, row int) []placed {
	start := *next
	for *next < len(v.cells) && v.cells[*next].row == row {
		*next++
	}
	return v.cells[start:*next]
}
