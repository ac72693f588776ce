package pdfium

// Annotation is a note, a highlight, a form field or a file on a page.
type Annotation struct {
	Subtype  int // as FPDFAnnot_GetSubtype numbers them: see the constants
	Box      Rect
	Contents string
	Author   string
	Modified string // a PDF date
	// of form fields
	Field, Value string
	Checked      bool
	Kind         int // field type: 1 push button, 2 check box, 3 radio button, 4 combo box, 5 list box, 6 text field, 7 signature
	// of file attachments
	File *Attachment
}

// Subtypes that have something to say.
const (
	TextAnnotation      = 1
	LinkAnnotation      = 2
	FreeTextAnnotation  = 3
	HighlightAnnotation = 9
	UnderlineAnnotation = 10
	SquigglyAnnotation  = 11
	StrikeAnnotation    = 12
	StampAnnotation     = 13
	FileAnnotation      = 17
	WidgetAnnotation    = 20
)

// maxAnnotations bounds the annotations of one page.
const maxAnnotations = 5_000

// Annotations lists what is written on the page, links and pop-ups left out. Attached files up to limit bytes are read.
func (p *Page) Annotations(limit int64) []Annotation {
	e := p.d.e
	var list []Annotation
	n := min(max(0, int32Of(e.call("FPDFPage_GetAnnotCount", p.handle))), maxAnnotations)
	for i := range n {
		handle := e.call("FPDFPage_GetAnnot", p.handle, uint64(i))
		if uint32(handle) == 0 || e.err != nil {
			continue
		}
		subtype := int32Of(e.call("FPDFAnnot_GetSubtype", handle))
		const popup = 16
		if subtype != LinkAnnotation && subtype != popup {
			list = append(list, p.annotation(handle, subtype, limit))
		}
		e.call("FPDFPage_CloseAnnot", handle)
	}
	return list
}

func (p *Page) annotation(handle uint64, subtype int, limit int64) Annotation {
	e := p.d.e
	a := Annotation{Subtype: subtype, Contents: p.annotText(handle, "Contents"), Author: p.annotText(handle, "T"), Modified: p.annotText(handle, "M")}
	if truth(e.call("FPDFAnnot_GetRect", handle, uint64(e.scratch))) {
		a.Box = e.rect(e.scratch)
	}
	switch subtype {
	case FileAnnotation:
		if file := e.call("FPDFAnnot_GetFileAttachment", handle); uint32(file) != 0 {
			attachment := p.d.attachment(file, limit)
			a.File = &attachment
		}
	case WidgetAnnotation:
		p.widget(handle, &a)
	}
	return a
}

// annotText reads a text entry of an annotation's dictionary.
func (p *Page) annotText(handle uint64, key string) string {
	e := p.d.e
	tag := e.put([]byte(key))
	defer e.free(tag)
	return utf16Text(e.fetch(func(buffer, size uint64) uint64 {
		return e.call("FPDFAnnot_GetStringValue", handle, uint64(tag), buffer, size)
	}))
}
