package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

func TestScriptsAreMarked(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F4", 10, 72, 700, "water is H").Text("F4", 7, 132, 698, "2").Text("F4", 10, 136.2, 700, "O and the area is 5 m").Text("F4", 6, 262.2, 704, "2").Text("F4", 10, 271.8, 700, "wide")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	marks := map[string]doc.Marks{}
	for _, in := range d.Blocks[0].Inlines {
		if strings.TrimSpace(in.Text) == "2" {
			marks[fmt.Sprint(len(marks))] = in.Marks
		}
	}
	if diff := cmp.Diff(map[string]doc.Marks{"0": doc.Subscript, "1": doc.Superscript}, marks); diff != "" {
		t.Errorf("%s\n%s", diff, outline(d.Blocks))
	}
}

func TestSideNoteStaysOutOfTheText(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	lines := []string{"The gauge stood at the old pier until the storm of that long winter took", "it away with most of the pier itself, and then nobody had the means to", "build another one in its place for some years, so that the record of the", "harbour has a gap which can be filled from the log of the keeper only."}
	for i, s := range lines {
		c.Text("F3", 10, 190, 700-12*float64(i), s)
	}
	c.Text("F3", 8, 72, 700, "The pier was built").Text("F3", 8, 72, 690, "in 1874 and is seen").Text("F3", 8, 72, 680, "on the first map.")
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	for _, whole := range []string{"p: " + strings.Join(lines, " "), "p: The pier was built in 1874 and is seen on the first map."} {
		if !strings.Contains(got, whole) {
			t.Errorf("no %q in\n%s", whole, got)
		}
	}
}

// image adds a picture of two by two pixels and the resource for it.
func image(f *pdftest.File) string {
	n := f.Stream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x10\x80\xee\x40")
	return fmt.Sprintf("/XObject << /Im1 %d 0 R >>", n)
}

func TestFigureWithCaption(t *testing.T) {
	f := pdftest.New()
	resource := image(f)
	c := &pdftest.Content{}
	body(c, 740, "The harbour has two piers, of which the older one is shown in the figure below,", "as it was before the storm.")
	c.Raw("q 200 0 0 120 72 580 cm /Im1 Do Q")
	c.Text("F1", 9, 72, 565, "Figure 1: The old pier")
	body(c, 530, "The newer one was built after it, a little further out and with a lamp at its end.")
	f.PageWith(c.String(), resource, "")
	saved := newFiles()
	d := parse(t, f.Bytes(), func(in *format.Input) { in.Files = saved })
	var figure *doc.Block
	for i := range d.Blocks {
		if d.Blocks[i].Kind == doc.Figure {
			figure = &d.Blocks[i]
		}
	}
	if figure == nil {
		t.Fatalf("no figure:\n%s", outline(d.Blocks))
	}
	box := figure.Places[0].Box
	if doc.PlainText(figure.Caption) != "Figure 1: The old pier" || figure.Image == "" || box.X0 != 72 || box.Y0 != 92 || box.X1 != 272 || box.Y1 != 212 {
		t.Errorf("figure %+v at %v", figure, box)
	}
	if data := saved.images[figure.Image]; !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("picture saved as %.8q", data)
	}
	if got := outline(d.Blocks); strings.Count(got, "The old pier") != 0 {
		t.Errorf("the caption stands in the text too:\n%s", got)
	}
}

