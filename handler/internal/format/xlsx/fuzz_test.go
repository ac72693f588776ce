package xlsx_test

import (
	"context"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/xlsx"
)

// FuzzParse changes the parts of a workbook: whatever stands in them, there is a document or a fault with a kind, and every table is sound.
func FuzzParse(f *testing.F) {
	f.Add(`<cols><col min="2" max="3" hidden="1"/></cols>`+data(row(1, str("A1", "a"), num("B1", "1")), row(2, styled("A2", "1", "45000"), `<c r="C2" t="s"><v>0</v></c>`))+`<mergeCells><mergeCell ref="A1:B2"/></mergeCells>`,
		`<sst><si><t>x</t></si></sst>`, `<numFmts><numFmt numFmtId="164" formatCode="0.0;[Red]-0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`, true)
	f.Add(data(`<row><c><f t="shared" si="0" ref="A1:A2">A1+B$1</f></c><c t="b"><v>1</v></c></row><row><c><f t="shared" si="0"/><v>2</v></c></row>`)+
		`<hyperlinks><hyperlink ref="A1:XFD9" r:id="x"/></hyperlinks><autoFilter ref="A1:B9"/><sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews>`, "", "", false)
	f.Fuzz(func(t *testing.T, sheet, strings, styles string, include bool) {
		content := book{sheets: [][2]string{{"S", sheet}}, styles: styles, parts: map[string]string{"xl/sharedStrings.xml": strings}}.bytes(t)
		options := format.Options{}
		if include {
			options.Hidden = "include"
		}
		d, err := xlsx.Format().Parse(context.Background(), input(content, options))
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("a fault without a kind: %v", err)
			}
			return
		}
		d.Finish()
		checkTables(t, d.Blocks)
	})
}

// FuzzStream reads changed sheets as large ones are read, window by window: tables are sound, and what the reader of whole sheets finds
// is found.
func FuzzStream(f *testing.F) {
	f.Add(`<cols><col min="2" max="3" hidden="1"/></cols>` + data(row(1, str("A1", "a"), num("B1", "1")), row(2, styled("A2", "1", "45000"), str("C2", "b"))) + `<mergeCells><mergeCell ref="A1:B2"/></mergeCells>`)
	f.Add(data(`<row><c><f>A1+B$1</f><v>3</v></c><c t="b"><v>1</v></c></row><row r="9"><c r="D9"><v>2</v></c><c r="B9"><v>4</v></c></row><row r="3"><c t="inlineStr"><is><t>x</t></is></c></row>`) + `<autoFilter ref="A1:B9"/>`)
	f.Fuzz(func(t *testing.T, sheet string) {
		content := book{sheets: [][2]string{{"S", sheet}}}.bytes(t)
		whole, err := xlsx.ParseFrom(context.Background(), input(content, format.Options{}), 1<<40)
		in := input(content, format.Options{})
		var handed []doc.Block
		in.Part = func(_ *doc.Document, p format.Part) error {
			handed = append(handed, p.Blocks...)
			return nil
		}
		parts, second := xlsx.ParseFrom(context.Background(), in, -1)
		if fault.KindOf(err) != fault.KindOf(second) || fault.KindOf(err) == fault.Internal {
			t.Fatalf("whole: %v; in parts: %v", err, second)
		}
		if err != nil {
			return
		}
		parts.Blocks = append(handed, parts.Blocks...)
		parts.Finish()
		checkTables(t, parts.Blocks)
		found := texts(parts)
		for text := range texts(whole) {
			if !found[text] {
				t.Errorf("%q is lost", text)
			}
		}
	})
}

func texts(d *doc.Document) map[string]bool {
	found := map[string]bool{}
	doc.Walk(d.Blocks, func(b *doc.Block) bool {
		for _, in := range b.Inlines {
			found[in.Text] = true
		}
		return true
	})
	return found
}

// FuzzFile changes the bytes of the whole file.
func FuzzFile(f *testing.F) {
	f.Add(book{sheets: [][2]string{{"S", data(row(1, str("A1", "a")))}}}.bytes(f))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := xlsx.Format().Parse(context.Background(), input(content, format.Options{})); err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("a fault without a kind: %v", err)
		}
	})
}

func checkTables(t *testing.T, blocks []doc.Block) {
	t.Helper()
	doc.Walk(blocks, func(b *doc.Block) bool {
		formattest.CheckGrid(t, b.Table)
		return true
	})
}
