package docx

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxColumns bounds a row's width: a forged gridSpan would otherwise make a table of any size. Word itself ends at 63.
const maxColumns = 1000

// tableReader makes one w:tbl into a grid.
type tableReader struct {
	f       *flow
	grid    *doc.Grid
	merging map[int]int // index of the cell that goes on downwards, by its column
	headers int         // rows at the top that are marked as headers
	inHead  bool        // all rows so far are
}

// table takes in one w:tbl.
func (f *flow) table(n *xmltree.Node) {
	t := &tableReader{f: f, grid: &doc.Grid{}, merging: map[int]int{}, inHead: true}
	page := f.p.page
	t.rows(n, f.revision)
	t.looks(n.Child("w:tblPr"))
	t.grid.HeaderRows = t.headers
	t.mark()
	if len(t.grid.Cells) == 0 {
		return
	}
	title, description := alternativeTexts(n.Child("w:tblPr"))
	if t.grid.Rows == 1 && t.grid.Columns == 1 { // a box around text, not a table
		f.describe(page, title, description)
		f.addAll(t.grid.Cells[0].Blocks)
		return
	}
	f.describe(page, description)
	f.addTable(doc.Block{Kind: doc.Table, Table: t.grid, Places: f.places(page), Label: title})
}

// alternativeTexts are the title and the description of a table's properties, the second only where it says more than the first.
func alternativeTexts(tblPr *xmltree.Node) (title, description string) {
	title = strings.Join(strings.Fields(tblPr.Child("w:tblCaption").Attr("w:val")), " ")
	description = strings.TrimSpace(tblPr.Child("w:tblDescription").Attr("w:val"))
	if description == title {
		description = ""
	}
	return title, description
}

// describe adds the alternative texts of a table that have no place in it as paragraphs: before it, so that a caption below still meets it.
func (f *flow) describe(page int, texts ...string) {
	for _, text := range texts {
		if text != "" {
			b := doc.P(text)
			b.Places = f.places(page)
			f.add(b)
		}
	}
}

// addTable adds a table with the caption that waited for it, else with its title as the caption.
func (f *flow) addTable(b doc.Block) {
	if f.caption == nil && b.Label != "" {
		b.Caption = []doc.Inline{doc.T(b.Label)}
	}
	if f.caption != nil {
		b.Caption = f.caption.Inlines
		b.Anchor = f.caption.Anchor
		f.caption = nil
	}
	f.add(b)
}

// rows reads rows, also inside content controls and tracked changes.
func (t *tableReader) rows(n *xmltree.Node, rev revision) {
	for _, c := range n.Children {
		switch c.Name {
		case "w:tr":
			t.row(c, rev)
		case "w:sdt":
			if content := c.Child("w:sdtContent"); content != nil {
				t.rows(content, rev)
			}
		case "mc:AlternateContent":
			if chosen := choose(c); chosen != nil {
				t.rows(chosen, rev)
			}
		case "w:ins", "w:del", "w:moveFrom", "w:moveTo":
			if inner := t.f.p.changes.enter(c, rev); !inner.hidden {
				t.rows(c, inner)
			}
		case "w:p", "w:tbl":
			t.f.block(c)
		case "w:customXml", "w:smartTag":
			t.rows(c, rev)
		}
	}
}

func (t *tableReader) row(n *xmltree.Node, rev revision) {
	trPr := n.Child("w:trPr")
	rev = t.f.p.changes.rowRevision(n, trPr, rev)
	if rev.hidden {
		return
	}
	row := t.grid.Rows
	t.grid.Rows++
	column := bounded(trPr.Child("w:gridBefore").Attr("w:val"), 0)
	head := trPr.Child("w:tblHeader")
	t.inHead = t.inHead && head != nil && on(head.Attr("w:val"))
	if t.inHead {
		t.headers++
	}
	end := t.cells(n, row, column, rev)
	for at, index := range t.merging { // what does not go on in this row ends
		if c := &t.grid.Cells[index]; c.Row+c.Height() <= row {
			delete(t.merging, at)
		}
	}
	t.grid.Columns = max(t.grid.Columns, end)
}

