package pdfium

// Element is what the structure tree says about a piece of marked content (ISO 32000-2, 14.7).
type Element struct {
	Type string // the nearest enclosing type that is not Span or the like: "H1", "P", "LBody", "TD", "Figure"
	Alt  string // the alternative text of the nearest element that has one
	Cell *Cell  // the table cell that it stands in, or nil; all content of one cell has the same

	table *tableWalk
	row   *rowWalk
}

// Cell is a cell of a tagged table. Only cells with content on the page are known.
type Cell struct {
	Table            int // number on the page, from 0
	Row, Column      int // from 0; rows without content on the page do not count
	RowSpan, ColSpan int // at least 1
	Header           bool
}

// tableWalk is a table whose rows are being read, with the places that are taken by its cells.
type tableWalk struct {
	number, rows int
	taken        map[[2]int]bool
}

// rowWalk is a row whose cells are being read.
type rowWalk struct{ index, column int }

// Limits of a page's structure tree.
const (
	maxElements  = 50_000
	maxTreeDepth = 64
)

// Structure gives what the structure tree says about the page's marked content, by its id. Empty for an untagged page.
func (p *Page) Structure() map[int]Element {
	e := p.d.e
	tree := e.call("FPDF_StructTree_GetForPage", p.handle)
	if uint32(tree) == 0 {
		return nil
	}
	defer e.call("FPDF_StructTree_Close", tree)
	w := &structureWalk{e: e, found: map[int]Element{}, left: maxElements}
	n := min(max(0, int32Of(e.call("FPDF_StructTree_CountChildren", tree))), maxElements)
	for i := range n {
		w.enter(e.call("FPDF_StructTree_GetChildAtIndex", tree, uint64(i)), Element{}, 0)
	}
	return w.found
}

type structureWalk struct {
	e      *Engine
	found  map[int]Element
	left   int
	tables int
}

// inlineTypes say nothing about the block they stand in.
var inlineTypes = map[string]bool{"Span": true, "Link": true, "Reference": true, "Em": true, "Strong": true, "Sub": true, "Annot": true, "Quote": true}

func (w *structureWalk) enter(handle uint64, outer Element, depth int) {
	e := w.e
	w.left--
	if uint32(handle) == 0 || depth > maxTreeDepth || w.left < 0 || e.err != nil {
		return
	}
	inner := outer
	if kind := e.elementText("FPDF_StructElement_GetType", handle); kind != "" && !inlineTypes[kind] {
		inner.Type = kind
	}
	w.table(handle, &inner, outer)
	if alt := e.elementText("FPDF_StructElement_GetAltText", handle); alt != "" {
		inner.Alt = alt
	}
	ids := min(max(0, int32Of(e.call("FPDF_StructElement_GetMarkedContentIdCount", handle))), maxElements)
	for i := range ids {
		if id := int32Of(e.call("FPDF_StructElement_GetMarkedContentIdAtIndex", handle, uint64(i))); id >= 0 {
			w.found[id] = inner
		}
	}
	children := min(max(0, int32Of(e.call("FPDF_StructElement_CountChildren", handle))), maxElements)
	for i := range children {
		if id := int32Of(e.call("FPDF_StructElement_GetChildMarkedContentID", handle, uint64(i))); id >= 0 {
			w.found[id] = inner
			continue
		}
		child := e.call("FPDF_StructElement_GetChildAtIndex", handle, uint64(i))
		if uint32(child) == 0 && inner.Type == "TR" && inner.row != nil {
			inner.table.place(inner.row, 1, 1) // an empty cell
		}
		w.enter(child, inner, depth+1)
	}
}

// table keeps count of tables, rows and cells.
func (w *structureWalk) table(handle uint64, inner *Element, outer Element) {
	if inner.Type == outer.Type && inner.Type != "Table" || inner.Type == "" {
		return
	}
	switch inner.Type {
	case "Table":
		inner.table, inner.row, inner.Cell = &tableWalk{number: w.tables, taken: map[[2]int]bool{}}, nil, nil
		w.tables++
	case "TR":
		if inner.table != nil {
			inner.row, inner.Cell = &rowWalk{index: inner.table.rows}, nil
			inner.table.rows++
		}
	case "TH", "TD":
		if inner.row == nil || inner.Cell != nil {
			return
		}
		c := &Cell{Table: inner.table.number, Row: inner.row.index, Header: inner.Type == "TH", RowSpan: w.span(handle, "RowSpan"), ColSpan: w.span(handle, "ColSpan")}
		c.Column = inner.table.place(inner.row, c.RowSpan, c.ColSpan)
		inner.Cell = c
	}
}

// place takes room for a cell in the first free column of its row.
func (t *tableWalk) place(r *rowWalk, rows, columns int) int {
	for t.taken[[2]int{r.index, r.column}] {
		r.column++
	}
	column := r.column
	for i := range rows {
		for k := range columns {
			t.taken[[2]int{r.index + i, column + k}] = true
		}
	}
	r.column += columns
	return column
}

// maxSpan bounds how far a cell may say it reaches.
const maxSpan = 200

// span is an attribute of a cell that counts rows or columns (ISO 32000-2, table 384).
func (w *structureWalk) span(handle uint64, name string) int {
	e := w.e
	tag := e.put(append([]byte(name), 0))
	defer e.free(tag)
	n := min(max(0, int32Of(e.call("FPDF_StructElement_GetAttributeCount", handle))), 16)
	for i := range n {
		attribute := e.call("FPDF_StructElement_GetAttributeAtIndex", handle, uint64(i))
		if uint32(attribute) == 0 {
			continue
		}
		value := e.call("FPDF_StructElement_Attr_GetValue", attribute, uint64(tag))
		if uint32(value) != 0 && truth(e.call("FPDF_StructElement_Attr_GetNumberValue", value, uint64(e.scratch))) {
			return min(max(1, int(e.f32(e.scratch))), maxSpan)
		}
	}
	return 1
}

func (e *Engine) elementText(name string, handle uint64) string {
	return utf16Text(e.fetch(func(buffer, size uint64) uint64 { return e.call(name, handle, buffer, size) }))
}

// Artifact tells whether an object is marked as not belonging to the content, as running headers are.
func (p *Page) Artifact(object uint64) bool {
	e := p.d.e
	n := min(max(0, int32Of(e.call("FPDFPageObj_CountMarks", object))), 64)
	for i := range n {
		if mark := e.call("FPDFPageObj_GetMark", object, uint64(i)); uint32(mark) != 0 && e.markName(mark) == "Artifact" {
			return true
		}
	}
	return false
}

// Tag is an object's marked content id, or -1.
func (p *Page) Tag(object uint64) int {
	return int32Of(p.d.e.call("FPDFPageObj_GetMarkedContentID", object))
}
