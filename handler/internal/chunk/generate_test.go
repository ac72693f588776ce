package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"decant/handler/internal/doc"
)

// generator makes documents of everything that the model holds, in many scripts.
type generator struct {
	*rand.Rand
	page int
	rows int
}

var words = strings.Fields(`revenue rose by 3.5 % to 5,120 units in the northern division Mr. Smith said e.g. that 1,234,567.89 EUR were
 paid on 2024-03-15 see https://example.com/a/very/long/path?with=query&and=more#part for more (cf. Fig. 3) naïve façade Größe
 *star* under_score a|b <tag> & co. 中文没有空格的句子也要切开。 日本語の文章です。 ภาษาไทยไม่มีช่องว่างระหว่างคำ हिन्दी العربية 👨‍👩‍👧‍👦 e\u0301 antidisestablishmentarianism`)

func (g *generator) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		w := words[g.IntN(len(words))]
		if g.IntN(8) == 0 {
			w += "."
		}
		b.WriteString(w)
	}
	return b.String()
}

func (g *generator) place(text string) []doc.Place {
	if g.IntN(6) == 0 {
		g.page++
	}
	box := func() *doc.Box {
		y := float64(g.IntN(700))
		return &doc.Box{X0: 72, Y0: y, X1: 500, Y1: y + 12}
	}
	if len(text) < 80 || g.IntN(2) == 0 {
		return []doc.Place{{Page: g.page, Box: box()}}
	}
	half := len(text) / 2
	for text[half]&0xC0 == 0x80 {
		half++
	}
	return []doc.Place{{Page: g.page, Box: box(), To: half}, {Page: g.page + 1, Box: box(), From: half, To: len(text)}}
}

func (g *generator) paragraph(n int) doc.Block {
	text := g.words(1 + g.IntN(n))
	b := doc.P(text, g.place(text)...)
	if g.IntN(3) == 0 {
		b.Inlines = append(b.Inlines, doc.Inline{Kind: doc.Text, Text: " " + g.words(3), Marks: doc.Strong}, doc.T(" end."))
	}
	return b
}

func (g *generator) block(depth int) doc.Block {
	switch k := g.IntN(14); {
	case k < 3:
		return doc.H(1+g.IntN(4), g.words(1+g.IntN(6)), g.place("")...)
	case k < 8 || depth > 2:
		return g.paragraph([]int{4, 30, 120, 400}[g.IntN(4)])
	case k == 8:
		l := doc.Block{Kind: doc.List, Ordered: g.IntN(2) == 0}
		for range 1 + g.IntN(5) {
			item := doc.Block{Kind: doc.Item, Children: []doc.Block{g.paragraph(20)}}
			if g.IntN(3) == 0 {
				item.Children = append(item.Children, g.block(depth+1))
			}
			l.Children = append(l.Children, item)
		}
		return l
	case k == 9:
		return doc.Block{Kind: doc.Code, Language: "go", Text: strings.Repeat("x := f(1, \"two\")\n\tif x > 3 {\n\n", 1+g.IntN(20)), Places: g.place("")}
	case k == 10:
		return doc.Block{Kind: doc.Quote, Children: []doc.Block{g.block(depth + 1), g.paragraph(10)}}
	case k == 11:
		return doc.Block{Kind: doc.Figure, Image: "i1", Caption: []doc.Inline{doc.T("Figure: " + g.words(5))}, Places: g.place("")}
	case k == 12:
		return doc.Block{Kind: doc.Formula, Text: `E = m c^2 + \frac{a}{b}`, Places: g.place("")}
	}
	return g.table()
}

func (g *generator) table() doc.Block {
	rows, columns, header := 1+g.IntN(25), 1+g.IntN(5), g.IntN(3)
	t := &doc.Grid{Rows: rows + header, Columns: columns, HeaderRows: header}
	spans := g.IntN(3) == 0
	free := make([]int, columns)
	for r := range t.Rows {
		for c := 0; c < columns; c++ {
			if free[c] > r {
				continue
			}
			g.rows++
			cell := doc.Cell{Row: r, Column: c, Blocks: []doc.Block{doc.P(fmt.Sprintf("r%dc%d ", r, c) + g.words(1+g.IntN(4)))}}
			if g.IntN(30) == 0 {
				cell.Blocks = []doc.Block{g.paragraph(200)}
			}
			if spans && r >= header && g.IntN(6) == 0 && r+1 < t.Rows {
				cell.RowSpan = 2
			}
			free[c] = r + cell.Height()
			t.Cells = append(t.Cells, cell)
		}
	}
	return doc.Block{Kind: doc.Table, Table: t, Caption: []doc.Inline{doc.T("Table: " + g.words(4))}, Places: g.place("")}
}

func generate(seed uint64, blocks int) *doc.Document {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), page: 1}
	d := &doc.Document{Format: "test", Images: []doc.Image{{ID: "i1", File: "images/image-1.png", Alt: "a logo"}}}
	for range blocks {
		d.Blocks = append(d.Blocks, g.block(0))
	}
	d.Blocks = append(d.Blocks, doc.Block{Kind: doc.Paragraph, Places: g.place(""), Inlines: []doc.Inline{doc.T("Cited"), {Kind: doc.NoteReference, Note: "1"}}})
	d.Notes = []doc.Note{{ID: "1", Kind: "footnote", Blocks: []doc.Block{g.paragraph(40)}}}
	for n := range g.page + 2 {
		d.Pages = append(d.Pages, doc.Page{Number: n + 1, Kind: "page", Label: fmt.Sprint(n + 1)})
	}
	d.Finish()
	return d
}