// cells reads the cells of a row from a column on and gives the column after the last.
func (t *tableReader) cells(n *xmltree.Node, row, column int, rev revision) int {
	for _, c := range n.Children {
		switch c.Name {
		case "w:tc":
			column = t.cell(c, row, column, rev)
		case "w:sdt":
			if content := c.Child("w:sdtContent"); content != nil {
				column = t.cells(content, row, column, rev)
			}
		case "w:customXml", "w:smartTag":
			column = t.cells(c, row, column, rev)
		}
	}
	return column
}

func (t *tableReader) cell(n *xmltree.Node, row, column int, rev revision) int {
	tcPr := n.Child("w:tcPr")
	width := max(1, min(bounded(tcPr.Child("w:gridSpan").Attr("w:val"), 1), maxColumns))
	if column+width > maxColumns {
		width = 1
	}
	merge := tcPr.Child("w:vMerge")
	goesOn := merge != nil && merge.Attr("w:val") != "restart"
	if sideways := tcPr.Child("w:hMerge"); sideways != nil && sideways.Attr("w:val") != "restart" && t.widen(row, column) {
		return column + 1
	}
	blocks := t.f.p.story(n, true, rev)
	if index, ok := t.merging[column]; goesOn && ok {
		above := &t.grid.Cells[index]
		if above.Row+above.Height() == row && above.Width() == width {
			above.RowSpan = above.Height() + 1
			above.Blocks = append(above.Blocks, blocks...)
			return column + width
		}
	}
	cell := doc.Cell{Row: row, Column: column, Blocks: blocks, Align: align(n)}
	if width > 1 {
		cell.ColSpan = width
	}
	t.grid.Cells = append(t.grid.Cells, cell)
	delete(t.merging, column)
	if merge != nil {
		t.merging[column] = len(t.grid.Cells) - 1
	}
	return column + width
}

// widen lets the cell to the left cover one more column (the old w:hMerge).
func (t *tableReader) widen(row, column int) bool {
	last := len(t.grid.Cells) - 1
	if last < 0 {
		return false
	}
	c := &t.grid.Cells[last]
	if c.Row != row || c.Column+c.Width() != column {
		return false
	}
	c.ColSpan = c.Width() + 1
	return true
}

func align(tc *xmltree.Node) string {
	switch tc.Child("w:p", "w:pPr", "w:jc").Attr("w:val") {
	case "center":
		return "center"
	case "right", "end":
		return "right"
	}
	return ""
}

func bounded(value string, otherwise int) int { return min(max(atoi(value, otherwise), 0), maxColumns) }

// looks takes the first row for a header when the table's style shows it as one, or when it alone is all bold.
func (t *tableReader) looks(tblPr *xmltree.Node) {
	if t.headers > 0 || t.grid.Rows < 2 || t.grid.Columns < 2 {
		return
	}
	look := tblPr.Child("w:tblLook")
	firstRow := look.Attr("w:firstRow") == "1" || look.Attr("w:firstRow") == "true"
	if _, ok := look.Lookup("w:firstRow"); !ok {
		firstRow = hexBit(look.Attr("w:val"), 0x20)
	}
	def := t.f.p.styles.get(tblPr.Child("w:tblStyle").Attr("w:val"))
	switch {
	case firstRow && def != nil && def.headerRow:
		t.headers = t.firstRowHeight()
	case t.grid.BoldRow(0) && !t.grid.BoldRow(1):
		t.headers = t.firstRowHeight()
		t.f.p.doc.Warn("header_guessed", "The first row of a table was taken for its header, because it alone is bold.")
	}
}

func hexBit(value string, bit int64) bool {
	n := int64(0)
	for _, c := range value {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int64(c-'0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | int64(c-'a'+10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | int64(c-'A'+10)
		default:
			return false
		}
	}
	return n&bit != 0
}

// firstRowHeight is how many rows the cells of the first row cover: a header cell over two rows has sub-headers beside it.
func (t *tableReader) firstRowHeight() int {
	height := 1
	for i := range t.grid.Cells {
		if c := &t.grid.Cells[i]; c.Row == 0 {
			height = max(height, c.Height())
		}
	}
	if height >= t.grid.Rows {
		return 1
	}
	return height
}

// mark marks the cells of header rows.
func (t *tableReader) mark() {
	for i := range t.grid.Cells {
		t.grid.Cells[i].Header = t.grid.Cells[i].Row < t.grid.HeaderRows
	}
}
