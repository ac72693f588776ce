package pdf_test

import (
	"fmt"
	"testing"

	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// TestHiddenText is case C20: what a reader does not see is kept apart with its reason.
func TestHiddenText(t *testing.T) {
	f := pdftest.New()
	layer := f.Object("<< /Type /OCG /Name (Draft) >>")
	f.Catalog(fmt.Sprintf("/OCProperties << /OCGs [%d 0 R] /D << /OFF [%d 0 R] >> >>", layer, layer))
	f.PageWith(`BT /F1 12 Tf 72 700 Td (Visible) Tj ET
BT /F1 12 Tf 72 680 Td 3 Tr (SECRET) Tj 0 Tr ET
1 1 1 rg BT /F1 12 Tf 72 660 Td (WHITE) Tj ET 0 0 0 rg
BT /F1 0.1 Tf 72 640 Td (TINY) Tj ET
BT /F1 12 Tf 72 5000 Td (OFFPAGE) Tj ET
/OC /MC0 BDC BT /F1 12 Tf 72 620 Td (LAYER) Tj ET EMC
BT /F1 12 Tf 72 600 Td (after) Tj ET`, fmt.Sprintf("/Properties << /MC0 %d 0 R >>", layer), "")
	d := parse(t, f.Bytes())
	if diff := cmp.Diff("p: Visible\np: after", outline(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	got := map[string]string{}
	for _, h := range d.Hidden {
		got[h.Reason] = h.Blocks[0].PlainText()
	}
	want := map[string]string{
		"render_mode_3": "SECRET", "same_colour_as_background": "WHITE", "tiny": "TINY", "outside_page": "OFFPAGE", "layer_off": "LAYER",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !hasWarning(d, "hidden_text") {
		t.Error("no hidden_text warning")
	}
}

// TestScannersTextIsKept is the twin of C20: invisible text over a picture of the whole page.
func TestScannersTextIsKept(t *testing.T) {
	f := pdftest.New()
	image := f.Stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", "\xff\xee\xee\xff")
	f.PageWith("q 612 0 0 792 0 0 cm /Im1 Do Q BT /F1 12 Tf 72 700 Td 3 Tr (Scanned words) Tj ET", fmt.Sprintf("/XObject << /Im1 %d 0 R >>", image), "")
	d := parse(t, f.Bytes())
	var found bool
	for _, b := range d.Blocks {
		if b.PlainText() == "Scanned words" {
			found = b.Source == "ocr_layer"
		}
	}
	if !found || len(d.Hidden) != 0 {
		t.Errorf("got blocks %s, hidden %v; want the text kept with source ocr_layer", outline(d.Blocks), d.Hidden)
	}
}

func TestWhiteTextOnDarkGroundIsRead(t *testing.T) {
	f := pdftest.New()
	f.Page("0 0 0.4 rg 60 690 300 30 re f 1 1 1 rg BT /F1 12 Tf 72 700 Td (On a dark band) Tj ET")
	d := parse(t, f.Bytes())
	if diff := cmp.Diff("p: On a dark band", outline(d.Blocks)); diff != "" {
		t.Error(diff)
	}
}
