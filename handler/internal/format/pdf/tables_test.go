package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/pdftest"
)

// rowsAt writes rows of cells: columns begin at xs, lines are pitch apart from y down.
func rowsAt(c *pdftest.Content, xs []float64, y, pitch float64, rows ...[]string) {
	for r, row := range rows {
		for i, text := range row {
			if text != "" {
				c.Text("F1", 9, xs[i], y-pitch*float64(r), text)
			}
		}
	}
}

func outlineOf(t *testing.T, c *pdftest.Content) string {
	t.Helper()
	f := pdftest.New()
	f.Page(c.String())
	return outline(parse(t, f.Bytes()).Blocks)
}

// TestFiguresAreNotDivided: rows of figures under group labels of their own, all evenly set.
func TestFiguresAreNotDivided(t *testing.T) {
	c := &pdftest.Content{}
	for _, y := range []float64{715, 695, 570} {
		c.Line(72, y, 420, y)
	}
	xs := []float64{76, 200, 270, 340}
	rowsAt(c, xs, 702, 13, []string{"Group", "Homes", "Share", "Odds"})
	rowsAt(c, xs, 682, 12,
		[]string{"Age"}, []string{"  under 30", "61,206", "2,862", "4.7"}, []string{"Region"}, []string{"  north", "49,486", "2,909", "5.9"},
		[]string{"Income"}, []string{"  low", "78,744", "3,174", "4.0"}, []string{"  high", "12,609", "966", "7.7"}, []string{"Tenure"}, []string{"  owner", "13,437", "1,292", "9.6"})
	got := outlineOf(t, c)
	for _, row := range []string{"| 61,206 | 2,862 | 4.7 |", "| 49,486 | 2,909 | 5.9 |", "| 78,744 | 3,174 | 4.0 |", "| 12,609 | 966 | 7.7 |", "| 13,437 | 1,292 | 9.6 |"} {
		if !strings.Contains(got, row) {
			t.Errorf("no row %q in\n%s", row, got)
		}
	}
}

// TestRunningTextPartsRules: a rule below the page's head and the rules of a table are as wide, but no one table.
func TestRunningTextPartsRules(t *testing.T) {
	c := &pdftest.Content{}
	c.Line(72, 745, 500, 745)
	for i := range 4 {
		c.Text("F1", 10, 72, 725-12*float64(i), fmt.Sprintf("Line %d of a text that runs over the whole width of the page, as wide as the rules are, or so.", i))
	}
	for _, y := range []float64{660, 640, 590} {
		c.Line(72, y, 500, y)
	}
	rowsAt(c, []float64{76, 220, 360}, 647, 20, []string{"Year", "Lowest", "Highest"})
	rowsAt(c, []float64{76, 220, 360}, 625, 14, []string{"1994", "9,594", "25,771"}, []string{"1997", "22,400", "40,888"}, []string{"2003", "34,000", "66,900"})
	got := outlineOf(t, c)
	want := "| Year | Lowest | Highest |\n| 1994 | 9,594 | 25,771 |\n| 1997 | 22,400 | 40,888 |\n| 2003 | 34,000 | 66,900 |"
	if !strings.HasPrefix(got, "p: Line 0 of") || !strings.HasSuffix(got, want) {
		t.Errorf("want a paragraph and then a table:\n%s", got)
	}
}

