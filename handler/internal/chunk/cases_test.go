package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
)

// bigTable is the table of C23: two header rows, the first with a span, 200 rows, one with a cell longer than any chunk,
// one with an empty line in a cell.
func bigTable() *doc.Document {
	g := &doc.Grid{Rows: 202, Columns: 3, HeaderRows: 2}
	cell := func(r, c int, blocks ...doc.Block) doc.Cell { return doc.Cell{Row: r, Column: c, Blocks: blocks} }
	region := cell(0, 0, doc.P("Region"))
	region.RowSpan = 2
	sales := cell(0, 1, doc.P("Sales"))
	sales.ColSpan = 2
	g.Cells = append(g.Cells, region, sales, cell(1, 1, doc.P("Units")), cell(1, 2, doc.P("Revenue")))
	for r := 2; r < g.Rows; r++ {
		name := doc.P(fmt.Sprintf("Region number %d", r-1))
		switch r {
		case 50:
			name = doc.P("Region number 49 " + strings.Repeat("which is described at length. ", 60))
		case 90:
			g.Cells = append(g.Cells, cell(r, 0, name, doc.P("second paragraph")), cell(r, 1, doc.P("x")), cell(r, 2, doc.P("y")))
			continue
		}
		g.Cells = append(g.Cells, cell(r, 0, name), cell(r, 1, doc.P(fmt.Sprint(r*17))), cell(r, 2, doc.P(fmt.Sprintf("%d.50", r*1000))))
	}
	d := &doc.Document{Format: "test", Blocks: []doc.Block{
		doc.H(1, "Annual results of the northern division"), doc.H(2, "Regional breakdown"),
		{Kind: doc.Table, Table: g, Number: "Table 1:", Caption: []doc.Inline{doc.T("units")}},
	}}
	d.Finish()
	return d
}

func TestBigTable(t *testing.T) {
	for _, format := range []string{"markdown", "html", "rows"} {
		t.Run(format, func(t *testing.T) {
			_, chunks := checkSplit(t, bigTable(), chunk.Options{MaxTokens: 128, TableFormat: format}, "o200k_base")
			rows := map[string]int{}
			parts := 0
			for i, c := range chunks {
				for n := range 201 {
					if strings.Contains(c.Text[c.Body.Start:c.Body.End], fmt.Sprintf("Region number %d<", n)) ||
						strings.Contains(c.Text[c.Body.Start:c.Body.End], fmt.Sprintf("Region number %d ", n)) ||
						strings.Contains(c.Text[c.Body.Start:c.Body.End], fmt.Sprintf("Region number %d;", n)) {
						rows[fmt.Sprint(n)]++
					}
				}
				for _, want := range []string{"## Regional breakdown", "Table 1: units", "Units", "Revenue"} {
					if format == "rows" && c.Table.Part > 0 && strings.HasPrefix(want, "R") || format == "rows" && want == "Units" {
						continue
					}
					if !strings.Contains(c.Text, want) {
						t.Fatalf("chunk %d lacks %q: %q", i, want, c.Text)
					}
				}
				if at := strings.Index(c.Text, "Sales"); at >= 0 && strings.Index(c.Text, "## Regional") > at {
					t.Errorf("chunk %d: the header stands before the headings", i)
				}
				if c.Table == nil || c.Kind != "table" && i > 0 {
					t.Fatalf("chunk %d is not part of a table: %+v", i, c)
				}
				if c.Table.Part > 0 {
					parts++
					if c.Table.FirstRow != 51 {
						t.Fatalf("row %d is cut, only row 51 is too long", c.Table.FirstRow)
					}
				}
			}
			if len(rows) != 200 {
				t.Errorf("%d rows, want 200", len(rows))
			}
			for n, count := range rows {
				if count != 1 {
					t.Errorf("row %s is there %d times", n, count)
				}
			}
			if parts < 3 {
				t.Errorf("the long row has %d parts, want several", parts)
			}
		})
	}
}

