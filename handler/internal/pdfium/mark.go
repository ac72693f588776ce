package pdfium

// Layer tells whether an object stands in an optional content group (ISO 32000-2, 8.11.3.2), and the group's name where it is given.
// Whether the group is switched on, Page.Shows can tell.
func (p *Page) Layer(object uint64) (name string, ok bool) {
	e := p.d.e
	n := min(max(0, int32Of(e.call("FPDFPageObj_CountMarks", object))), 64)
	for i := range n {
		mark := e.call("FPDFPageObj_GetMark", object, uint64(i))
		if uint32(mark) == 0 || e.markName(mark) != "OC" {
			continue
		}
		return e.markString(mark, "Name"), true
	}
	return "", false
}

func (e *Engine) markName(mark uint64) string {
	length := uint64(e.scratch + scratchSize - 8)
	return utf16Text(e.fetch(func(buffer, size uint64) uint64 {
		e.call("FPDFPageObjMark_GetName", mark, buffer, size, length)
		return uint64(e.u32(uint32(length)))
	}))
}

func (e *Engine) markString(mark uint64, key string) string {
	tag := e.put([]byte(key))
	defer e.free(tag)
	length := uint64(e.scratch + scratchSize - 8)
	return utf16Text(e.fetch(func(buffer, size uint64) uint64 {
		if !truth(e.call("FPDFPageObjMark_GetParamStringValue", mark, uint64(tag), buffer, size, length)) {
			return 0
		}
		return uint64(e.u32(uint32(length)))
	}))
}