// TestWrappedHeaderIsOneRow: the lines of header cells stand side by side, but the sentences go on in them.
func TestWrappedHeaderIsOneRow(t *testing.T) {
	c := &pdftest.Content{}
	c.Grid([]float64{72, 170, 270, 370}, []float64{700, 640, 620, 600})
	rowsAt(c, []float64{76, 174, 274}, 688, 12, []string{"", "Moved from", "Moved from"}, []string{"", "fair value to", "cost price to"}, []string{"", "loans and", "the shares"}, []string{"", "receivables", "for sale"})
	rowsAt(c, []float64{76, 174, 274}, 627, 20, []string{"Banks", "27", "16"}, []string{"Others", "8", "3"})
	want := "|  | Moved from fair value to loans and receivables | Moved from cost price to the shares for sale |\n| Banks | 27 | 16 |\n| Others | 8 | 3 |"
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestSpacePartsRows: rows of several lines without a rule between them, but with space, and a label at each.
func TestSpacePartsRows(t *testing.T) {
	c := &pdftest.Content{}
	c.Grid([]float64{72, 160, 330}, []float64{700, 680, 560})
	rowsAt(c, []float64{76, 164}, 687, 12, []string{"Source", "Definition"})
	rowsAt(c, []float64{76, 164}, 665, 12,
		[]string{"Major", "Emissions of ten tons a year"}, []string{"", "or more of any one toxic."}, nil,
		[]string{"Area", "Emissions of less than ten"}, []string{"", "tons a year of all toxics"}, []string{"", "that are in the list."})
	want := "| Source | Definition |\n| Major | Emissions of ten tons a year or more of any one toxic. |\n| Area | Emissions of less than ten tons a year of all toxics that are in the list. |"
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestRuleBehindLabelsOnly: the columns behind the only upright rule are told by their figures.
func TestRuleBehindLabelsOnly(t *testing.T) {
	c := &pdftest.Content{}
	c.Line(150, 700, 150, 620)
	for _, y := range []float64{700, 680, 620} {
		c.Line(72, y, 360, y)
	}
	rowsAt(c, []float64{76, 160, 220, 290}, 687, 12, []string{"Answers", "Count", "Share", "Loss"})
	rowsAt(c, []float64{76, 160, 220, 290}, 667, 14, []string{"kept", "344", "75.2", "12196"}, []string{"sold some", "53", "11.6", "23518"}, []string{"sold all", "61", "13.2", "9187"})
	want := "| Answers | Count | Share | Loss |\n| kept | 344 | 75.2 | 12196 |\n| sold some | 53 | 11.6 | 23518 |\n| sold all | 61 | 13.2 | 9187 |"
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestHeaderWithoutUprightRule: the header's cells are apart where the rows below have a rule.
func TestHeaderWithoutUprightRule(t *testing.T) {
	c := &pdftest.Content{}
	c.Line(160, 680, 160, 620)
	c.Line(72, 700, 72, 620)
	c.Line(330, 700, 330, 620)
	for _, y := range []float64{700, 680, 660, 640, 620} {
		c.Line(72, y, 330, y)
	}
	rowsAt(c, []float64{76, 164}, 687, 20, []string{"Item", "Description"}, []string{"Tuition", "The cost of a course"}, []string{"Board", "The cost of a room"}, []string{"Books", "The cost of paper"})
	want := "| Item | Description |\n| Tuition | The cost of a course |\n| Board | The cost of a room |\n| Books | The cost of paper |"
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestBulletsAtTheirText: no space between a bullet and its item.
func TestBulletsAtTheirText(t *testing.T) {
	c := &pdftest.Content{}
	c.Text("F1", 10, 72, 720, "What it does:")
	for i, s := range []string{"\u00b7Plugs in and plays along", "\u00b7Learns from what is there", "\u00b7Consults about the rest"} {
		c.Text("F1", 10, 84, 700-14*float64(i), s)
	}
	got := outlineOf(t, c)
	if strings.Count(got, "item:") != 3 || strings.Contains(got, "·Plugs") {
		t.Errorf("no list of three items:\n%s", got)
	}
}

// TestCaptionBetweenRulesIsNoRow: the caption above the header and the source below stand between the table's own rules.
func TestCaptionBetweenRulesIsNoRow(t *testing.T) {
	c := &pdftest.Content{}
	for _, y := range []float64{720, 680, 600} {
		c.Line(72, y, 420, y)
	}
	c.Text("F2", 9, 190, 706, "Exhibit 9: What keepers say")
	xs := []float64{76, 220, 340}
	rowsAt(c, xs, 688, 13, []string{"Question", "North", "South"})
	rowsAt(c, xs, 666, 13, []string{"Depth", "34%", "3%"}, []string{"Width", "11%", "33%"}, []string{"Speed", "2%", "18%"})
	c.Text("F1", 9, 76, 606, "Source: letters of the keepers, as they came in.")
	want := "caption: Exhibit 9: What keepers say\n| Question | North | South |\n| Depth | 34% | 3% |\n| Width | 11% | 33% |\n| Speed | 2% | 18% |\np: Source: letters of the keepers, as they came in."
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}

// TestGroupLabelIsARow: a bold label of a group stands as near to its members as these to each other.
func TestGroupLabelIsARow(t *testing.T) {
	c := &pdftest.Content{}
	for _, y := range []float64{715, 695, 600} {
		c.Line(72, y, 420, y)
	}
	xs := []float64{76, 200, 270, 340}
	rowsAt(c, xs, 702, 13, []string{"Group", "Homes", "Share", "Odds"})
	y := 682.0
	for _, row := range [][]string{{"Age"}, {"under 30", "61,206", "2,862", "4.7"}, {"Region"}, {"north", "49,486", "2,909", "5.9"}, {"south", "78,744", "3,174", "4.0"}} {
		font := "F1"
		if len(row) == 1 {
			font = "F2"
		}
		for i, text := range row {
			c.Text(font, 9, xs[i], y, text)
		}
		y -= 12
	}
	got := outlineOf(t, c)
	for _, row := range []string{"| Age |", "| under 30 | 61,206 |", "| Region |", "| north | 49,486 |", "| south | 78,744 |"} {
		if !strings.Contains(got, row) {
			t.Errorf("no row %q in\n%s", row, got)
		}
	}
}

// TestFrameAroundPicturesIsNoTable: labels under the pictures of a framed figure stand in columns.
func TestFrameAroundPicturesIsNoTable(t *testing.T) {
	f, c := pdftest.New(), &pdftest.Content{}
	image := f.Stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x10\x80\x90\xf0")
	c.Raw("72 500 300 200 re S")
	for i := range 4 {
		x, y := 90+140*float64(i%2), 610-95*float64(i/2)
		c.Raw(fmt.Sprintf("q 110 0 0 70 %g %g cm /Im1 Do Q", x, y))
		c.Text("F1", 8, x+30, y-10, []string{"Boots nut", "Anchor nut", "Fiber nut", "Stop nut"}[i])
	}
	f.PageWith(c.String(), fmt.Sprintf("/XObject << /Im1 %d 0 R >>", image), "")
	got := outline(parse(t, f.Bytes()).Blocks)
	if strings.Contains(got, "|") || strings.Count(got, "nut") != 4 {
		t.Errorf("a table was made of a frame, or labels are lost:\n%s", got)
	}
}

// TestItalicHeadingAfterShortLine: as near below the end of a paragraph as its lines are to each other.
func TestItalicHeadingAfterShortLine(t *testing.T) {
	f, c := pdftest.New(), &pdftest.Content{}
	f.Font("FI", "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /Times-Italic >>")
	y := 700.0
	show := func(font, text string) {
		c.Text(font, 10, 72, y, text)
		y -= 13
	}
	for range 2 {
		for range 4 {
			show("F3", "The nut may be spun on and off by hand as its locking action takes place when it is seated.")
		}
		show("F3", "It ends here.")
		show("FI", "Stainless Steel Nut")
	}
	show("F3", "The nut may be spun on and off by hand as its locking action takes place when it is seated.")
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	if strings.Count(got, "\nh1: Stainless Steel Nut\np: The nut") != 2 {
		t.Errorf("the headings are not told apart:\n%s", got)
	}
}

// TestLabelsWithoutRules: rules divide the amounts, but not the labels beside them, and the header's cells have several lines.
func TestLabelsWithoutRules(t *testing.T) {
	c := &pdftest.Content{}
	xs := []float64{72, 180, 260, 340}
	for _, x := range xs {
		c.Line(x, 700, x, 530)
	}
	for _, y := range []float64{700, 650, 530} {
		c.Line(72, y, 340, y)
	}
	for y := 630.0; y > 530; y -= 20 {
		c.Line(180, y, 340, y)
	}
	at := []float64{76, 184, 264}
	rowsAt(c, at, 688, 12, []string{"", "", "Less:"}, []string{"", "Total Costs", "Exclusions &"}, []string{"Category", "All Funds", "Unallowables"})
	rowsAt(c, at, 637, 20, []string{"Salaries", "1,314,000", "373,250"}, []string{"Benefits", "352,000", "99,988"}, []string{"Travel", "94,000", "74,000"},
		[]string{"Bad Debts", "10,000", "10,000"}, []string{"Office Rent", "170,000", "150,000"}, []string{"Supplies", "161,000", "11,000"})
	want := "| Category | Total Costs All Funds | Less: Exclusions & Unallowables |\n| Salaries | 1,314,000 | 373,250 |\n| Benefits | 352,000 | 99,988 |\n" +
		"| Travel | 94,000 | 74,000 |\n| Bad Debts | 10,000 | 10,000 |\n| Office Rent | 170,000 | 150,000 |\n| Supplies | 161,000 | 11,000 |"
	if diff := cmp.Diff(want, outlineOf(t, c)); diff != "" {
		t.Error(diff)
	}
}
