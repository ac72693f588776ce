package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// twoColumns is case C18: two columns drawn line by line.
func twoColumns() *pdftest.Content {
	c := &pdftest.Content{}
	c.Text("F1", 16, 72, 740, "Wide heading across both columns")
	for i := 1; i <= 4; i++ {
		y := 700 - 14*float64(i-1)
		c.Text("F1", 10, 72, y, fmt.Sprintf("L%d left text", i))
		c.Text("F1", 10, 320, y, fmt.Sprintf("R%d right text", i))
	}
	c.Text("F1", 10, 72, 600, "Bottom line that spans the whole width of the page for sure")
	return c
}

func TestColumnsDrawnLineByLine(t *testing.T) {
	f := pdftest.New()
	f.Page(twoColumns().String())
	want := `h1: Wide heading across both columns
p: L1 left text L2 left text L3 left text L4 left text
p: R1 right text R2 right text R3 right text R4 right text
p: Bottom line that spans the whole width of the page for sure`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

func TestSameGeometryWithRulesIsATable(t *testing.T) {
	f := pdftest.New()
	c := twoColumns()
	c.Grid([]float64{68, 310, 550}, []float64{652, 668, 682, 696, 711})
	f.Page(c.String())
	want := `h1: Wide heading across both columns
| L1 left text | R1 right text |
| L2 left text | R2 right text |
| L3 left text | R3 right text |
| L4 left text | R4 right text |
p: Bottom line that spans the whole width of the page for sure`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

const prose = "the tide came in over the flats while the survey boat waited for its crew to finish the last of the soundings they had planned"

// column sets words ragged in a column of lines, and gives where the next line would stand.
func column(c *pdftest.Content, x, y float64, lines int) float64 {
	words := strings.Fields(prose)
	for i := range lines {
		c.Text("F3", 10, x, y, strings.Join(words[(i*5)%20:(i*5)%20+6], " "))
		y -= 12
	}
	return y
}

func TestColumnsThatChangeWithinAPage(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F2", 14, 72, 740, "First part")
	column(c, 330, 715, 6) // the right column is drawn first
	column(c, 72, 715, 6)
	c.Text("F2", 14, 72, 620, "Second part")
	column(c, 72, 600, 3)
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	lines := strings.Split(got, "\n")
	if len(lines) != 5 && len(lines) != 4 || lines[0] != "h1: First part" || !strings.Contains(got, "\nh1: Second part\np: ") {
		t.Errorf("order is not heading, columns, heading, text:\n%s", got)
	}
}

func TestParagraphGoesOnInNextColumnAndPage(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	for i, s := range []string{"A sentence begins in the left", "column and has several lines", "there before it goes on over"} {
		c.Text("F1", 10, 72, 700-12*float64(i), s)
	}
	for i, s := range []string{"in the right column, and still", "is not at its end when the page", "ends, with a divided exam-"} {
		c.Text("F1", 10, 320, 700-12*float64(i), s)
	}
	f.Page(c.String())
	c = &pdftest.Content{}
	c.Text("F1", 10, 72, 700, "ple ends here.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	want := "p: A sentence begins in the left column and has several lines there before it goes on over " +
		"in the right column, and still is not at its end when the page ends, with a divided example ends here."
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Fatal(diff)
	}
	places := d.Blocks[0].Places
	text := d.Blocks[0].PlainText()
	var lines []string
	for _, p := range places {
		lines = append(lines, fmt.Sprintf("%d:%s", p.Page, strings.TrimSpace(text[p.From:p.To])))
	}
	wantLines := []string{
		"1:A sentence begins in the left", "1:column and has several lines", "1:there before it goes on over",
		"1:in the right column, and still", "1:is not at its end when the page", "1:ends, with a divided exam", "2:ple ends here.",
	}
	if diff := cmp.Diff(wantLines, lines); diff != "" {
		t.Errorf("places do not say which line stands where:\n%s", diff)
	}
}
