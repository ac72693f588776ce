package pdf_test

import (
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/pdftest"
)

// FuzzParse changes bytes of small files: whatever comes, a document or a fault with a kind, never a panic.
func FuzzParse(f *testing.F) {
	columns := pdftest.New()
	columns.Page(twoColumns().String())
	f.Add(columns.Bytes())
	rich := pdftest.New()
	rich.Info("/Title (T)")
	c := &pdftest.Content{}
	c.Grid([]float64{72, 200, 330}, []float64{640, 660, 680}).Text("F2", 10, 80, 666, "Name").Text("F4", 9, 80, 646, "x = 1;")
	rich.PageWith(c.String(), "", "/Rotate 90 /CropBox [10 10 600 700]")
	f.Add(rich.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		d, err := tryParse(t, data)
		if err == nil && d == nil {
			t.Fatal("neither a document nor an error")
		}
		if kind := fault.KindOf(err); kind == fault.Internal {
			t.Fatalf("an error without a kind: %v", err)
		}
	})
}