func TestHeaderTooLong(t *testing.T) {
	d := &doc.Document{Blocks: []doc.Block{doc.H(1, "Report"), doc.H(2, "Breakdown of everything by region and by year"), {Kind: doc.Table, Table: &doc.Grid{HeaderRows: 1}}}}
	g := d.Blocks[2].Table
	g.Columns = 2
	for r := range 30 {
		text := fmt.Sprintf("value %d", r)
		if r == 0 {
			text = strings.Repeat("a very long header ", 12)
		}
		g.Cells = append(g.Cells, doc.Cell{Row: r, Column: 0, Blocks: []doc.Block{doc.P(text)}}, doc.Cell{Row: r, Column: 1, Blocks: []doc.Block{doc.P("x")}})
		g.Rows++
	}
	d.Finish()
	_, chunks := checkSplit(t, d, chunk.Options{MaxTokens: 48}, "o200k_base")
	if !hasWarning(d, "header_dropped") {
		t.Errorf("no warning header_dropped, but %v", d.Warnings)
	}
	if last := chunks[len(chunks)-1]; !strings.Contains(last.Text, "## Breakdown") {
		t.Errorf("the last heading is not in %q", last.Text)
	}
}

func hasWarning(d *doc.Document, class doc.Class) bool {
	for _, w := range d.Warnings {
		if w.Class == class {
			return true
		}
	}
	return false
}

