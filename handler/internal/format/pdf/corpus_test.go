package pdf_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/pdftest"
)

var update = flag.Bool("update", false, "rewrite the corpus's PDF files")

const corpusDir = "../../../../tests/corpus/pdf"

// corpusFiles writes the documents of tests/corpus/pdf; their golden Markdown is beside them, checked by package convert.
var corpusFiles = map[string]func(*pdftest.File){
	"two-columns-line-by-line": func(f *pdftest.File) { f.Page(twoColumns().String()) },
	"two-columns-ruled": func(f *pdftest.File) {
		f.Page(twoColumns().Grid([]float64{68, 310, 550}, []float64{652, 668, 682, 696, 711}).String())
	},
	"hidden-text": func(f *pdftest.File) {
		layer := f.Object("<< /Type /OCG /Name (Draft) >>")
		f.Catalog(fmt.Sprintf("/OCProperties << /OCGs [%d 0 R] /D << /OFF [%d 0 R] >> >>", layer, layer))
		f.PageWith("BT /F1 12 Tf 72 700 Td (Visible) Tj ET BT /F1 12 Tf 72 680 Td 3 Tr (SECRET) Tj 0 Tr ET\n"+
			"1 1 1 rg BT /F1 12 Tf 72 660 Td (WHITE) Tj ET 0 g BT /F1 0.1 Tf 72 640 Td (TINY) Tj ET BT /F1 12 Tf 72 5000 Td (OFFPAGE) Tj ET\n"+
			"/OC /MC0 BDC BT /F1 12 Tf 72 620 Td (LAYER) Tj ET EMC BT /F1 12 Tf 72 600 Td (after) Tj ET",
			fmt.Sprintf("/Properties << /MC0 %d 0 R >>", layer), "")
	},
	"paragraph-over-pages": func(f *pdftest.File) {
		for i, lines := range [][]string{{"A sentence that is not at its end when the page", "ends has a divided exam-"}, {"ple here, and a well-", "known compound that keeps its hyphen."}} {
			c := &pdftest.Content{}
			c.Text("F1", 8, 72, 765, "Running header")
			c.Text("F1", 8, 300, 30, fmt.Sprintf("Page %d of 2", i+1))
			for k, s := range lines {
				c.Text("F3", 10, 72, 700-12*float64(k), s)
			}
			f.Page(c.String())
		}
	},
	"table-over-pages": func(f *pdftest.File) {
		for page := range 2 {
			c := &pdftest.Content{}
			c.Grid([]float64{72, 200, 330}, []float64{640, 660, 680, 700})
			c.Text("F2", 10, 80, 686, "Name").Text("F2", 10, 210, 686, "Value")
			for i := range 2 {
				y := 666 - 20*float64(i)
				c.Text("F1", 10, 80, y, fmt.Sprintf("row %d", 2*page+i)).Text("F1", 10, 210, y, fmt.Sprintf("%d", 10*page+i))
			}
			f.Page(c.String())
		}
	},
	"headings-lists-code": func(f *pdftest.File) {
		c := &pdftest.Content{}
		c.Text("F2", 18, 72, 740, "Field manual").Text("F2", 13, 72, 710, "1 Before the trip")
		body(c, 690, "Bring these things to the boat in the morning, and do not forget", "to count them when they are back in the shed:")
		c.Text("F3", 10, 80, 660, "• rope").Text("F3", 10, 80, 648, "• two anchors").Text("F3", 10, 98, 636, "• their chains")
		c.Text("F2", 13, 72, 605, "1.1 The log")
		body(c, 585, "Entries have this form, which the program on shore will read later:")
		c.Text("F4", 9, 72, 565, "if depth > 0 {").Text("F4", 9, 93.6, 554, "log(depth)").Text("F4", 9, 72, 543, "}")
		f.Page(c.String())
	},
	"turned-and-cropped": func(f *pdftest.File) {
		f.PageWith("BT /F1 12 Tf 72 700 Td (On a page that is turned and cropped) Tj ET", "", "/Rotate 90 /CropBox [50 100 562 742]")
	},
}

// TestCorpusFiles keeps the files of tests/corpus/pdf as this package writes them.
func TestCorpusFiles(t *testing.T) {
	for name, build := range corpusFiles {
		f := pdftest.New()
		build(f)
		path := filepath.Join(corpusDir, name+".pdf")
		if *update {
			if err := os.MkdirAll(corpusDir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, f.Bytes()) {
			t.Errorf("%s is not what this package writes (%v): run the test with -update, then `make golden`", path, err)
		}
	}
}
