package pdf

import (
	"bytes"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
	"decant/handler/internal/pdfium"
)

// annotationKinds says what becomes of an annotation with text; other subtypes are drawings.
var annotationKinds = map[int]string{
	pdfium.TextAnnotation: "comment", pdfium.FreeTextAnnotation: "comment", pdfium.StampAnnotation: "comment",
	pdfium.HighlightAnnotation: "highlight", pdfium.UnderlineAnnotation: "highlight",
	pdfium.SquigglyAnnotation: "highlight", pdfium.StrikeAnnotation: "deletion",
}

// maxAttachment bounds a file attached to a page or the document, in bytes.
const maxAttachment = 256 << 20

// annotations reads comments, highlights, form fields and attached files of a page.
func (p *parse) annotations(page *pdfium.Page, v view, into *layout.Page) {
	for _, a := range page.Annotations(p.attachmentLimit()) {
		box := v.rect(a.Box)
		place := doc.Place{Page: into.Number, Box: &box}
		switch {
		case a.Subtype == pdfium.WidgetAnnotation:
			p.field(a, place)
		case a.File != nil:
			p.attach(*a.File)
		case annotationKinds[a.Subtype] != "":
			p.annotation(a, place, into)
		}
	}
}

func (p *parse) annotation(a pdfium.Annotation, place doc.Place, into *layout.Page) {
	kind := annotationKinds[a.Subtype]
	text := clean(a.Contents)
	covered := ""
	if kind != "comment" {
		covered = textIn(into, *place.Box)
	}
	if text == "" && covered == "" {
		return
	}
	date, _ := isoDate(a.Modified)
	p.out.Annotations = append(p.out.Annotations, doc.Annotation{
		Kind: kind, Author: clean(a.Author), Date: date, Text: text, Range: covered, Places: []doc.Place{place},
	})
	p.out.Warn("annotation_kept_apart", "Annotations are in document.json only.", place)
}

// textIn is the text of the glyphs in a box, in drawing order.
func textIn(page *layout.Page, box doc.Box) string {
	var text []rune
	for i := range page.Glyphs {
		g := &page.Glyphs[i]
		x, y := (g.Box.X0+g.Box.X1)/2, (g.Box.Y0+g.Box.Y1)/2
		if x < box.X0 || x > box.X1 || y < box.Y0 || y > box.Y1 {
			continue
		}
		if g.Space && len(text) > 0 {
			text = append(text, ' ')
		}
		text = append(text, g.Rune)
	}
	return clean(string(text))
}

// field keeps a form field's name and value; appearances of fields are no part of the page's text.
func (p *parse) field(a pdfium.Annotation, place doc.Place) {
	value := clean(a.Value)
	switch a.Kind {
	case pdfium.PushButton:
		return
	case pdfium.CheckBox:
		value = onOff(a.Checked)
	case pdfium.RadioButton:
		if !a.Checked {
			return // one of several buttons of a field
		}
	}
	name := clean(a.Field)
	if value == "" || value == "off" && name == "" {
		return
	}
	inlines := []doc.Inline{{Kind: doc.Input, Text: value, Name: name}}
	if name != "" {
		inlines = append([]doc.Inline{doc.T(name + ": ")}, inlines...)
	}
	p.fields = append(p.fields, doc.Block{Kind: doc.Paragraph, Inlines: inlines, Places: []doc.Place{place}})
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (p *parse) attachmentLimit() int64 {
	if p.in.Limits.Unpack > 0 {
		return min(p.in.Limits.Unpack, maxAttachment)
	}
	return maxAttachment
}

// attachments takes out the files embedded in the document.
func (p *parse) attachments() {
	count := p.in.Limits.Members
	if count <= 0 {
		count = 1000
	}
	for _, a := range p.pdf.Attachments(count, p.attachmentLimit()) {
		p.attach(a)
	}
}

func (p *parse) attach(a pdfium.Attachment) {
	if p.in.Limits.Members > 0 && len(p.out.Attachments) >= p.in.Limits.Members {
		p.out.Warn("limit_reached", "The document has more attachments than the limit; the rest was not taken out.")
		return
	}
	name := clean(a.Name)
	if name == "" {
		name = "attachment"
	}
	if a.Data == nil {
		kind, words := "corrupt", "The attached file cannot be read."
		if a.Size > p.attachmentLimit() {
			kind, words = "too_large", "The attached file is larger than the limit."
		}
		p.out.Attachments = append(p.out.Attachments, doc.Attachment{Name: name, Bytes: a.Size, Fault: kind, Message: words})
		p.out.Warn("attachment_failed", "An attached file could not be taken out.")
		return
	}
	saved, err := p.in.Files.Attachment(name, "", bytes.NewReader(a.Data))
	if err != nil {
		p.out.Attachments = append(p.out.Attachments, doc.Attachment{Name: name, Bytes: a.Size, Fault: "limit_disk", Message: err.Error()})
		p.out.Warn("attachment_failed", "An attached file could not be taken out.")
		return
	}
	p.out.Attachments = append(p.out.Attachments, saved)
}
