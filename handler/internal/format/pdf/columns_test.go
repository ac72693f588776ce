package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/pdftest"
)

// evenFile has a font FE whose letters are all half an em wide and whose spaces a quarter, so that a test knows where a line ends.
func evenFile() *pdftest.File {
	f := pdftest.New()
	f.Font("FE", "<< /Type /Font /Subtype /TrueType /BaseFont /Even /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [250"+
		strings.Repeat(" 500", 94)+"] >>")
	return f
}

// evenWidth is the width of text in FE.
func evenWidth(size float64, text string) float64 {
	spaces := strings.Count(text, " ")
	return size * (0.5*float64(len(text)-spaces) + 0.25*float64(spaces))
}

// evenLine writes a line of numbered words that ends at x1 exactly: the last word is as long as it takes.
func evenLine(c *pdftest.Content, name string, n int, x0, x1, y float64) string {
	text := fmt.Sprintf("%s%d some words of the line ", name, n)
	for evenWidth(10, text)+5 <= x1-x0+0.01 {
		text += "x"
	}
	c.Text("FE", 10, x0, y, text)
	return text
}

// wants is the outline of paragraphs made of lines.
func wants(paragraphs ...[]string) string {
	var lines []string
	for _, p := range paragraphs {
		lines = append(lines, "p: "+strings.Join(p, " "))
	}
	return strings.Join(lines, "\n")
}

// TestNarrowGutter: columns on the same base lines, nearer than words of a loose line.
func TestNarrowGutter(t *testing.T) {
	f, c := evenFile(), &pdftest.Content{}
	var left, right []string
	for i := range 12 {
		y := 700 - 13*float64(i)
		left = append(left, evenLine(c, "left", i, 72, 302, y))
		right = append(right, evenLine(c, "right", i, 309, 540, y))
	}
	f.Page(c.String())
	if diff := cmp.Diff(wants(append(left, right...)), outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestLineReachesIntoGutter: one line of the left column comes as near to the right one as a word to the next.
func TestLineReachesIntoGutter(t *testing.T) {
	for _, shift := range []float64{0, 5} { // the same base lines, and other ones
		f, c := evenFile(), &pdftest.Content{}
		var left, right []string
		for i := range 14 {
			y := 700 - 13*float64(i)
			end := 297.0
			if i == 6 {
				end = 306
			}
			left = append(left, evenLine(c, "left", i, 72, end, y))
			right = append(right, evenLine(c, "right", i, 309, 540, y-shift))
		}
		f.Page(c.String())
		if diff := cmp.Diff(wants(append(left, right...)), outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Errorf("shifted by %g: %s", shift, diff)
		}
	}
}

// TestHeadingReachesIntoIndent: a heading of the left column ends beyond where the right column begins, beside its indented list.
func TestHeadingReachesIntoIndent(t *testing.T) {
	f, c := evenFile(), &pdftest.Content{}
	var left, right []string
	for i := range 4 {
		left = append(left, evenLine(c, "left", i, 72, 302, 700-13*float64(i)))
	}
	heading := "Sevenheadings reaching over the edges there toox"
	c.Raw("2 Tr 0.4 w")
	c.Text("FE", 12, 72, 636, heading[:38])
	c.Raw("0 Tr")
	for i := range 3 {
		y := 700 - 26*float64(i)
		c.Text("FE", 10, 322, y, fmt.Sprintf("first%d of an entry in the list;", i))
		c.Text("FE", 10, 322, y-13, "goes on in its second line")
	}
	var below []string
	for i := range 6 {
		y := 615 - 13*float64(i)
		below = append(below, evenLine(c, "below", i, 72, 302, y))
		right = append(right, evenLine(c, "right", i, 309, 540, y))
	}
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	at := func(s string) int { return strings.Index(got, s) }
	if !(at(left[3]) < at("Sevenheadings") && at("Sevenheadings") < at(below[0]) && at(below[5]) < at("first0") && at("first2") < at(right[0])) {
		t.Errorf("the left column is not read before the right one:\n%s", got)
	}
}

// TestCaptionBesidePicture: a picture is as good as lines of text for what stands beside it.
func TestCaptionBesidePicture(t *testing.T) {
	f, c := pdftest.New(), &pdftest.Content{}
	image := f.Stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x10\x80\x90\xf0")
	c.Raw("q 200 0 0 160 72 540 cm /Im1 Do Q")
	for i, s := range []string{"A side note", "that begins", "higher than", "the picture", "and says a", "few words."} {
		c.Text("F3", 10, 320, 710-13*float64(i), s)
	}
	column(c, 72, 500, 4)
	f.PageWith(c.String(), fmt.Sprintf("/XObject << /Im1 %d 0 R >>", image), "")
	got := outline(parse(t, f.Bytes()).Blocks)
	if !strings.HasPrefix(got, "figure:\np: A side note that begins higher than the picture and says a few words.\np: ") {
		t.Errorf("picture, note, text is the order from left to right and down:\n%s", got)
	}
}

// TestBulletsAreNoColumn: the words behind bullets stand under each other, and belong to them.
func TestBulletsAreNoColumn(t *testing.T) {
	f, c := evenFile(), &pdftest.Content{}
	for i := range 6 {
		y := 700 - 13*float64(i)
		c.Text("F1", 10, 72, y, "•")
		c.Text("FE", 10, 86, y, fmt.Sprintf("item%d of the list", i))
	}
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	if !strings.HasPrefix(got, "list:") || strings.Count(got, "item") < 6 {
		t.Errorf("no list of six items:\n%s", got)
	}
}

// TestRiversAreNoColumn: loose lines in which four words happen to stand under each other.
func TestRiversAreNoColumn(t *testing.T) {
	f, c := evenFile(), &pdftest.Content{}
	var lines []string
	for i := range 9 {
		y := 700 - 13*float64(i)
		x := 280 + float64(i%3)*9
		if i < 4 {
			x = 309
		}
		left := evenLine(c, "loose", i, 72, x-6, y)
		lines = append(lines, left+" "+evenLine(c, "line", i, x, 540, y))
	}
	f.Page(c.String())
	if diff := cmp.Diff(wants(lines), outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}
