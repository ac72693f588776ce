package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
	"decant/handler/internal/token"
)

// report is a document of 200 pages: sections with headings, paragraphs, lists and some tables.
func report(seed uint64) *doc.Document {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 9)), page: 1}
	d := &doc.Document{Format: "test"}
	for page := range 200 {
		place := doc.Place{Page: page + 1}
		if page%3 == 0 {
			d.Blocks = append(d.Blocks, doc.H(1+page%2, "Section "+fmt.Sprint(page)+" "+g.words(3), place))
		}
		for range 6 {
			d.Blocks = append(d.Blocks, doc.P(g.words(40+g.IntN(60)), place))
		}
		if page%5 == 0 {
			d.Blocks = append(d.Blocks, g.table())
		}
	}
	d.Finish()
	return d
}

// TestSmallEditsChangeFewChunks edits one paragraph at a time, and counts the chunks that are not there before.
func TestSmallEditsChangeFewChunks(t *testing.T) {
	before := map[string]bool{}
	_, chunks := split(t, report(1), chunk.Options{})
	for _, c := range chunks {
		before[c.ID] = true
	}
	random := rand.New(rand.NewPCG(8, 8))
	var changed []int
	edits := 20
	if *thorough {
		edits = 100
	}
	for range edits {
		d := report(1)
		edit(random, d)
		_, after := split(t, d, chunk.Options{})
		n := 0
		for _, c := range after {
			if !before[c.ID] {
				n++
			}
		}
		changed = append(changed, n)
	}
	slices.Sort(changed)
	median := changed[edits/2]
	t.Logf("%d chunks, %d edits; changed by an edit: median %d, 9 of 10 at most %d, at most %d", len(chunks), edits, median, changed[edits*9/10], changed[edits-1])
	if median > 3 {
		t.Errorf("the median edit changes %d chunks, want 3 or fewer", median)
	}
}

// edit changes words of a paragraph, adds some, or takes the paragraph out.
func edit(random *rand.Rand, d *doc.Document) {
	for {
		i := random.IntN(len(d.Blocks))
		b := &d.Blocks[i]
		if b.Kind != doc.Paragraph {
			continue
		}
		text := b.Inlines[0].Text
		switch random.IntN(4) {
		case 0:
			b.Inlines[0].Text = strings.Replace(text, " ", " edited ", 1)
		case 1:
			b.Inlines[0].Text = text + " And a whole sentence more, about this and that."
		case 2:
			d.Blocks = slices.Insert(d.Blocks, i, doc.P("A new paragraph of one short sentence."))
		default:
			d.Blocks = slices.Delete(d.Blocks, i, i+1)
		}
		d.Finish()
		return
	}
}

// busy counts the bytes that it is asked to count.
type busy struct {
	token.Splitter
	bytes int
}

func (b *busy) Count(text string) int {
	b.bytes += len(text)
	return b.Splitter.Count(text)
}

// TestWorkIsLinear checks how much of a text is counted again, which is what takes the time: of paragraphs, of one long paragraph,
// of text without blanks and of one long word. A factor that grows with the text would be far beyond these.
func TestWorkIsLinear(t *testing.T) {
	sentence := "The northern division sold 5,120 units, which is 3.5 % more than a year before. "
	for _, c := range []struct {
		name   string
		blocks []doc.Block
		factor int
	}{
		{"paragraphs", slices.Repeat([]doc.Block{doc.P(strings.Repeat(sentence, 4))}, 3000), 3},
		{"one paragraph", []doc.Block{doc.P(strings.Repeat(sentence, 20000))}, 4},
		{"Chinese", []doc.Block{doc.P(strings.Repeat("中文句子没有空格也没有标点", 5000))}, 60},
		{"one word", []doc.Block{doc.P(strings.Repeat("abcdefghij", 50_000))}, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &doc.Document{Blocks: c.blocks}
			d.Finish()
			counter := &busy{Splitter: counter(t, "o200k_base").(token.Splitter)}
			md, _ := split(t, d, chunk.Options{Counter: counter})
			t.Logf("%d bytes of text, %.2f times that counted", len(md.Text), float64(counter.bytes)/float64(len(md.Text)))
			if counter.bytes > c.factor*len(md.Text) {
				t.Errorf("%d bytes were counted for a text of %d", counter.bytes, len(md.Text))
			}
		})
	}
}

// TestTablesAreLinear: a table of 20,000 rows in another form took minutes, because all of it was looked at for each row.
func TestTablesAreLinear(t *testing.T) {
	for _, format := range []string{"markdown", "html", "rows"} {
		t.Run(format, func(t *testing.T) {
			small, large := splitBytes(t, table(500), format), splitBytes(t, table(4000), format)
			t.Logf("500 rows: %d bytes allocated, 4,000 rows: %d", small, large)
			if large > 16*small {
				t.Errorf("%d bytes were allocated for 500 rows and %d for eight times as many", small, large)
			}
		})
	}
}

// table has rows of which every tenth is tied to the next.
func table(rows int) *doc.Document {
	g := &doc.Grid{Rows: rows, Columns: 3, HeaderRows: 1}
	for r := range rows {
		for c := range 3 {
			cell := doc.Cell{Row: r, Column: c, Blocks: []doc.Block{doc.P(fmt.Sprintf("text %d of row %d", c, r))}}
			if c == 0 && r%10 == 2 {
				cell.RowSpan = 2
			}
			if c > 0 || r%10 != 3 {
				g.Cells = append(g.Cells, cell)
			}
		}
	}
	d := &doc.Document{Blocks: []doc.Block{{Kind: doc.Table, Table: g}}}
	d.Finish()
	return d
}

// splitBytes is how much is allocated to cut a document.
func splitBytes(t *testing.T, d *doc.Document, format string) uint64 {
	t.Helper()
	md := markdown.Render(d, markdown.Options{})
	o := chunk.Options{TableFormat: format, Counter: counter(t, "cl100k_base")}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := chunk.Split(d, md, o); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkSplit(b *testing.B) {
	d := report(2)
	md := markdown.Render(d, markdown.Options{})
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		c := counter(b, name)
		b.Run(name+"/tokenizer", func(b *testing.B) {
			b.SetBytes(int64(len(md.Text)))
			n := 0
			for b.Loop() {
				n = c.Count(md.Text)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
		})
		for _, o := range []chunk.Options{{}, {MaxTokens: 128}, {Strategy: "fixed", Overlap: 64}, {TableFormat: "rows"}} {
			o.Counter = c
			b.Run(fmt.Sprintf("%s/split/%d%s%s", name, max(o.MaxTokens, 0), o.Strategy, o.TableFormat), func(b *testing.B) {
				b.SetBytes(int64(len(md.Text)))
				for b.Loop() {
					if _, err := chunk.Split(d, md, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
