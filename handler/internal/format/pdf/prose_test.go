package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// notes writes notes one a line: label and text.
func notes(d *doc.Document) string {
	var lines []string
	for _, n := range d.Notes {
		var text []string
		for _, b := range n.Blocks {
			text = append(text, b.PlainText())
		}
		lines = append(lines, n.Label+": "+strings.Join(text, " / "))
	}
	return strings.Join(lines, "\n")
}

// references counts the note references in blocks.
func references(blocks []doc.Block) int {
	n := 0
	doc.Walk(blocks, func(b *doc.Block) bool {
		for _, in := range b.Inlines {
			if in.Kind == doc.NoteReference {
				n++
			}
		}
		return true
	})
	return n
}

// TestFootnotesWithoutARule ties notes to their marks in the ways in which they are set.
func TestFootnotesWithoutARule(t *testing.T) {
	text := func(c *pdftest.Content) {
		body(c, 688, "winter took it away with most of the pier itself, and then nobody", "had the means to build another one in its place for some years.")
	}
	tests := []struct {
		name  string
		write func(*pdftest.Content)
		want  string
	}{
		{"two notes of one line each", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier").Text("F3", 6, 198, 704, "1").Text("F3", 10, 203, 700, "until the storm of that")
			c.Text("F3", 6, 304, 704, "2").Text("F3", 10, 310, 700, "long")
			text(c)
			c.Text("F3", 5, 72, 113, "1").Text("F3", 8, 76, 110, "See the harbour log for the day.")
			c.Text("F3", 5, 72, 103, "2").Text("F3", 8, 76, 100, "It lasted for two days and a night.")
		}, "1: See the harbour log for the day.\n2: It lasted for two days and a night."},
		{"a note of two lines, and one after it", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier").Text("F3", 6, 198, 704, "3").Text("F3", 10, 203, 700, "until the storm of that")
			c.Text("F3", 6, 304, 704, "4").Text("F3", 10, 310, 700, "long")
			text(c)
			c.Text("F3", 5, 72, 123, "3").Text("F3", 8, 76, 120, "See the harbour log for the day, in which the keeper wrote that the")
			c.Text("F3", 8, 72, 110.5, "water had come over the flats.")
			c.Text("F3", 5, 72, 104, "4").Text("F3", 8, 76, 101, "It lasted for two days and a night.")
		}, "3: See the harbour log for the day, in which the keeper wrote that the water had come over the flats.\n4: It lasted for two days and a night."},
		{"superior figures of the font", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier\u00b9 until the storm of that long")
			text(c)
			c.Text("F3", 8, 72, 100, "\u00b9 See the harbour log for the day.")
		}, "1: See the harbour log for the day."},
		{"asterisks on the line", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier* until the storm of that long")
			text(c)
			c.Text("F3", 8, 72, 100, "* See the harbour log for the day.")
		}, "*: See the harbour log for the day."},
		{"a sign that touches its note, below another line", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier* until the storm of that long")
			text(c)
			c.Text("F3", 8, 72, 109, "Abbreviations: none.").Text("F3", 8, 72, 100, "*See the harbour log for the day.")
		}, "*: See the harbour log for the day."},
		{"a label with a point", func(c *pdftest.Content) {
			c.Text("F3", 10, 72, 700, "The gauge stood at the old pier").Text("F3", 6, 198, 704, "1").Text("F3", 10, 203, 700, "until the storm of that")
			text(c)
			c.Text("F3", 8, 72, 100, "1. See the harbour log for the day.")
		}, "1: See the harbour log for the day."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pdftest.New()
			c := &pdftest.Content{}
			tt.write(c)
			f.Page(c.String())
			d := parse(t, f.Bytes())
			if diff := cmp.Diff(tt.want, notes(d)); diff != "" {
				t.Errorf("%s\nblocks:\n%s", diff, outline(d.Blocks))
			}
			if n := references(d.Blocks); n != len(d.Notes) {
				t.Errorf("%d references to %d notes", n, len(d.Notes))
			}
		})
	}
}

