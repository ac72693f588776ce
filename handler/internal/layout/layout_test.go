package layout_test

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
)

// place adds a word to a page, one glyph after the other.
func place(p *layout.Page, word string, x, y, size float64) {
	style := int32(len(p.Styles))
	p.Styles = append(p.Styles, layout.Style{Font: "Test", Size: size})
	for _, r := range word {
		w := 0.5 * size
		p.Glyphs = append(p.Glyphs, layout.Glyph{Rune: r, Box: doc.Box{X0: x, Y0: y - 0.8*size, X1: x + w, Y1: y + 0.2*size}, X: x, Y: y, Style: style})
		x += w
	}
}

// letters gives the letters and digits of everything in a result, sorted, and those that went in.
func letters(r layout.Result) string {
	var all []string
	add := func(b *doc.Block) bool {
		all = append(all, strings.Split(b.PlainText(), "")...)
		all = append(all, strings.Split(doc.PlainText(b.Caption), "")...)
		if b.Kind == doc.Item {
			all = append(all, strings.Split(b.Number, "")...)
		}
		return true
	}
	doc.Walk(r.Blocks, add)
	doc.Walk(r.Furniture, add)
	for _, n := range r.Notes {
		all = append(all, strings.Split(n.Label, "")...)
		doc.Walk(n.Blocks, add)
	}
	return only(all)
}

func only(all []string) string {
	kept := all[:0]
	for _, s := range all {
		if s >= "a" && s <= "z" {
			kept = append(kept, s)
		}
	}
	sort.Strings(kept)
	return strings.Join(kept, "")
}

// FuzzLayout places random words and rules: nothing may panic, and no letter may be lost or doubled, whatever becomes of it.
func FuzzLayout(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, 40, 6)
	}
	f.Fuzz(func(t *testing.T, seed uint64, words, rules int) {
		random := rand.New(rand.NewPCG(seed, 1))
		b := layout.NewBuilder()
		var in []string
		for number := 1; number <= 1+int(seed%3); number++ {
			p := randomPage(random, number, min(max(words, 0), 400), min(max(rules, 0), 80))
			for _, g := range p.Glyphs {
				in = append(in, string(g.Rune))
			}
			b.Add(p)
		}
		got, want := letters(b.Finish()), only(in)
		if got != want {
			t.Errorf("letters came out changed: %d in, %d out\nin  %s\nout %s", len(want), len(got), want, got)
		}
	})
}

// randomStyle changes how a word looks, in the ways that mean something to the layout.
func randomStyle(random *rand.Rand, s layout.Style) layout.Style {
	switch random.IntN(16) {
	case 0:
		s.Bold = true
	case 1:
		s.Italic = true
	case 2:
		s.Mono = true
	case 3, 4:
		s.Font = "CMMI10"
	case 5:
		s.Angle = []int{45, 90, 180, 270}[random.IntN(4)]
	case 6:
		s.Role = []string{"H1", "P", layout.RoleArtifact}[random.IntN(3)]
	case 7:
		s.Cell = &layout.Cell{Row: random.IntN(3), Column: random.IntN(3), RowSpan: 1 + random.IntN(2), ColSpan: 1}
	}
	return s
}

func randomPage(random *rand.Rand, number, words, rules int) *layout.Page {
	p := &layout.Page{Number: number, Width: 612, Height: 792}
	sizes := []float64{6, 8, 10, 10, 10, 12, 18}
	signs := []string{"1", "2", "*", "†", "=", "+", "(3)", "1.", "-", "•", "¹", "Table 1:"}
	for range words {
		n := 1 + random.IntN(9)
		var word strings.Builder
		for range n {
			word.WriteByte(byte('a' + random.IntN(26)))
		}
		switch random.IntN(12) {
		case 0:
			word.Reset()
			word.WriteString(signs[random.IntN(len(signs))])
		case 1:
			word.WriteString(signs[random.IntN(len(signs))])
		}
		// Words on a coarse net meet each other in lines, columns and tables; some stand anywhere.
		x, y := float64(36+random.IntN(12)*45), float64(40+random.IntN(50)*14)
		if random.IntN(5) == 0 {
			x, y = random.Float64()*600, random.Float64()*780
		}
		if random.IntN(8) == 0 {
			y -= 4 // raised
		}
		place(p, word.String(), x, y, sizes[random.IntN(len(sizes))])
		p.Styles[len(p.Styles)-1] = randomStyle(random, p.Styles[len(p.Styles)-1])
	}
	for range rules {
		x, y := float64(30+random.IntN(12)*45), float64(30+random.IntN(50)*14)
		if random.IntN(2) == 0 {
			p.Strokes = append(p.Strokes, layout.Stroke{X0: x, Y0: y, X1: x + float64(random.IntN(400)), Y1: y, Width: 1})
		} else {
			p.Strokes = append(p.Strokes, layout.Stroke{X0: x, Y0: y, X1: x, Y1: y + float64(random.IntN(300)), Width: 1})
		}
	}
	return p
}
