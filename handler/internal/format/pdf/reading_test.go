package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// TestReadingFindings is what a reader of whole documents minded, each as a small page. A want without a colon is a part of the text.
func TestReadingFindings(t *testing.T) {
	tests := []struct {
		name  string
		pages []func(*pdftest.Content)
		want  string
	}{
		{"a numbered heading of two lines hangs under its title", []func(*pdftest.Content){func(c *pdftest.Content) {
			c.Text("F2", 16, 72, 740, "2.").Text("F2", 16, 104, 740, "The stations along the outer coast")
			c.Text("F2", 16, 104, 722, "and in the estuary")
			body(c, 690, "The survey covers all of the stations along the coast, and those", "that stand in the estuary are counted with them as before.")
		}}, "h1: 2. The stations along the outer coast and in the estuary\n" +
			"p: The survey covers all of the stations along the coast, and those that stand in the estuary are counted with them as before."},
		{"paragraphs by their indent beside what stands further left", []func(*pdftest.Content){func(c *pdftest.Content) {
			body(c, 700, "The survey covers all of the stations along the coast, and those that", "stand in the estuary are counted with them.")
			c.Text("F3", 10, 88, 676, "Each of the stations has a name and a place, and each was visited in")
			body(c, 664, "the course of the two winters by the keeper or by his sons, and it was", "written down in the book which stood on the shelf at the pier before the", "storm took all of it away.")
			c.Text("F3", 10, 50, 596, "14 Series").Text("F3", 10, 50, 584, "No. 3")
		}}, "p: The survey covers all of the stations along the coast, and those that stand in the estuary are counted with them.\n" +
			"p: Each of the stations has a name and a place, and each was visited in the course of the two winters by the keeper or by his sons, " +
			"and it was written down in the book which stood on the shelf at the pier before the storm took all of it away.\n" +
			"p: 14 Series No. 3"},
		{"notes of one line each below a table", []func(*pdftest.Content){func(c *pdftest.Content) {
			body(c, 700, "GDP: Gross domestic product.", "NB: Figures of the last year are estimates.", "Source: Office of the harbour, tables of the year before the storm, 1905.")
		}}, "p: GDP: Gross domestic product.\np: NB: Figures of the last year are estimates.\np: Source: Office of the harbour, tables of the year before the storm, 1905."},
		{"a sentence that ends where the next word would not fit is no paragraph's end", []func(*pdftest.Content){func(c *pdftest.Content) {
			body(c, 700, "The survey covers all of the stations along the coast and on the flats.", "Neighbouring stations are counted with them, as they were in the year", "before the storm.")
		}}, "p: The survey covers all of the stations along the coast and on the flats. Neighbouring stations are counted with them, as they were in the year before the storm."},
		{"hyphens of a document that divides no words", []func(*pdftest.Content){func(c *pdftest.Content) {
			body(c, 700, "The survey of the coast covers all of the stations and those health-", "related facts which the keeper knew of, and it was read in the winter", "of the storm by the people at the pier and by those at the bar as well.",
				"Each of the stations has a name and a place, and each was visited more", "than once in the course of the two winters in which the ice lay on the", "flats and in the estuary, as it had in the years before the great storm.",
				"The health of the keeper and of his sons was good, and they wrote down", "what was related to the tides in the book that stood on the shelf there.", "No one had asked them to, but the book was full of figures by the end of",
				"the second winter, when the ice went out and the ships came in again to", "load what the people of the coast had to sell, which was not much at all", "in those days, and to bring them what they could not make for themselves.",
				"All of this is in the book, which was lost in the storm and found again", "at low water in the year after it by a boy who was out to look for his", "boat, and who could not read it, and gave it to the office of the harbour", "for a shilling, which bought him a new oar and a rope that held all winter.", "The office kept the book in a box under the stair, with the letters of", "the keeper, until the house was sold and the box was opened in the hope",
				"of money. There was none, but a clerk took the book home to read it, and", "so it came to light that the tides of that winter had been the highest", "of the century, by a hand or more at each of the stations of the coast,",
				"and that the ice had come in with them and gone out with them, twice in", "a day, for as long as the frost had held on the flats and in the estuary,", "until the storm came and took the pier away with most of what was on it.",
				"The clerk wrote all of it down again in a fair hand, and the copy lies in", "the museum of the town for all to see who come there in the summer, when", "there is time for such things and the door of the house is open for them,",
				"and where the boy, who is an old man now, tells them how he found it there", "at low water, and what he got for it, and that the rope is as good as new.")
		}}, "health-related"},
		{"hyphens of a document that divides words", []func(*pdftest.Content){func(c *pdftest.Content) {
			body(c, 700, "The survey of the coast covers all of the stations and those under-", "standing facts which the keeper knew of, and it was read in the win-", "ter of the storm by the people at the pier and by those at the bar.",
				"The winter was long, and the keeper stood under the light at the pier.")
		}}, "understanding"},
		{"bullets of a symbol font, coded as letters", []func(*pdftest.Content){func(c *pdftest.Content) {
			for k, item := range []string{"open the gate at low water;", "read the gauge at the old pier."} {
				c.Text("F5", 10, 72, 700-14*float64(k), "n").Text("F3", 10, 90, 700-14*float64(k), item)
			}
		}}, "list:\n  item:\n    p: open the gate at low water;\n  item:\n    p: read the gauge at the old pier."},
		{"accents of a font without accented letters", []func(*pdftest.Content){func(c *pdftest.Content) {
			c.Raw(`BT /F3 10 Tf 72 700 Td [(The paper is by B) -83 (\250) 416 (orsch and others,)] TJ ET`)
			c.Text("F3", 10, 72, 688, "of G").Text("F3", 10, 90.8, 688, "\u00a8").Text("F3", 10, 89.9, 688, "ottingen.")
		}}, "p: The paper is by Börsch and others, of Göttingen."},
		{"a year before a figure", []func(*pdftest.Content){func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "In the winter of 2007,").Text("F3", 10, 161.6, 700, "3.6 million were there.")
		}}, "p: In the winter of 2007, 3.6 million were there."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pdftest.New()
			f.Font("F5", "<< /Type /Font /Subtype /Type1 /BaseFont /Symbols /Encoding /WinAnsiEncoding >>")
			for _, write := range tt.pages {
				c := &pdftest.Content{}
				write(c)
				f.Page(c.String())
			}
			got := outline(parse(t, f.Bytes()).Blocks)
			if strings.Contains(tt.want, ":") && got != tt.want || !strings.Contains(got, tt.want) {
				t.Error(cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestUnitBelowACaptionIsNoHeader: "[In thousands]" stands at the top of each page below a caption that is the page's own.
func TestUnitBelowACaptionIsNoHeader(t *testing.T) {
	f := pdftest.New()
	for i := range 3 {
		c := &pdftest.Content{}
		c.Text("F1", 8, 72, 30, fmt.Sprintf("Tables of the coast %d", i+30))
		c.Text("F2", 10, 72, 760, fmt.Sprintf("Table %d. %s at the stations along the coast, by year and by station", i+1, []string{"Depths", "Tides", "Ships"}[i]))
		c.Text("F1", 8, 250, 745, "[In thousands]")
		c.Grid([]float64{72, 200, 330}, []float64{660, 680, 700, 720})
		for k, row := range [][]string{{"Station", "Count"}, {"Pier", "4.5"}, {"Bar", "3.1"}} {
			c.Text("F1", 10, 80, 706-20*float64(k), row[0]).Text("F1", 10, 210, 706-20*float64(k), row[1])
		}
		f.Page(c.String())
	}
	d := parse(t, f.Bytes())
	got := outline(d.Blocks)
	if n := strings.Count(got, "[In thousands]"); n != 3 || strings.Contains(got, "Tables of the coast") {
		t.Errorf("the unit stands %d times in the body, want 3:\n%s", n, got)
	}
}

// TestHeaderOfEvenPages: the running header of the even pages stands on two of five.
func TestHeaderOfEvenPages(t *testing.T) {
	f := pdftest.New()
	for i := range 5 {
		c := &pdftest.Content{}
		head := "Methods of the survey"
		if i%2 == 1 {
			head = "The coast and its stations"
		}
		c.Text("F1", 10, 72, 765, head)
		body(c, 700, fmt.Sprintf("Page %s has a text of its own in the middle,", strings.Repeat("x", i+1)), "and it ends here.")
		f.Page(c.String())
	}
	d := parse(t, f.Bytes())
	if got := outline(d.Blocks); strings.Contains(got, "The coast and its stations") || len(d.Furniture) != 5 {
		t.Errorf("%d pieces of furniture, want 5:\n%s", len(d.Furniture), got)
	}
}

// TestListGoesOnOverThePage: page numbers and notes between two of its items do not part a list.
func TestListGoesOnOverThePage(t *testing.T) {
	f := pdftest.New()
	for i, items := range [][]string{{"open the gate at low water;", "read the gauge at the old pier;"}, {"close the gate at high water;", "write the figure in the book."}} {
		c := &pdftest.Content{}
		if i == 0 {
			body(c, 730, "The keeper of the station has to do what follows on each day, also in the winter, when there is no", "ship in the harbour and no light at the bar:")
		}
		for k, item := range items {
			c.Text("F3", 10, 72, 700-14*float64(k), "•").Text("F3", 10, 86, 700-14*float64(k), item)
		}
		c.Text("F1", 8, 300, 30, fmt.Sprintf("%d", i+7))
		f.Page(c.String())
	}
	want := `p: The keeper of the station has to do what follows on each day, also in the winter, when there is no ship in the harbour and no light at the bar:
list:
  item:
    p: open the gate at low water;
  item:
    p: read the gauge at the old pier;
  item:
    p: close the gate at high water;
  item:
    p: write the figure in the book.`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestSignsAreNotMarked: a dash, a stop or a bullet in bold says nothing; in bold text it stays with its neighbours.
func TestSignsAreNotMarked(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F3", 10, 72, 700, "a subset of these").Text("F2", 10, 141, 700, "-").Text("F3", 10, 146, 700, "that is, the storms of the winter").Text("F2", 10, 281, 700, ".")
	body(c, 688, "It was read more than once in the course of the two winters, and")
	c.Text("F3", 10, 72, 676, "the book says").Text("F2", 10, 130, 676, "yes - and no").Text("F3", 10, 195, 676, "to all of it.")
	f.Page(c.String())
	var strong []string
	for _, b := range parse(t, f.Bytes()).Blocks {
		for _, in := range b.Inlines {
			if in.Marks.Has(doc.Strong) {
				strong = append(strong, strings.TrimSpace(in.Text))
			}
		}
	}
	if diff := cmp.Diff([]string{"yes - and no"}, strong); diff != "" {
		t.Error(diff)
	}
}

// TestNoteMarks: marks in parentheses, and two marks with a comma between them.
func TestNoteMarks(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	c.Text("F3", 10, 72, 700, "The gauge stood at the old pier (").Text("F3", 6, 202, 704, "4").Text("F3", 10, 205.3, 700, ") until the storm of that")
	c.Text("F3", 6, 304, 704, "5, 6").Text("F3", 10, 318, 700, "Of these years")
	body(c, 688, "the winter took it away with most of the pier itself, and then nobody", "had the means to build another one in its place for some years.")
	c.Line(72, 140, 200, 140)
	c.Text("F3", 8, 72, 120, "(").Text("F3", 5, 75, 123, "4").Text("F3", 8, 78, 120, ")").Text("F3", 8, 86, 120, "See the harbour log for the day.")
	c.Text("F3", 5, 72, 113, "5").Text("F3", 8, 76, 110, "It lasted for two days and a night.")
	c.Text("F3", 5, 72, 103, "6").Text("F3", 8, 76, 100, "The year after it had none at all.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if diff := cmp.Diff("4: See the harbour log for the day.\n5: It lasted for two days and a night.\n6: The year after it had none at all.", notes(d)); diff != "" {
		t.Errorf("%s\n%s", diff, outline(d.Blocks))
	}
	var text strings.Builder
	for _, in := range d.Blocks[0].Inlines {
		if in.Kind == doc.NoteReference {
			text.WriteString("[" + in.Note + "]")
		}
		text.WriteString(in.Text)
	}
	if got, want := text.String(), "The gauge stood at the old pier ([1]) until the storm of that [2], [3] Of these years the winter"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestAddressOverTwoLines: the address of a link that is broken at the end of a line has no blank in it; words of a link keep theirs.
func TestAddressOverTwoLines(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 700, "The data are at http://coast.example/data/series59/", "series59_02.pdf. See the log of", "the harbour too.")
	link := func(target string, rects ...string) (refs string) {
		for _, r := range rects {
			refs += fmt.Sprintf("%d 0 R ", f.Object(fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect [%s] /A << /S /URI /URI (%s) >> >>", r, target)))
		}
		return refs
	}
	annots := link("http://coast.example/data/series59/series59_02.pdf", "136 696 330 710", "72 685 143 698") +
		link("http://log.example/", "145 685 330 698", "72 673 123 686")
	f.PageWith(c.String(), "", "/Annots ["+annots+"]")
	got := map[string]string{}
	for _, in := range parse(t, f.Bytes()).Blocks[0].Inlines {
		if in.Link != "" {
			got[in.Link] += strings.TrimSpace(in.Text) + "|"
		}
	}
	want := map[string]string{
		"http://coast.example/data/series59/series59_02.pdf": "http://coast.example/data/series59/series59_02.pdf.|",
		"http://log.example/":                                "See the log of the harbour|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
