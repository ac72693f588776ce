package pdfium

// Field types, as FPDFAnnot_GetFormFieldType numbers them.
const (
	PushButton  = 1
	CheckBox    = 2
	RadioButton = 3
)

// formInfoSize is more than FPDF_FORMFILLINFO takes in 32-bit memory: a version and about forty pointers to functions, all of them nil here.
const formInfoSize = 512

// formFill gives PDFium's own view of the document's form, which it makes on first use; 0 when there is none.
func (d *Document) formFill() uint64 {
	if d.formTried {
		return d.form
	}
	d.formTried = true
	info := make([]byte, formInfoSize)
	info[0] = 1 // the version without XFA
	if d.formInfo = d.e.put(info); d.formInfo == 0 {
		return 0
	}
	d.form = uint64(uint32(d.e.call("FPDFDOC_InitFormFillEnvironment", d.handle, uint64(d.formInfo))))
	return d.form
}

func (d *Document) closeForm() {
	if d.form != 0 {
		d.e.call("FPDFDOC_ExitFormFillEnvironment", d.form)
	}
	if d.formInfo != 0 {
		d.e.free(d.formInfo)
	}
}

// widget reads a form field: its full name ("person.name"), its type and value.
func (p *Page) widget(handle uint64, a *Annotation) {
	e := p.d.e
	a.Author = ""
	a.Field, a.Value = p.annotText(handle, "T"), p.annotText(handle, "V")
	state := p.annotText(handle, "AS")
	if state != "" {
		a.Checked, a.Kind = state != "Off", CheckBox
	}
	form := p.d.formFill()
	if form == 0 || e.err != nil {
		return
	}
	kind := int32Of(e.call("FPDFAnnot_GetFormFieldType", form, handle))
	if kind <= 0 {
		return // not in the document's list of fields
	}
	a.Kind = kind
	text := func(name string) string {
		return utf16Text(e.fetch(func(buffer, size uint64) uint64 { return e.call(name, form, handle, buffer, size) }))
	}
	if name := text("FPDFAnnot_GetFormFieldName"); name != "" {
		a.Field = name
	}
	switch kind {
	case CheckBox, RadioButton:
		a.Checked = a.Checked || truth(e.call("FPDFAnnot_IsChecked", form, handle))
		if a.Value = text("FPDFAnnot_GetFormFieldExportValue"); a.Value == "" {
			a.Value = state
		}
	default:
		a.Value = text("FPDFAnnot_GetFormFieldValue")
	}
}
