package odp_test

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
	"decant/handler/internal/format/odp"
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
	styles := "<office:document-styles " + namespaces + ` xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"><office:automatic-styles><style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="28cm" fo:page-height="10in"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="PM1"/></office:master-styles></office:document-styles>`
	for _, part := range [][2]string{
		{"styles.xml", styles},
		{"mimetype", "application/vnd.oasis.opendocument.presentation"},
		{"content.xml", "<office:document-content " + namespaces + "><office:body><office:presentation>" + body + "</office:presentation></office:body></office:document-content>"},
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
	return formattest.InputWith("a.odp", data, options)
}

func parse(t testing.TB, data []byte, options format.Options) *doc.Document {
	t.Helper()
	d, err := odp.Format().Parse(context.Background(), input(data, options))
	if err != nil {
		t.Fatal(err)
	}
	d.Finish()
	return d
}

func TestHiddenSlideNeedsItsStyle(t *testing.T) {
	body := `<draw:page draw:style-name="none" draw:master-page-name="M"><draw:frame svg:x="1cm" svg:y="2.54cm" svg:width="1in" svg:height="1in"><draw:text-box><text:p>shown</text:p></draw:text-box></draw:frame></draw:page>`
	d := parse(t, file(t, body), format.Options{})
	if len(d.Blocks) != 1 || len(d.Hidden) != 0 {
		t.Fatalf("blocks %v, hidden %v", d.Blocks, d.Hidden)
	}
	if page := d.Pages[0]; page.Height != 720 || page.Width < 793 || page.Width > 794 {
		t.Errorf("page %+v, want 28 cm by 10 inches in points", page)
	}
	box := d.Blocks[0].Children[0].Places[0].Box
	if box == nil || box.Y0 < 71.9 || box.Y0 > 72.1 || box.Y1 < 143.9 || box.Y1 > 144.1 {
		t.Errorf("box %+v, want 72 to 144 points down", box)
	}
}

// FuzzParse changes the inside of the body: there is a document or a fault with a kind, and every table is sound.
func FuzzParse(f *testing.F) {
	f.Add(`<draw:page><draw:frame presentation:class="title" svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="1cm"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame><draw:g><draw:custom-shape><text:p>y</text:p></draw:custom-shape></draw:g><presentation:notes><draw:frame><draw:text-box/></draw:frame></presentation:notes></draw:page>`)
	f.Add(`<draw:page><draw:frame><table:table table:use-first-row-styles="true"><table:table-row><table:table-cell table:number-rows-spanned="9"><text:list><text:list-item><text:p>z</text:p></text:list-item></text:list></table:table-cell></table:table-row><table:table-row/></table:table></draw:frame></draw:page>`)
	f.Fuzz(func(t *testing.T, body string) {
		d, err := odp.Format().Parse(context.Background(), input(file(t, body), format.Options{}))
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