// TestTextGoesOnPastManyNotes, and marks that follow each other keep the space after them.
func TestTextGoesOnPastManyNotes(t *testing.T) {
	f := pdftest.New()
	f.Mapped("FS", nil)
	c := &pdftest.Content{}
	body(c, 700, "The gauge stood at the old pier until the storm of that long winter, and although the")
	x := 72.0
	for i := range 9 {
		c.Text("FS", 10, x, 688, fmt.Sprintf("w%d", i+1)).Text("FS", 6, x+11.2, 692, fmt.Sprint(i+1))
		x += 22
	}
	c.Text("FS", 6, x-5, 692, "10").Text("FS", 10, x+8, 688, "of these,")
	for i := range 10 {
		c.Text("F3", 5, 72, 203-10*float64(i), fmt.Sprint(i+1)).Text("F3", 8, 80, 200-10*float64(i), fmt.Sprintf("The note of the number %d.", i+1))
	}
	f.Page(c.String())
	c = &pdftest.Content{}
	body(c, 600, "The log ends on the next day. What is known of the gauge after that is known from the papers of the town,", "which were printed again in the second week of the year after it, when the presses had been dried and the",
		"men were back from the harbour, where they had been at work on the wall since the morning after the storm.")
	body(c, 700, "42.7 percent went on to the next page without any trouble.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	want := "p: The gauge stood at the old pier until the storm of that long winter, and although the w1 w2 w3 w4 w5 w6 w7 w8 w9  of these, 42.7 percent went on to the next page without any trouble."
	got, _, _ := strings.Cut(outline(d.Blocks), "\n")
	if diff := cmp.Diff(want, got); diff != "" || len(d.Notes) != 10 {
		t.Errorf("%d notes\n%s", len(d.Notes), diff)
	}
}

// TestNoteOfACaption: the mark stands in the caption of a table, and is not raised.
func TestNoteOfACaption(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 740, "The depth was measured at all of the stations in the second winter, and the days on which it could", "be read were counted for each of them. The table below has both.")
	c.Text("F1", 10, 72, 715, "Table 1: Depths at low water*")
	c.Grid([]float64{72, 200, 330}, []float64{640, 660, 680, 700})
	for i, row := range [][]string{{"Station", "Depth"}, {"Pier", "4.5"}, {"Bar", "3.1"}} {
		c.Text("F1", 10, 80, 686-20*float64(i), row[0]).Text("F1", 10, 210, 686-20*float64(i), row[1])
	}
	c.Text("F3", 8, 72, 100, "* In metres below the datum of the chart.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	var marked bool
	for _, b := range d.Blocks {
		for _, in := range b.Caption {
			marked = marked || in.Kind == doc.NoteReference
		}
	}
	if diff := cmp.Diff("*: In metres below the datum of the chart.", notes(d)); diff != "" || !marked {
		t.Errorf("%s\nmark in the caption: %v\n%s", diff, marked, outline(d.Blocks))
	}
}

// TestSmallPrintIsNoNote: small text that opens with a number of no mark stays in the body.
func TestSmallPrintIsNoNote(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 700, "The gauge stood at the old pier until the storm of that long", "winter took it away with most of the pier itself.")
	c.Text("F3", 8, 72, 100, "12 Harbour Street, Norddeich")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if len(d.Notes) != 0 || !strings.Contains(outline(d.Blocks), "12 Harbour Street") {
		t.Errorf("notes %q, blocks\n%s", notes(d), outline(d.Blocks))
	}
}

// centred sets a line of a font of File.Mapped in the middle of the page.
func centred(c *pdftest.Content, font string, size, y float64, text string) {
	width := 0.556*float64(len(text)) - 0.278*float64(strings.Count(text, " "))
	c.Text(font, size, 306-size*width/2, y, text)
}

