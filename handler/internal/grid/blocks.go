package grid

import (
	"cmp"
	"fmt"
	"slices"

	"decant/handler/internal/doc"
)

// Limits of what is shown as a table. An area that is much larger than its cells are many is shown as a list of cells.
const (
	maxEmptyShare = 64      // grid positions for each cell
	freeArea      = 100_000 // grid positions that are fine in any case
	listLength    = 40      // characters: a single column of texts this short is a list of values, longer ones are prose
)

// Blocks gives the sheet's content in reading order and reports into d: warnings, and, unless includeHidden is set,
// the cells of hidden rows and columns as d.Hidden.
func (s *Sheet) Blocks(d *doc.Document, includeHidden bool) []doc.Block {
	s.sort()
	index := s.mergeIndex()
	parts := s.markHidden(index)
	s.reportHidden(d, parts, index, includeHidden)
	regions := findRegions(s.Cells, index, s.Tables)
	b := &builder{sheet: s, lean: len(s.Cells) > leanCells}
	if regions == nil && len(s.Cells) > maxRecords {
		return s.asLines(d, includeHidden)
	}
	if regions == nil && len(s.Cells) > 0 {
		d.Warn("table_guessed", "The sheet's cells are too scattered for tables; they are listed one by one.", doc.Place{Page: s.Page, Sheet: s.Name})
		all := []*region{{cells: s.Cells}}
		if !includeHidden {
			all = dropHidden(all, index)
		}
		var blocks []doc.Block
		for _, r := range all {
			blocks = append(blocks, b.records(r.cells))
		}
		return append(blocks, s.floats()...)
	}
	regions = joinTorn(regions)
	if !includeHidden && len(parts.rows)+len(parts.columns) > 0 {
		regions = dropHidden(regions, index)
	}
	blocks := s.arrange(b.regionBlocks(d, regions, index))
	if b.overlaps > 0 {
		d.Warn("overlapping_cells", fmt.Sprintf("%d merged cells on the sheet %q cover each other; they were not merged.", b.overlaps, s.Name), doc.Place{Page: s.Page, Sheet: s.Name})
	}
	return blocks
}

// maxRecords is how many cells are listed one by one; more become lines.
const maxRecords = 10_000

// asLines keeps all cells as lines. What is hidden was reported and kept apart already.
func (s *Sheet) asLines(d *doc.Document, includeHidden bool) []doc.Block {
	l := NewLines(s, true)
	for i := range s.Cells {
		if includeHidden || !s.Cells[i].Hidden {
			l.Add(&s.Cells[i])
		}
	}
	return l.Blocks(d)
}

// placed is a block with the cell that it begins at.
type placed struct {
	row, column int
	blocks      []doc.Block
}

func (b *builder) regionBlocks(d *doc.Document, regions []*region, index merges) []placed {
	var out []placed
	for _, r := range regions {
		top, left := r.Top, r.Left
		titles, remarks := r.trimTitles(index)
		var blocks []doc.Block
		for i := range titles {
			blocks = append(blocks, b.paragraph(&titles[i])...)
		}
		blocks = append(blocks, b.region(d, r, index)...)
		for i := range remarks {
			blocks = append(blocks, b.paragraph(&remarks[i])...)
		}
		out = append(out, placed{top, left, blocks})
	}
	return out
}

// arrange puts floats between the regions: by the row they begin at, then the column.
func (s *Sheet) arrange(items []placed) []doc.Block {
	for _, f := range s.Floats {
		items = append(items, placed{f.Row, f.Column, f.Blocks})
	}
	slices.SortStableFunc(items, func(a, b placed) int {
		if a.row != b.row {
			return cmp.Compare(a.row, b.row)
		}
		return cmp.Compare(a.column, b.column)
	})
	var blocks []doc.Block
	for _, item := range items {
		blocks = append(blocks, item.blocks...)
	}
	return blocks
}

func (s *Sheet) floats() []doc.Block { return s.arrange(nil) }

// region makes blocks of a region: a table, or paragraphs when it is no table.
func (b *builder) region(d *doc.Document, r *region, index merges) []doc.Block {
	if r.name == "" && (len(r.cells) == 1 || r.isProse()) {
		var blocks []doc.Block
		for i := range r.cells {
			blocks = append(blocks, b.paragraph(&r.cells[i])...)
		}
		return blocks
	}
	if r.findHeader(b.sheet, index) {
		d.Warn("header_guessed", "The first row of a table was taken for its header.", b.place(r.String()))
	}
	if area := r.usedArea(); area > freeArea && area/maxEmptyShare > len(r.cells) {
		d.Warn("table_guessed", "Cells are too scattered for a table; they are listed one by one.", b.place(r.String()))
		return []doc.Block{b.records(r.cells)}
	}
	return b.tables(r, index)
}

// usedArea is the number of grid positions of the region's table.
func (r *region) usedArea() int {
	rows, columns := 0, map[int32]bool{}
	for i := range r.cells {
		if i == 0 || r.cells[i].Row != r.cells[i-1].Row {
			rows++
		}
		columns[r.cells[i].Column] = true
	}
	return rows * len(columns)
}

// isProse: one column of texts, of which one is longer than a value in a list.
func (r *region) isProse() bool {
	if r.columnCount() > 1 {
		return false
	}
	long := false
	for i := range r.cells {
		if r.cells[i].Class != Text {
			return false
		}
		long = long || len([]rune(r.cells[i].Text)) > listLength
	}
	return long || len(r.cells) < 3
}

// records lists cells one by one: name and value.
func (b *builder) records(cells []Cell) doc.Block {
	table := &doc.Grid{Rows: len(cells) + 1, Columns: 2, HeaderRows: 1}
	header := func(column int, text string) {
		table.Cells = append(table.Cells, doc.Cell{Column: column, Header: true, Blocks: []doc.Block{doc.P(text)}})
	}
	header(0, "Cell")
	header(1, "Value")
	for i := range cells {
		name := Name(int(cells[i].Row), int(cells[i].Column))
		value := b.cell(&cells[i])
		value.Row, value.Column = i+1, 1
		table.Cells = append(table.Cells, doc.Cell{Row: i + 1, Blocks: []doc.Block{doc.P(name)}}, value)
	}
	return doc.Block{Kind: doc.Table, Table: table, Places: []doc.Place{{Page: b.sheet.Page, Sheet: b.sheet.Name}}}
}

// reportHidden warns about hidden rows and columns with content, and keeps it apart unless it is shown in its place.
func (s *Sheet) reportHidden(d *doc.Document, parts hiddenParts, index merges, included bool) {
	s.report(d, "hidden_rows", "hidden_row", "rows", parts.rows, index, included)
	s.report(d, "hidden_columns", "hidden_column", "columns", parts.columns, index, included)
}

func (s *Sheet) report(d *doc.Document, class doc.Class, reason, what string, cells []Cell, index merges, included bool) {
	if len(cells) == 0 {
		return
	}
	became := "kept apart"
	if included {
		became = "shown, as asked for"
	}
	d.Warn(class, fmt.Sprintf("The sheet %q has hidden %s with content; they were %s.", s.Name, what, became), doc.Place{Page: s.Page, Sheet: s.Name})
	if included {
		return
	}
	area := index.area(&cells[0])
	for i := range cells {
		area = area.Union(index.area(&cells[i]))
	}
	b := &builder{sheet: s, lean: len(cells) > leanCells}
	tables := b.tables(&region{Rect: area, cells: cells}, index)
	d.Hidden = append(d.Hidden, doc.Hidden{Reason: reason, Name: s.Name, Blocks: tables})
}
