package pdfium

// Element is what the structure tree says about a piece of marked content (ISO 32000-2, 14.7).
type Element struct {
	Type string // the nearest enclosing type that is not Span or the like: "H1", "P", "LBody", "TD", "Figure"
	Alt  string // the alternative text of the nearest element that has one
}

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
	e     *Engine
	found map[int]Element
	left  int
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
		w.enter(e.call("FPDF_StructElement_GetChildAtIndex", handle, uint64(i)), inner, depth+1)
	}
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
