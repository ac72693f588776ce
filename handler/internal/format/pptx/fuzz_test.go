package pptx_test

import (
	"context"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/pptx"
)

// FuzzParse changes the shapes of a slide and of its notes: there is a document or a fault with a kind, and every table is sound.
func FuzzParse(f *testing.F) {
	f.Add(holder(`type="title"`, body(para("", "Plan")))+group(0, 0, 10, 10, box(0, 0, 5, 5, "x")), holder(`type="body"`, body(para("", "n"))))
	f.Add(frame(0, 0, `<a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc gridSpan="2" rowSpan="3"><a:txBody><a:p/></a:txBody></a:tc><a:tc hMerge="1"/></a:tr></a:tbl>`), "")
	f.Add(`<p:sp><p:txBody><a:p><a:pPr lvl="3"><a:buAutoNum type="alphaLcParenBoth" startAt="30"/></a:pPr><a:r><a:rPr b="1" baseline="-5"/><a:t>x</a:t></a:r><a:br/></a:p></p:txBody></p:sp>`, "")
	f.Fuzz(func(t *testing.T, shapes, notes string) {
		content := deck(t, []int{1}, map[int]string{1: shapes}, map[string]string{
			"ppt/slides/_rels/slide1.xml.rels": rels("n1", "notesSlide", "../notesSlides/notesSlide1.xml"),
			"ppt/notesSlides/notesSlide1.xml":  `<p:notes ` + ns + `><p:cSld><p:spTree>` + notes + `</p:spTree></p:cSld></p:notes>`,
		})
		d, err := pptx.Format().Parse(context.Background(), input(content, format.Options{}))
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("a fault without a kind: %v", err)
			}
			return
		}
		d.Finish()
		doc.Walk(d.Blocks, func(b *doc.Block) bool {
			if b.Table != nil {
				formattest.CheckGrid(t, b.Table)
			}
			return true
		})
	})
}

// FuzzFile changes the bytes of the whole file.
func FuzzFile(f *testing.F) {
	f.Add(deck(f, []int{1}, map[int]string{1: box(0, 0, 5, 5, "x")}, nil))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := pptx.Format().Parse(context.Background(), input(content, format.Options{})); err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("a fault without a kind: %v", err)
		}
	})
}