// TestAdversarialText is C24.
func TestAdversarialText(t *testing.T) {
	place := doc.Place{Page: 1}
	picture := doc.Block{Kind: doc.Figure, Image: "i1"}
	for _, c := range []struct {
		name   string
		blocks []doc.Block
		check  func(t *testing.T, chunks []chunk.Chunk)
	}{
		{"a heading of 60 words", []doc.Block{doc.H(1, strings.Repeat("considerably lengthy heading ", 20)), doc.P("Short paragraph.", place)}, func(t *testing.T, chunks []chunk.Chunk) {
			if last := chunks[len(chunks)-1]; !strings.Contains(last.Text, "Short paragraph.") {
				t.Errorf("the paragraph is not in %q", last.Text)
			}
		}},
		{"headings only", []doc.Block{doc.H(1, "One"), doc.H(2, "Two"), doc.H(1, "Three")}, func(t *testing.T, chunks []chunk.Chunk) {
			if len(chunks) != 1 || chunks[0].Text != "# One\n\n## Two\n\n# Three" || chunks[0].Kind != "heading" {
				t.Errorf("got %+v", chunks)
			}
		}},
		{"three headings in a row", []doc.Block{doc.H(1, "One"), doc.H(2, "Two"), doc.H(3, "Three"), doc.P("Text.")}, func(t *testing.T, chunks []chunk.Chunk) {
			if len(chunks) != 1 || chunks[0].Text != "# One\n\n## Two\n\n### Three\n\nText." || strings.Join(chunks[0].Headings, "/") != "One/Two/Three" {
				t.Errorf("got %+v", chunks)
			}
		}},
		{"Chinese without blanks", []doc.Block{doc.P(strings.Repeat("中文句子没有空格也没有标点", 250))}, nil},
		{"Thai", []doc.Block{doc.P(strings.Repeat("ภาษาไทยไม่มีช่องว่าง", 100))}, nil},
		{"one letter 5,000 times", []doc.Block{doc.P(strings.Repeat("a", 5000))}, nil},
		{"families", []doc.Block{doc.P(strings.Repeat("👨‍👩‍👧‍👦", 200))}, func(t *testing.T, chunks []chunk.Chunk) {
			for _, c := range chunks {
				if len(c.Text)%len("👨‍👩‍👧‍👦") != 0 {
					t.Errorf("a family is cut: %q", c.Text)
				}
			}
		}},
		{"numbers at a border", []doc.Block{doc.P(strings.Repeat("Revenue was 5,120 units. It rose 3.5 %. ", 20))}, func(t *testing.T, chunks []chunk.Chunk) {
			for _, c := range chunks {
				if !strings.HasPrefix(c.Text, "Revenue was 5,120 units.") && !strings.HasPrefix(c.Text, "It rose 3.5 %.") {
					t.Errorf("a sentence is cut: %q", c.Text)
				}
			}
		}},
		{"nothing", nil, func(t *testing.T, chunks []chunk.Chunk) {
			if len(chunks) != 0 {
				t.Errorf("got %+v", chunks)
			}
		}},
		{"blanks and a picture", []doc.Block{doc.P(" \n "), picture}, func(t *testing.T, chunks []chunk.Chunk) {
			if len(chunks) != 1 || chunks[0].Text != "![a logo](i1)" {
				t.Errorf("got %+v", chunks)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &doc.Document{Blocks: c.blocks, Images: []doc.Image{{ID: "i1", Alt: "a logo"}}}
			d.Finish()
			_, chunks := checkSplit(t, d, chunk.Options{MaxTokens: 32}, "o200k_base")
			if c.check != nil {
				c.check(t, chunks)
			}
		})
	}
}

// TestNotesAreAtHand checks that a note is beside its citation, and in its own chunk once.
func TestNotesAreAtHand(t *testing.T) {
	cited := func(id string) doc.Inline { return doc.Inline{Kind: doc.NoteReference, Note: id} }
	d := &doc.Document{
		Blocks: []doc.Block{
			doc.H(1, "One"), {Kind: doc.Paragraph, Inlines: []doc.Inline{doc.T("Fact"), cited("1"), doc.T(".")}},
			doc.H(1, "Two"), doc.P(strings.Repeat("Some other words here. ", 30)),
		},
		Notes: []doc.Note{{ID: "1", Kind: "footnote", Blocks: []doc.Block{doc.P("See Smith.")}}},
	}
	d.Finish()
	_, chunks := checkSplit(t, d, chunk.Options{MaxTokens: 128, MinTokens: 1}, "o200k_base")
	if want := "# One\n\nFact[^1].\n\n[^1]: See Smith."; chunks[0].Text != want {
		t.Errorf("got %q, want %q", chunks[0].Text, want)
	}
	if last := chunks[len(chunks)-1]; last.Kind != "note" || last.Text != "[^1]: See Smith." {
		t.Errorf("the last chunk is %+v", last)
	}
}

// TestSpansAreCutToTheChunk checks that rows which a cell ties together make a table of their own in every chunk.
func TestSpansAreCutToTheChunk(t *testing.T) {
	g := &doc.Grid{Rows: 40, Columns: 2}
	for r := range g.Rows {
		if r == 0 {
			g.Cells = append(g.Cells, doc.Cell{Row: 0, Column: 0, RowSpan: 40, Blocks: []doc.Block{doc.P("All")}})
		}
		g.Cells = append(g.Cells, doc.Cell{Row: r, Column: 1, Blocks: []doc.Block{doc.P(fmt.Sprintf("value %d", r))}})
	}
	d := &doc.Document{Blocks: []doc.Block{{Kind: doc.Table, Table: g}}}
	d.Finish()
	_, chunks := checkSplit(t, d, chunk.Options{MaxTokens: 64}, "o200k_base")
	if len(chunks) < 3 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for i, c := range chunks {
		rows := strings.Count(c.Text, "<tr>")
		if want := fmt.Sprintf(`<td rowspan="%d">All</td>`, rows); !strings.Contains(c.Text, want) || strings.Count(c.Text, "All") != 1 {
			t.Errorf("chunk %d of %d rows lacks %q: %q", i, rows, want, c.Text)
		}
	}
}

// TestPictures checks that a picture makes a chunk when it says something, and none when it does not.
func TestPictures(t *testing.T) {
	figure := func(image string, caption ...doc.Inline) doc.Block {
		return doc.Block{Kind: doc.Figure, Image: image, Caption: caption}
	}
	for _, c := range []struct {
		name   string
		blocks []doc.Block
		want   []string
	}{
		{"alone and mute", []doc.Block{figure("mute")}, nil},
		{"two of them", []doc.Block{figure("mute"), figure("mute")}, nil},
		{"with a caption", []doc.Block{figure("mute", doc.T("A harbour"))}, []string{"A harbour"}},
		{"with alternative text", []doc.Block{figure("named")}, []string{"a harbour at dusk"}},
		{"under a heading", []doc.Block{doc.H(1, "Harbour"), figure("mute")}, []string{"# Harbour"}},
		{"beside text", []doc.Block{doc.P("Words."), figure("mute")}, []string{"Words."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &doc.Document{Blocks: c.blocks, Images: []doc.Image{{ID: "mute", File: "images/1.png"}, {ID: "named", File: "images/2.png", Alt: "a harbour at dusk"}}}
			d.Finish()
			_, chunks := split(t, d, chunk.Options{})
			if len(chunks) != len(c.want) {
				t.Fatalf("%d chunks, want %d: %+v", len(chunks), len(c.want), chunks)
			}
			for i, want := range c.want {
				if !strings.Contains(chunks[i].Text, want) {
					t.Errorf("chunk %q lacks %q", chunks[i].Text, want)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	d := generate(1, 3)
	for _, o := range []chunk.Options{{MaxTokens: 3}, {Strategy: "magic"}, {TableFormat: "pdf"}, {Overlap: 400}} {
		if _, err := chunk.Split(d, nil, o); err == nil {
			t.Errorf("Split with %+v gave no error", o)
		}
	}
}
