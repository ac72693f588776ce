package ods_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/ods"
)

const namespaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" ` +
	`xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
	`xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" ` +
	`xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`

// file makes a document of the inside of its body.
func file(t testing.TB, body string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range [][2]string{
		{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"},
		{"content.xml", "<office:document-content " + namespaces + "><office:body><office:spreadsheet>" + body + "</office:spreadsheet></office:body></office:document-content>"},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = io.WriteString(w, part[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func input(data []byte, options format.Options) *format.Input {
	return formattest.InputWith("a.ods", data, options)
}

func parse(t testing.TB, data []byte, options format.Options) *doc.Document {
	t.Helper()
	d, err := ods.Format().Parse(context.Background(), input(data, options))
	if err != nil {
		t.Fatal(err)
	}
	d.Finish()
	return d
}

// A sheet that fills its rows and columns to the end says so in one element; it must cost nothing and lose nothing.
func TestRepeatedCellsAreBounded(t *testing.T) {
	row := `<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row>`
	d := parse(t, file(t, `<table:table table:name="S">`+row+`</table:table>`), format.Options{})
	cells, cut := 0, false
	doc.Walk(d.Blocks, func(b *doc.Block) bool {
		if b.Table != nil {
			cells += len(b.Table.Cells)
		}
		return true
	})
	for _, w := range d.Warnings {
		cut = cut || w.Class == "limit_reached"
	}
	if cells > 2_000_000 || !cut {
		t.Errorf("%d cells, warned of the cut: %v", cells, cut)
	}
}

func TestHiddenSheetIsApart(t *testing.T) {
	body := `<table:table table:name="S"><table:table-row table:visibility="collapse"><table:table-cell office:value-type="string"><text:p>secret</text:p></table:table-cell></table:table-row></table:table>`
	if d := parse(t, file(t, body), format.Options{}); len(d.Blocks) != 0 || len(d.Hidden) != 1 || d.Hidden[0].Reason != "hidden_row" {
		t.Errorf("blocks %v, hidden %v", d.Blocks, d.Hidden)
	}
	if d := parse(t, file(t, body), format.Options{Hidden: "include"}); len(d.Blocks) != 1 || len(d.Hidden) != 0 {
		t.Errorf("included: blocks %v, hidden %v", d.Blocks, d.Hidden)
	}
}

// FuzzParse changes the inside of the body: there is a document or a fault with a kind, and every table is sound.
func FuzzParse(f *testing.F) {
	f.Add(`<table:table table:name="S"><table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="date" office:date-value="2024-01-01" table:number-columns-spanned="2"><text:p>x</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>`)
	f.Add(`<table:table><table:table-header-rows><table:table-row><table:table-cell table:formula="of:=[.A1]"><text:p><text:span>a</text:span></text:p></table:table-cell></table:table-row></table:table-header-rows><table:shapes><draw:frame/></table:shapes></table:table>`)
	f.Fuzz(func(t *testing.T, body string) {
		d, err := ods.Format().Parse(context.Background(), input(file(t, body), format.Options{}))
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
