package rtf

import (
	"slices"

	"decant/handler/internal/doc"
)

// Limits of a table.
const (
	maxCells = 500 // in a row
	snap     = 30  // twentieths of a point: edges nearer than that are one
)

// tableProps describe the cells of a row, as \trowd ... \cellx give them.
type tableProps struct {
	header bool
	align  string // of the table on the page
	next   cellProps
	cells  []cellProps
}

type cellProps struct {
	right                                          int
	mergeRight, mergedRight, mergeDown, mergedDown bool
}

func (t *tableProps) edge(right int) {
	if len(t.cells) < maxCells {
		t.next.right = right
		t.cells = append(t.cells, t.next)
	}
	t.next = cellProps{}
}

// table is a table that is being read.
type table struct {
	cell  flow // the cell that is being written
	cells []tableCell
	rows  []tableRow
}

type tableRow struct {
	props tableProps
	cells []tableCell
}

type tableCell struct {
	blocks []doc.Block
	align  string
}

// rowStart begins the definition of a row.
func (p *parser) rowStart() { p.row = &tableProps{} }

// nestedRow lets a group define a row of an inner table, without touching the row around it.
func (p *parser) nestedRow() {
	outer := p.row
	p.row = nil
	p.st.skip, p.st.sink = false, nil
	p.st.end = func() { p.row = outer }
}

func (p *parser) rowProps() *tableProps {
	if p.row == nil {
		p.row = &tableProps{}
	}
	return p.row
}

// cellEnd ends a cell of the table at that depth.
func (p *parser) cellEnd(depth int) {
	p.flush()
	if p.st.skip || p.st.sink != nil {
		return
	}
	s := p.story
	at := p.st
	at.par.inTable, at.par.nesting = true, depth
	s.paragraphEnd(&at)
	t := s.tables[depth-1]
	if len(t.cells) < maxCells {
		t.cells = append(t.cells, tableCell{t.cell.finish(), at.par.align})
	}
}

// rowEnd ends a row of the table at that depth.
func (p *parser) rowEnd(depth int) {
	p.flush()
	s := p.story
	if p.st.skip || len(s.tables) < depth {
		return
	}
	s.closeTables(depth)
	props := p.rowProps()
	t := s.tables[depth-1]
	if t.isOther(props) {
		for _, b := range t.blocks(p) {
			s.target(depth - 1).add(b)
		}
		t.rows = nil
	}
	t.endRow(props)
}

// isOther tells whether a row begins another table, right below this one: it stands elsewhere on the page, or heads a table anew.
func (t *table) isOther(props *tableProps) bool {
	if len(t.rows) == 0 {
		return false
	}
	last := &t.rows[len(t.rows)-1].props
	return last.align != props.align || props.header && !last.header
}

// endRow ends the row that is being read; with nil, the table ends without having ended it.
func (t *table) endRow(props *tableProps) {
	if rest := t.cell.finish(); len(rest) > 0 {
		t.cells = append(t.cells, tableCell{blocks: rest})
	}
	if len(t.cells) == 0 {
		return
	}
	row := tableRow{cells: t.cells}
	if props != nil {
		row.props = *props
		row.props.cells = slices.Clone(props.cells)
	}
	t.rows = append(t.rows, row)
	t.cells = nil
}

// blocks makes the rows a table; a single cell around text is no table.
func (t *table) blocks(p *parser) []doc.Block {
	edges := t.edges()
	g := &doc.Grid{Rows: len(t.rows)}
	above := map[int]int{} // index of the cell that goes on downwards, by its column
	inHead := true
	for r, row := range t.rows {
		if inHead = inHead && row.props.header; inHead {
			g.HeaderRows++
		}
		column := 0
		for c := range row.cells {
			width := row.width(c, column, edges)
			column = t.put(g, above, r, column, width, row, c)
			g.Columns = max(g.Columns, column)
		}
	}
	if len(g.Cells) == 0 || !hasText(g) {
		return nil
	}
	if g.HeaderRows == g.Rows {
		g.HeaderRows = 0
	}
	if g.HeaderRows == 0 && g.Rows > 1 && g.Columns > 1 && isBold(g, 0) && !isBold(g, 1) {
		g.HeaderRows = 1
		p.doc.Warn("header_guessed", "The first row of a table was taken for its header, because it alone is bold.")
	}
	for i := range g.Cells {
		if g.Cells[i].Header = g.Cells[i].Row < g.HeaderRows; g.Cells[i].Header {
			plainHeader(g.Cells[i].Blocks)
		}
	}
	if g.Rows == 1 && g.Columns == 1 {
		return g.Cells[0].Blocks
	}
	return []doc.Block{{Kind: doc.Table, Table: g}}
}

// isBold tells whether a row is bold and none of its cells reaches into the next one.
func isBold(g *doc.Grid, row int) bool {
	tall := slices.ContainsFunc(g.Cells, func(c doc.Cell) bool { return c.Row == row && c.Height() > 1 })
	return !tall && g.BoldRow(row)
}

// plainHeader takes a bold look off header cells, as off headings: they are shown so anyway.
func plainHeader(blocks []doc.Block) {
	for i := range blocks {
		if common(blocks[i].Inlines).Has(doc.Strong) {
			for n := range blocks[i].Inlines {
				blocks[i].Inlines[n].Marks &^= doc.Strong
			}
		}
	}
}

func hasText(g *doc.Grid) bool {
	for i := range g.Cells {
		if len(g.Cells[i].Blocks) > 0 {
			return true
		}
	}
	return false
}

// put adds one cell and gives the column after it.
func (t *table) put(g *doc.Grid, above map[int]int, r, column, width int, row tableRow, c int) int {
	var props cellProps
	if c < len(row.props.cells) {
		props = row.props.cells[c]
	}
	last := len(g.Cells) - 1
	if props.mergedRight && last >= 0 && g.Cells[last].Row == r {
		g.Cells[last].ColSpan = g.Cells[last].Width() + width
		g.Cells[last].Blocks = append(g.Cells[last].Blocks, row.cells[c].blocks...)
		return column + width
	}
	if index, ok := above[column]; props.mergedDown && ok && g.Cells[index].Row+g.Cells[index].Height() == r && g.Cells[index].Width() == width {
		g.Cells[index].RowSpan = g.Cells[index].Height() + 1
		g.Cells[index].Blocks = append(g.Cells[index].Blocks, row.cells[c].blocks...)
		return column + width
	}
	cell := doc.Cell{Row: r, Column: column, Blocks: row.cells[c].blocks, Align: row.cells[c].align}
	if width > 1 {
		cell.ColSpan = width
	}
	g.Cells = append(g.Cells, cell)
	delete(above, column)
	if props.mergeDown {
		above[column] = len(g.Cells) - 1
	}
	return column + width
}

// edges are the right edges of all cells of the table, in order, each once.
func (t *table) edges() []int {
	var all []int
	for _, row := range t.rows {
		for _, c := range row.props.cells {
			all = append(all, c.right)
		}
	}
	slices.Sort(all)
	var edges []int
	for _, e := range all {
		if len(edges) == 0 || e-edges[len(edges)-1] > snap {
			edges = append(edges, e)
		}
	}
	return edges
}

// width is how many columns a cell covers: the edges of other rows that lie inside it count.
func (r *tableRow) width(c, column int, edges []int) int {
	if c >= len(r.props.cells) || len(r.cells) != len(r.props.cells) {
		return 1
	}
	right := r.props.cells[c].right
	end := column
	for end < len(edges) && edges[end] <= right+snap {
		end++
	}
	return max(1, end-column)
}
