package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// body sets lines of running text from y downwards, so that a page has a body size.
func body(c *pdftest.Content, y float64, lines ...string) {
	for i, s := range lines {
		c.Text("F3", 10, 72, y-12*float64(i), s)
	}
}

func TestHeadingsByLookAndNumber(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F2", 20, 72, 740, "Annual survey")
	c.Text("F2", 13, 72, 700, "1 Scope")
	body(c, 680, "The survey covers all of the stations along the coast, and those", "that stand in the estuary are counted with them as before.")
	c.Text("F2", 13, 72, 640, "1.1 Stations")
	body(c, 620, "Each of the stations has a name and a place, and each was visited", "more than once in the course of the two winters.")
	body(c, 580, "A line of body text that ends with a full stop is no heading.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	want := `h1: Annual survey
h2: 1 Scope
p: The survey covers all of the stations along the coast, and those that stand in the estuary are counted with them as before.
h3: 1.1 Stations
p: Each of the stations has a name and a place, and each was visited more than once in the course of the two winters.
p: A line of body text that ends with a full stop is no heading.`
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	if !hasWarning(d, "headings_guessed") {
		t.Error("guessed headings are not reported")
	}
}

func TestLists(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 720, "Bring these things to the boat in the morning, please:")
	c.Text("F3", 10, 80, 700, "• rope")
	c.Text("F3", 10, 80, 688, "• two anchors, of which one is")
	c.Text("F3", 10, 87, 676, "the spare")
	c.Text("F3", 10, 98, 664, "• its chain")
	c.Text("F3", 10, 80, 640, "3. third")
	c.Text("F3", 10, 80, 628, "4. fourth")
	f.Page(c.String())
	want := `p: Bring these things to the boat in the morning, please:
list:
  item:
    p: rope
  item:
    p: two anchors, of which one is the spare
    list:
      item:
        p: its chain
list:
  item:
    p: third
  item:
    p: fourth`
	d := parse(t, f.Bytes())
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Fatal(diff)
	}
	if second := d.Blocks[2]; !second.Ordered || second.Start != 3 {
		t.Errorf("second list: ordered %v from %d, want from 3", second.Ordered, second.Start)
	}
}

func TestFurnitureIsFoundByRepetition(t *testing.T) {
	f := pdftest.New()
	for i := range 4 {
		c := &pdftest.Content{}
		c.Text("F1", 8, 72, 765, "Journal of Tides, Vol. 3")
		c.Text("F1", 8, 300, 30, fmt.Sprintf("- %d -", i+7))
		if i == 2 {
			c.Text("F2", 14, 72, 740, "Results at header height")
		}
		body(c, 700, fmt.Sprintf("Page %s has a text of its own in the middle,", strings.Repeat("x", i+1)), "and it ends here.")
		f.Page(c.String())
	}
	data := f.Bytes()
	d := parse(t, data)
	got := outline(d.Blocks)
	if strings.Contains(got, "Journal") || strings.Contains(got, "- 8 -") {
		t.Errorf("furniture is in the body:\n%s", got)
	}
	if !strings.Contains(got, "h1: Results at header height") {
		t.Errorf("a heading that stands once was taken for furniture:\n%s", got)
	}
	if len(d.Furniture) != 8 || !hasWarning(d, "furniture_dropped") {
		t.Errorf("%d pieces of furniture, want 8:\n%s", len(d.Furniture), outline(d.Furniture))
	}
	kept := outline(parse(t, data, func(in *format.Input) { in.Options.Furniture = "keep" }).Blocks)
	if !strings.Contains(kept, "Journal of Tides, Vol. 3") {
		t.Errorf("Furniture keep drops it:\n%s", kept)
	}
}

func TestOnePageHasNoFurniture(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F1", 8, 72, 765, "Running header")
	body(c, 700, "Text of the page.")
	f.Page(c.String())
	if got := outline(parse(t, f.Bytes()).Blocks); !strings.Contains(got, "Running header") {
		t.Errorf("a header of one page was dropped:\n%s", got)
	}
}

func TestFootnote(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F3", 10, 72, 700, "The gauge stood at the old pier")
	c.Text("F3", 6, 198, 704, "1")
	c.Text("F3", 10, 203, 700, "until the storm of that")
	body(c, 688, "winter took it away with most of the pier itself.")
	c.Text("F3", 5, 72, 103, "1")
	c.Text("F3", 8, 76, 100, "See the harbour log for the day.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if len(d.Notes) != 1 || d.Notes[0].Label != "1" || d.Notes[0].Blocks[0].PlainText() != "See the harbour log for the day." {
		t.Fatalf("notes %+v\n%s", d.Notes, outline(d.Blocks))
	}
	var refers bool
	for _, in := range d.Blocks[0].Inlines {
		refers = refers || in.Kind == doc.NoteReference && in.Note == d.Notes[0].ID
	}
	if !refers {
		t.Errorf("no reference to the note in %+v", d.Blocks[0].Inlines)
	}
}

func TestTables(t *testing.T) {
	t.Run("spans from missing borders", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Line(72, 700, 372, 700).Line(72, 680, 372, 680).Line(72, 660, 372, 660).Line(172, 640, 372, 640).Line(72, 620, 372, 620)
		c.Line(72, 620, 72, 700).Line(172, 620, 172, 680).Line(272, 620, 272, 680).Line(372, 620, 372, 700)
		c.Text("F2", 10, 180, 686, "Title over all")
		for i, s := range []string{"a", "b", "c"} {
			c.Text("F1", 10, 80+100*float64(i), 666, s)
		}
		c.Text("F1", 10, 80, 636, "tall").Text("F1", 10, 180, 646, "1").Text("F1", 10, 280, 646, "2").Text("F1", 10, 180, 626, "3").Text("F1", 10, 280, 626, "4")
		f.Page(c.String())
		want := "| [3x1]Title over all |\n| a | b | c |\n| [1x2]tall | 1 | 2 |\n| 3 | 4 |"
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("rules above and below only", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Text("F1", 10, 72, 715, "Table 1: Depths")
		c.Line(72, 700, 372, 700).Line(72, 684, 372, 684).Line(72, 640, 372, 640)
		for i, row := range [][]string{{"Station", "Depth (m)", "Days"}, {"Harbour", "4.5", "212"}, {"Pier", "12.0", "98"}, {"Bar", "3.1", "7"}} {
			y := 689 - 14*float64(i)
			c.Text("F1", 10, 76, y, row[0]).Text("F1", 10, 190, y, row[1]).Text("F1", 10, 320, y, row[2])
		}
		f.Page(c.String())
		want := "caption: Table 1: Depths\n| Station | Depth (m) | Days |\n| Harbour | 4.5 | 212 |\n| Pier | 12.0 | 98 |\n| Bar | 3.1 | 7 |"
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("by alignment, with a warning", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		for i, row := range [][]string{{"Station", "Depth", "Days"}, {"Harbour", "4.5", "212"}, {"Pier", "12.0", "98"}, {"Bar", "3.1", "7"}} {
			y := 689 - 14*float64(i)
			c.Text("F1", 10, 76, y, row[0]).Text("F1", 10, 190, y, row[1]).Text("F1", 10, 320, y, row[2])
		}
		f.Page(c.String())
		d := parse(t, f.Bytes())
		want := "| Station | Depth | Days |\n| Harbour | 4.5 | 212 |\n| Pier | 12.0 | 98 |\n| Bar | 3.1 | 7 |"
		if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
			t.Error(diff)
		}
		if !hasWarning(d, "table_guessed") {
			t.Error("no table_guessed")
		}
	})
	t.Run("goes on on the next page, header once", func(t *testing.T) {
		f := pdftest.New()
		for page := range 2 {
			c := &pdftest.Content{}
			c.Grid([]float64{72, 200, 330}, []float64{640, 660, 680, 700})
			c.Text("F2", 10, 80, 686, "Name").Text("F2", 10, 210, 686, "Value")
			for i := range 2 {
				y := 666 - 20*float64(i)
				c.Text("F1", 10, 80, y, fmt.Sprintf("row%d", 2*page+i)).Text("F1", 10, 210, y, fmt.Sprintf("%d", 10*page+i))
			}
			f.Page(c.String())
		}
		d := parse(t, f.Bytes())
		want := "| Name | Value |\n| row0 | 0 |\n| row1 | 1 |\n| row2 | 10 |\n| row3 | 11 |"
		if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
			t.Fatal(diff)
		}
		if p := d.Blocks[0].Places; len(p) != 2 || p[1].Page != 2 {
			t.Errorf("places %v, want one a page", p)
		}
	})
	t.Run("a box around text is no table", func(t *testing.T) {
		f := pdftest.New()
		c := &pdftest.Content{}
		c.Raw("60 640 400 80 re S")
		body(c, 700, "A note in a box, which has two lines of", "running text and no cells at all.")
		f.Page(c.String())
		want := "p: A note in a box, which has two lines of running text and no cells at all."
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCode(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 720, "The loop is short, and it is shown in full here for the reader:")
	c.Text("F4", 9, 72, 690, "for i := range n {").Text("F4", 9, 93.6, 679, "sum += i").Text("F4", 9, 72, 668, "}")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if len(d.Blocks) != 2 || d.Blocks[1].Kind != doc.Code || d.Blocks[1].Text != "for i := range n {\n    sum += i\n}" {
		t.Errorf("got\n%s", outline(d.Blocks))
	}
}

func TestLinksAnnotationsFormsAndFiles(t *testing.T) {
	f := pdftest.New()
	link := f.Object("<< /Type /Annot /Subtype /Link /Rect [70 695 140 715] /A << /S /URI /URI (https://example.org/a) >> >>")
	evil := f.Object("<< /Type /Annot /Subtype /Link /Rect [70 655 140 675] /A << /S /URI /URI (javascript:alert\\(1\\)) >> >>")
	note := f.Object("<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /Contents (Check this) /T (Ines) >>")
	field := f.Object("<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [72 500 200 520] >>")
	file := f.Stream("/Type /EmbeddedFile", "inside")
	spec := f.Object(fmt.Sprintf("<< /Type /Filespec /F (data.txt) /UF (data.txt) /EF << /F %d 0 R >> >>", file))
	f.Catalog(fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >> /Names << /EmbeddedFiles << /Names [(data.txt) %d 0 R] >> >>", field, spec))
	f.PageWith("BT /F1 12 Tf 72 700 Td (the link) Tj ET BT /F1 12 Tf 72 660 Td (bad link) Tj ET", "",
		fmt.Sprintf("/Annots [%d 0 R %d 0 R %d 0 R %d 0 R]", link, evil, note, field))
	saved := newFiles()
	d := parse(t, f.Bytes(), func(in *format.Input) { in.Files = saved })
	if got := d.Blocks[0].Inlines[0].Link; got != "https://example.org/a" {
		t.Errorf("link %q", got)
	}
	if got := d.Blocks[1].Inlines[0].Link; got != "" || !hasWarning(d, "unsafe_link") {
		t.Errorf("unsafe link %q, warnings %v", got, d.Warnings)
	}
	if len(d.Annotations) != 1 || d.Annotations[0].Text != "Check this" || d.Annotations[0].Author != "Ines" {
		t.Errorf("annotations %+v", d.Annotations)
	}
	if got := outline(d.Blocks); !strings.Contains(got, "name: Ada") {
		t.Errorf("field is lost:\n%s", got)
	}
	if saved.attachments["data.txt"] != "inside" || len(d.Attachments) != 1 {
		t.Errorf("attachments %v", saved.attachments)
	}
}

func TestMetadata(t *testing.T) {
	f := pdftest.New()
	f.Info("/Title (Tides) /Author (A. One; B. Two) /CreationDate (D:20240229120000+02'00') /Producer (by hand)")
	f.Catalog("/Lang (en-GB) /PageLabels << /Nums [0 << /S /r /St 4 >>] >>")
	f.Page("BT /F1 12 Tf 72 700 Td (x) Tj ET")
	m := parse(t, f.Bytes())
	got := append([]string{m.Metadata.Title, m.Metadata.Created, m.Metadata.Language, m.Metadata.Other["producer"], m.Pages[0].Label}, m.Metadata.Authors...)
	want := []string{"Tides", "2024-02-29T12:00:00+02:00", "en-GB", "by hand", "iv", "A. One", "B. Two"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTagsNameHeadings(t *testing.T) {
	f := pdftest.New()
	page := f.PageWith("/H2 << /MCID 0 >> BDC BT /F3 10 Tf 72 720 Td (Plain looking title) Tj ET EMC\n/P << /MCID 1 >> BDC BT /F3 10 Tf 72 700 Td (Body text below it that has rather more words than the title has.) Tj ET EMC", "", "/StructParents 0")
	root := f.Object("")
	h := f.Object(fmt.Sprintf("<< /Type /StructElem /S /H2 /P %d 0 R /Pg %d 0 R /K 0 >>", root, page))
	p := f.Object(fmt.Sprintf("<< /Type /StructElem /S /P /P %d 0 R /Pg %d 0 R /K 1 >>", root, page))
	f.Catalog(fmt.Sprintf("/MarkInfo << /Marked true >> /StructTreeRoot %d 0 R", root))
	data := strings.Replace(string(f.Bytes()), fmt.Sprintf("%d 0 obj\n\nendobj", root),
		fmt.Sprintf("%d 0 obj\n<</Type/StructTreeRoot/K [%d 0 R %d 0 R]/ParentTree <</Nums [0 [%d 0 R %d 0 R]]>>>>\nendobj", root, h, p, h, p), 1)
	d := parse(t, []byte(data))
	want := "h2: Plain looking title\np: Body text below it that has rather more words than the title has."
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Error(diff)
	}
}
