package pdf_test

import (
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// TestText is case C21 and its like: one content stream, the text that a person reads there.
func TestText(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"fake bold comes once", "BT /F1 12 Tf 72 700 Td (BOLD) Tj ET BT /F1 12 Tf 72.3 700 Td (BOLD) Tj ET", "p: BOLD"},
		{"hyphen at line end joins", "BT /F1 12 Tf 14 TL 72 700 Td (The survey had one good exam-) Tj T* (ple of it in the end.) Tj ET", "p: The survey had one good example of it in the end."},
		{"compound keeps its hyphen", "BT /F1 12 Tf 14 TL 72 700 Td (The harbour was a very well-) Tj T* (known place in the end.) Tj ET", "p: The harbour was a very well-known place in the end."},
		{"number keeps its hyphen", "BT /F1 12 Tf 14 TL 72 700 Td (The survey of the year COVID-) Tj T* (19 came to the coast.) Tj ET", "p: The survey of the year COVID-19 came to the coast."},
		{"kerned figures stay together", "BT /F1 12 Tf 72 700 Td [(Sum 1)-60(2)-70(,)-60(4)-60(0)] TJ ET", "p: Sum 12,40"},
		{"words placed without spaces", "BT /F1 12 Tf 72 700 Td (two) Tj 25 0 Td (words) Tj ET", "p: two words"},
		{"letter-spaced line joins", "BT /F1 12 Tf 6 Tc 72 700 Td (SPACED) Tj ET", "p: SPACED"},
		{"superscript and no compatibility forms", "BT /F1 12 Tf 72 700 Td (x\\262 and \\275 stay) Tj ET", "p: x² and ½ stay"},
		{"small text drawn letter by letter, in any order", "BT /F1 12 Tf 90.01 700 Td (c) Tj -9.34 0 Td (a) Tj ET BT /F1 12 Tf 87.35 700 Td (b) Tj ET", "p: abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pdftest.New()
			f.Page(tt.content)
			if diff := cmp.Diff(tt.want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSoftHyphen(t *testing.T) {
	f := pdftest.New()
	cmap := f.Stream("", "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <7E> <00AD> endbfchar 1 beginbfrange <00> <7D> <0000> endbfrange endcmap")
	f.Font("F9", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode "+itoa(cmap)+" 0 R >>")
	f.Page("BT /F9 12 Tf 14 TL 72 700 Td (An ex~ample of a line that ends exam~) Tj T* (ples here.) Tj ET")
	if diff := cmp.Diff("p: An example of a line that ends examples here.", outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

func TestLigatureIsSpelledOut(t *testing.T) {
	f := pdftest.New()
	cmap := f.Stream("", `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfchar <66> <FB01> endbfchar
1 beginbfrange <00> <65> <0000> endbfrange
1 beginbfrange <67> <7F> <0067> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`)
	f.Font("F9", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode "+itoa(cmap)+" 0 R >>")
	f.Page("BT /F9 12 Tf 72 700 Td (offce) Tj ET")
	// "f" stands for the ligature here, so the file says "o" "fi" "fi" "c" "e".
	if diff := cmp.Diff("p: ofifice", outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestPlainFaceWithHeavyStemsIsNotBold: PDFium guesses a weight of 700 from the stems of a font that says in its name that it is plain.
func TestPlainFaceWithHeavyStemsIsNotBold(t *testing.T) {
	f := pdftest.New()
	heavy := func(resource, name string) {
		descriptor := f.Object("<< /Type /FontDescriptor /FontName /" + name + " /Flags 32 /StemV 160 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 >>")
		f.Font(resource, "<< /Type /Font /Subtype /TrueType /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths ["+strings.Repeat("556 ", 94)+"500] /BaseFont /"+name+" /FontDescriptor "+itoa(descriptor)+" 0 R >>")
	}
	heavy("FA", "ABCDEF+ArialMT")
	heavy("FB", "ABCDEF+TT1E2o00")
	f.Page("BT /F3 12 Tf 72 700 Td (Some body text that is neither of them, and that is long enough to be it.) Tj ET BT /FA 12 Tf 72 600 Td (plain face) Tj ET BT /FB 12 Tf 72 500 Td (nameless face) Tj ET")
	d := parse(t, f.Bytes())
	marks := map[string]doc.Marks{}
	for _, b := range d.Blocks {
		marks[b.PlainText()] = b.Inlines[0].Marks
		if b.Kind == doc.Heading {
			marks[b.PlainText()] = doc.Strong
		}
	}
	if marks["plain face"] != 0 || marks["nameless face"] != doc.Strong {
		t.Errorf("marks %v", marks)
	}
}
