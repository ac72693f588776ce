package xlsx_test

import (
	"context"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
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
	doc.Walk(blocks, func(b *doc.Block) bool {
		if b.Table == nil {
			return true
		}
		taken := map[[2]int]bool{}
		for _, c := range b.Table.Cells {
			if c.Row < 0 || c.Column < 0 || c.Row+c.Height() > b.Table.Rows || c.Column+c.Width() > b.Table.Columns {
				t.Fatalf("cell %d,%d (%dx%d) lies outside of %d x %d", c.Row, c.Column, c.Height(), c.Width(), b.Table.Rows, b.Table.Columns)
			}
			for y := range min(c.Height(), 50) {
				for x := range min(c.Width(), 50) {
					at := [2]int{c.Row + y, c.Column + x}
					if taken[at] {
						t.Fatalf("position %v is covered twice", at)
					}
					taken[at] = true
				}
			}
		}
		return true
	})
}