// TestAuthorLinesStayApart: the lines between title and text are not one paragraph.
func TestAuthorLinesStayApart(t *testing.T) {
	prose := []string{"We compare pressure, radar and ultrasonic sensors for tide gauges that cost less than fifty euros, over",
		"two winters and at three stations, of which one stands in the harbour beside the reference and the others", "stand in the swell."}
	want := `h1: Tide gauges on a budget
p: Ines Varga and Tomas Lindqvist
p: Institute for Coastal Measurement, Norddeich
p: varga@example.org
p: We compare pressure, radar and ultrasonic sensors for tide gauges that cost less than fifty euros, over two winters and at three stations, of which one stands in the harbour beside the reference and the others stand in the swell.
h2: 1 Introduction
p: ` + strings.Join(prose, " ")
	lines := []string{"Ines Varga and Tomas Lindqvist", "Institute for Coastal Measurement, Norddeich", "varga@example.org"}
	for _, way := range []string{"centred", "at the margin"} {
		t.Run(way, func(t *testing.T) {
			f := pdftest.New()
			f.Mapped("FS", nil)
			c := &pdftest.Content{}
			c.Text("F2", 18, 200, 740, "Tide gauges on a budget")
			for i, line := range lines {
				if way == "centred" {
					centred(c, "FS", 10, 715-12*float64(i), line)
				} else {
					c.Text("F3", 10, 72, 715-12*float64(i), line)
				}
			}
			body(c, 660, prose...)
			c.Text("F2", 13, 72, 605, "1 Introduction")
			body(c, 585, prose...)
			f.Page(c.String())
			if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBlockQuote: text set in from both sides is a quotation; a list's text and centred lines are none.
func TestBlockQuote(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 700, "The keeper of the harbour wrote about that night in his log, which was found in the loft of the old house:")
	for i, s := range []string{"The water came over the flats at four in the morning, and it was", "not to be stopped by any of us. We went up into the loft with the", "lamp and the clock and waited there for the day."} {
		c.Text("F3", 10, 100, 682-12*float64(i), s)
	}
	body(c, 640, "The log ends on the next day. What is known of the gauge after that is known from the papers of the town,", "which were printed again in the second week of the year after it.")
	f.Page(c.String())
	want := `p: The keeper of the harbour wrote about that night in his log, which was found in the loft of the old house:
quote:
  p: The water came over the flats at four in the morning, and it was not to be stopped by any of us. We went up into the loft with the lamp and the clock and waited there for the day.
p: The log ends on the next day. What is known of the gauge after that is known from the papers of the town, which were printed again in the second week of the year after it.`
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestEllipsesAreNoLeaders: dots for words that were left out do not make entries of a table of contents.
func TestEllipsesAreNoLeaders(t *testing.T) {
	f := pdftest.New()
	c := &pdftest.Content{}
	body(c, 700, "The keeper wrote that nobody would have it in place right now.... But he was interested in", "a few other things as well.... There were five of them, which are named in the log, and no", "more than that.")
	f.Page(c.String())
	want := "p: The keeper wrote that nobody would have it in place right now.... But he was interested in a few other things as well.... There were five of them, which are named in the log, and no more than that."
	if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestFormula: what stands on a line of its own in the fonts of mathematics is one formula, with its number.
func TestFormula(t *testing.T) {
	f := pdftest.New()
	f.Font("FM", "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /ABCDEF+CMMI10 >>")
	f.Font("FR", "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /ABCDEF+CMR10 >>")
	c := &pdftest.Content{}
	body(c, 700, "The height of the water is the sum of all of the parts of the tide, each with its amplitude and phase:")
	c.Text("FM", 10, 220, 675, "h").Text("FR", 10, 230, 675, "=").Text("FM", 10, 240, 675, "a").Text("FM", 7, 246, 672, "i")
	c.Text("FR", 10, 252, 675, "+").Text("FM", 10, 262, 675, "b").Text("FR", 7, 268, 679, "2")
	c.Text("F3", 10, 520, 675, "(3)")
	body(c, 650, "where the sum goes over all the parts that were found at the station in the two winters of the survey.")
	f.Page(c.String())
	d := parse(t, f.Bytes())
	if len(d.Blocks) != 3 || d.Blocks[1].Kind != doc.Formula {
		t.Fatalf("got\n%s", outline(d.Blocks))
	}
	if b := d.Blocks[1]; b.Text != "h = a_{i} + b^{2}" || b.Number != "(3)" {
		t.Errorf("formula %q, number %q", b.Text, b.Number)
	}
}