// TestTextInAChartStaysInIt: axis labels and legends are text of the figure, not of the page.
func TestTextInAChartStaysInIt(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 740, "The water rose through the whole of the day, as the chart shows for the station at", "the old pier, and fell again in the night.")
	c.Line(100, 500, 100, 680).Line(100, 500, 400, 500)
	for i := range 6 {
		x, y := 100+60*float64(i), 500+36*float64(i)
		c.Line(96, y, 400, y).Line(x, 496, x, 680)
		c.Text("F1", 7, 80, y-2, fmt.Sprint(i)).Text("F1", 7, x-3, 486, fmt.Sprintf("%d:00", 2*i))
	}
	c.Raw("1 0 0 RG 100 510 m 160 530 l 220 590 l 280 640 l 340 600 l 400 560 l S")
	c.Text("F1", 7, 230, 660, "Old pier")
	body(c, 450, "Nothing of that kind was seen at the other station on the day, which is remarkable.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	var labels string
	for i := range d.Blocks {
		if d.Blocks[i].Kind == doc.Figure {
			for _, child := range d.Blocks[i].Children {
				labels += child.PlainText() + "|"
			}
		}
	}
	if !strings.Contains(labels, "Old pier") || !strings.Contains(labels, "4:00") {
		t.Errorf("labels of the figure: %q\n%s", labels, outline(d.Blocks))
	}
}

func TestTableOfContents(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F2", 16, 72, 740, "Contents")
	for i, s := range []string{"1 Introduction", "2 Stations and sensors", "2.1 Stations", "3 Results", "4 Conclusion"} {
		c.Text("F3", 10, 72, 710-14*float64(i), fmt.Sprintf("%s %s %d", s, strings.Repeat(". ", 40-len(s)), 3+2*i))
	}
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if len(d.Blocks) != 2 || d.Blocks[1].Kind != doc.TOC || len(d.Blocks[1].Children) != 5 {
		t.Errorf("got\n%s", outline(d.Blocks))
	}
}

// TestOutlineGivesLevels: bookmarks say which lines are headings, and how deep, whatever these look like.
func TestOutlineGivesLevels(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F3", 10, 72, 740, "The first part")
	body(c, 715, "Text of the first part, which is rather longer than the line above it is, by far.")
	c.Text("F3", 10, 72, 690, "Its only section")
	body(c, 665, "Text of the only section, which is rather longer than the line above it is, by far.")
	page := f.Page(c.String())
	root, first, second := f.Object(""), f.Object(""), f.Object("")
	f.Set(root, fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count 2 >>", first, first))
	f.Set(first, fmt.Sprintf("<< /Title (The first part) /Parent %d 0 R /First %d 0 R /Last %d 0 R /Count 1 /Dest [%d 0 R /XYZ 72 750 0] >>", root, second, second, page))
	f.Set(second, fmt.Sprintf("<< /Title (Its only section) /Parent %d 0 R /Dest [%d 0 R /XYZ 72 700 0] >>", first, page))
	f.Catalog(fmt.Sprintf("/Outlines %d 0 R", root))
	want := `h1: The first part
p: Text of the first part, which is rather longer than the line above it is, by far.
h2: Its only section
p: Text of the only section, which is rather longer than the line above it is, by far.`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

func TestWatermarkAndMarginTextAreFurniture(t *testing.T) {
	f := pdftest.New()
	for i := range 4 {
		c := &pdftest.Content{}
		c.Raw("0.8 g BT /F2 60 Tf 0.707 0.707 -0.707 0.707 180 250 Tm (DRAFT) Tj ET 0 g")
		c.Raw("BT /F1 8 Tf 0 1 -1 0 30 300 Tm (Printed in Norddeich) Tj ET")
		body(c, 700, fmt.Sprintf("Page %s has a text of its own in the middle,", strings.Repeat("x", i+1)), "and it ends here.")
		f.Page(c.String())
	}
	d := parse(t, f.Bytes())
	if got := outline(d.Blocks); strings.Contains(got, "DRAFT") || strings.Contains(got, "Printed") {
		t.Errorf("furniture is in the body:\n%s", got)
	}
	if got := outline(d.Furniture); !strings.Contains(got, "DRAFT") || !strings.Contains(got, "Printed") {
		t.Errorf("furniture is lost:\n%s", got)
	}
}

func TestCoveredTextIsHidden(t *testing.T) {
	f := pdftest.New()
	f.Page("BT /F1 12 Tf 72 700 Td (Under the box) Tj ET 1 1 1 rg 60 690 200 30 re f 0 g BT /F1 12 Tf 72 600 Td (In the open) Tj ET")
	d := parse(t, f.Bytes())
	if outline(d.Blocks) != "p: In the open" || len(d.Hidden) != 1 || d.Hidden[0].Reason != "covered" {
		t.Errorf("blocks %s, hidden %+v", outline(d.Blocks), d.Hidden)
	}
}

func TestTablesInTheirVariety(t *testing.T) {
	rows := func(c *pdftest.Content, x, y float64, rows ...[]string) {
		for i, row := range rows {
			for k, cell := range row {
				c.Text("F1", 10, x+110*float64(k), y-16*float64(i), cell)
			}
		}
	}
	t.Run("cells of several lines", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Grid([]float64{72, 200, 400}, []float64{620, 660, 680})
		c.Text("F2", 10, 80, 666, "Station").Text("F2", 10, 210, 666, "Remarks")
		c.Text("F1", 10, 80, 648, "Old pier").Text("F1", 10, 210, 648, "Lost in the storm of").Text("F1", 10, 210, 636, "the second winter, and").Text("F1", 10, 210, 624, "not built again.")
		f.Page(c.String())
		want := "| Station | Remarks |\n| Old pier | Lost in the storm of the second winter, and not built again. |"
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("two on a page, captions above and below", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Text("F1", 9, 72, 716, "Table 1: Depths")
		c.Grid([]float64{72, 180, 290}, []float64{660, 676, 692, 708})
		rows(c, 80, 696, []string{"Station", "Depth"}, []string{"Pier", "4.5"}, []string{"Bar", "3.1"})
		body(c, 630, "Between the two of them stands a line of text that belongs to neither.")
		c.Grid([]float64{72, 180, 290}, []float64{550, 566, 582, 598})
		rows(c, 80, 586, []string{"Station", "Days"}, []string{"Pier", "212"}, []string{"Bar", "7"})
		c.Text("F1", 9, 72, 538, "Table 2: Days in service")
		f.Page(c.String())
		want := `caption: Table 1: Depths
| Station | Depth |
| Pier | 4.5 |
| Bar | 3.1 |
p: Between the two of them stands a line of text that belongs to neither.
caption: Table 2: Days in service
| Station | Days |
| Pier | 212 |
| Bar | 7 |`
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("underlines and lines to write on are no tables", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Text("F1", 12, 72, 700, "An underlined line").Line(72, 698, 175, 698)
		for i, label := range []string{"Name", "Street", "Town"} {
			y := 660 - 24*float64(i)
			c.Text("F1", 10, 72, y, label).Line(120, y-2, 400, y-2)
		}
		f.Page(c.String())
		if got := outline(parse(t, f.Bytes()).Blocks); strings.Contains(got, "|") {
			t.Errorf("got a table:\n%s", got)
		}
	})
	t.Run("one row without a header", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Grid([]float64{72, 180, 290, 400}, []float64{660, 676})
		rows(c, 80, 664, []string{"Pier", "4.5", "212"})
		f.Page(c.String())
		if diff := cmp.Diff("| Pier | 4.5 | 212 |", outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
}

// TestFormFields reads values with their full names, ticks included.
func TestFormFields(t *testing.T) {
	f := pdftest.New()
	parent := f.Object("")
	name := f.Object(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /Parent %d 0 R /T (name) /V (Ada) /Rect [72 500 200 520] >>", parent))
	tick := f.Object(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /Parent %d 0 R /FT /Btn /T (agreed) /V /Yes /AS /Yes /Rect [72 470 82 480] >>", parent))
	open := f.Object(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /Parent %d 0 R /FT /Btn /T (again) /V /Off /AS /Off /Rect [72 440 82 450] >>", parent))
	choice := f.Object("")
	off := f.Stream("/Type /XObject /Subtype /Form /BBox [0 0 10 10]", "")
	radio := func(name, state string, y int) int {
		return f.Object(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /Parent %d 0 R /AS /%s /AP << /N << /%s %d 0 R /Off %d 0 R >> >> /Rect [72 %d 82 %d] >>", choice, state, name, off, off, y, y+10))
	}
	red, green := radio("red", "Off", 400), radio("green", "green", 380)
	f.Set(choice, fmt.Sprintf("<< /T (colour) /Parent %d 0 R /FT /Btn /Ff 32768 /V /green /Kids [%d 0 R %d 0 R] >>", parent, red, green))
	f.Set(parent, fmt.Sprintf("<< /T (person) /FT /Tx /Kids [%d 0 R %d 0 R %d 0 R %d 0 R] >>", name, tick, open, choice))
	f.Catalog(fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >>", parent))
	f.PageWith("BT /F1 12 Tf 72 700 Td (A form) Tj ET", "", fmt.Sprintf("/Annots [%d 0 R %d 0 R %d 0 R %d 0 R %d 0 R]", name, tick, open, red, green))
	got := outline(parse(t, f.Bytes()).Blocks)
	for _, want := range []string{"person.name: Ada", "person.agreed: on", "person.again: off", "person.colour: green"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestHighlightsKeepTheirTextAndAuthor(t *testing.T) {
	f := pdftest.New()
	mark := f.Object("<< /Type /Annot /Subtype /Highlight /Rect [70 695 125 715] /QuadPoints [70 715 125 715 70 695 125 695] /Contents (Is it so?) /T (Ines) /M (D:20240229120000Z) >>")
	f.PageWith("BT /F1 12 Tf 72 700 Td (the gauge stood) Tj ET", "", fmt.Sprintf("/Annots [%d 0 R]", mark))
	d := parse(t, f.Bytes())
	if len(d.Annotations) != 1 {
		t.Fatalf("annotations %+v", d.Annotations)
	}
	a := d.Annotations[0]
	if got := []string{a.Kind, a.Author, a.Text, a.Range, a.Date}; !cmp.Equal(got, []string{"highlight", "Ines", "Is it so?", "the gauge", "2024-02-29T12:00:00Z"}) {
		t.Errorf("got %q", got)
	}
}

func TestPasswordOpens(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "samples", "encrypted-minutes.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	d := parse(t, data, func(in *format.Input) { in.Options.Password = "eastmere" })
	if !d.Metadata.Encrypted || len(d.Blocks) == 0 {
		t.Errorf("encrypted %v, %d blocks", d.Metadata.Encrypted, len(d.Blocks))
	}
}

func TestScannedShare(t *testing.T) {
	f := pdftest.New()
	resource := image(f)
	f.PageWith("q 612 0 0 792 0 0 cm /Im1 Do Q", resource, "")
	f.Page("BT /F1 12 Tf 72 700 Td (A page with text) Tj ET")
	d := parse(t, f.Bytes())
	if d.Metadata.Scanned != 0.5 || !d.Pages[0].Scan || d.Pages[1].Scan || !hasWarning(d, "scanned_page") {
		t.Errorf("scanned %v, pages %+v", d.Metadata.Scanned, d.Pages)
	}
}

// TestHeaderCellOverSeveralColumns: a rule below a header cell says which columns it stands over; bold lines open groups of rows.
func TestHeaderCellOverSeveralColumns(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	xs := []float64{76, 200, 260, 320, 380}
	c.Line(72, 700, 420, 700).Line(72, 666, 420, 666).Line(72, 560, 420, 560).Line(195, 682, 290, 682).Line(315, 682, 412, 682)
	c.Text("F2", 10, 225, 687, "First").Text("F2", 10, 345, 687, "Second")
	for i, s := range []string{"Station", "low", "high", "low", "high"} {
		c.Text("F2", 10, xs[i], 671, s)
	}
	y := 654.0
	for _, row := range [][]string{{"*Harbour"}, {"Pier", "4.5", "8.1", "4.4", "8.0"}, {"Mole", "3.5", "7.1", "3.4", "7.0"}, {"*Estuary"}, {"Bar", "3.1", "6.0", "3.0", "5.9"}, {"Flats", "0.1", "2.0", "0.0", "1.9"}} {
		for i, s := range row {
			if name, bold := strings.CutPrefix(s, "*"); bold {
				c.Text("F2", 10, xs[i], y, name)
			} else {
				c.Text("F1", 10, xs[i], y, s)
			}
		}
		y -= 14
	}
	f.Page(c.String())
	want := `|  | [2x1]First | [2x1]Second |
| Station | low | high | low | high |
| Harbour |  |  |  |  |
| Pier | 4.5 | 8.1 | 4.4 | 8.0 |
| Mole | 3.5 | 7.1 | 3.4 | 7.0 |
| Estuary |  |  |  |  |
| Bar | 3.1 | 6.0 | 3.0 | 5.9 |
| Flats | 0.1 | 2.0 | 0.0 | 1.9 |`
	d := parse(t, f.Bytes())
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Fatal(diff)
	}
	if got := d.Blocks[0].Table.HeaderRows; got != 2 {
		t.Errorf("%d header rows, want 2: the heading of a group is none", got)
	}
}

// TestHeaderOfThreeRowsUnderRules: rows of a header whose cells stand over others stay rows of their own.
func TestHeaderOfThreeRowsUnderRules(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	xs := []float64{76, 200, 260, 320, 380}
	c.Line(72, 700, 420, 700).Line(72, 654, 420, 654).Line(72, 600, 420, 600)
	c.Line(195, 686, 290, 686).Line(315, 686, 412, 686).Line(195, 670, 290, 670).Line(315, 670, 412, 670)
	c.Text("F1", 10, 225, 689, "Pier").Text("F1", 10, 345, 689, "Mole").Text("F1", 10, 225, 674, "1998").Text("F1", 10, 345, 674, "1999")
	for i, s := range []string{"Month", "low", "high", "low", "high"} {
		c.Text("F1", 10, xs[i], 659, s)
	}
	for k, row := range [][]string{{"May", "4.5", "8.1", "4.4", "8.0"}, {"June", "3.5", "7.1", "3.4", "7.0"}, {"July", "3.1", "6.0", "3.0", "5.9"}} {
		for i, s := range row {
			c.Text("F1", 10, xs[i], 640-14*float64(k), s)
		}
	}
	f.Page(c.String())
	want := `|  | [2x1]Pier | [2x1]Mole |
|  | [2x1]1998 | [2x1]1999 |
| Month | low | high | low | high |
| May | 4.5 | 8.1 | 4.4 | 8.0 |
| June | 3.5 | 7.1 | 3.4 | 7.0 |
| July | 3.1 | 6.0 | 3.0 | 5.9 |`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestTextGoesOnPastATableAndItsNotes: small print below a table does not end the sentence around it.
func TestTextGoesOnPastATableAndItsNotes(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 700, "The gauge stood at the old pier until the storm of that long winter, and although the", "record was kept for as long as there was anything to be read at the pier, the")
	f.Page(c.String())
	c = &pdftest.Content{}
	c.Grid([]float64{72, 200, 330}, []float64{640, 660, 680, 700})
	for i, row := range [][]string{{"Station", "Depth"}, {"Pier", "4.5"}, {"Bar", "3.1"}} {
		c.Text("F1", 10, 80, 686-20*float64(i), row[0]).Text("F1", 10, 210, 686-20*float64(i), row[1])
	}
	c.Text("F1", 7, 72, 630, "Abbreviations: none were needed in this table.").Text("F1", 7, 72, 622, "* In metres below the datum.")
	body(c, 590, "numbers of its last week cannot be found any more.")
	f.Page(c.String())
	want := `p: The gauge stood at the old pier until the storm of that long winter, and although the record was kept for as long as there was anything to be read at the pier, the numbers of its last week cannot be found any more.
| Station | Depth |
| Pier | 4.5 |
| Bar | 3.1 |
p: Abbreviations: none were needed in this table.
p: * In metres below the datum.`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}
