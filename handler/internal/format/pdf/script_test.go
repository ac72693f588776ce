package pdf_test

import (
	"strings"
	"testing"

	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// written is a font whose bytes stand for the letters of a script.
type written map[rune]byte

// script adds the font FS for the letters of texts.
func script(f *pdftest.File, texts ...string) written {
	w, codes := written{}, map[byte]string{}
	next := byte(0xA1)
	for _, r := range strings.Join(texts, "") {
		if _, known := w[r]; r > 0x80 && !known {
			w[r], codes[next] = next, string(r)
			next++
		}
	}
	f.Mapped("FS", codes)
	return w
}

func (w written) bytes(text string) string {
	return strings.Map(func(r rune) rune {
		if c, known := w[r]; known {
			return rune(c)
		}
		return r
	}, text)
}

func backwards(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i := range runes {
		b.WriteRune(runes[len(runes)-1-i])
	}
	return b.String()
}

// TestRightToLeft shows the same lines in the ways in which programs write them; they always come out in logical order.
func TestRightToLeft(t *testing.T) {
	scripts := map[string][]string{
		"Hebrew": {"שלום לכל העולם הזה", "המים עלו בנמל בחורף"},
		"Arabic": {"ارتفعت المياه في المدينة", "خلال فصل الشتاء الماضي"},
	}
	together := func(order func(string) string) func(*pdftest.Content, written, float64, string) {
		return func(c *pdftest.Content, w written, y float64, line string) {
			c.Text("FS", 12, 300, y, w.bytes(order(line)))
		}
	}
	apart := func(c *pdftest.Content, w written, y float64, line string) {
		x := 500.0
		for _, r := range line {
			c.Text("FS", 12, x, y, w.bytes(string(r)))
			x -= 8
		}
	}
	ways := []struct {
		name string
		show func(*pdftest.Content, written, float64, string)
		flag bool // visual_order
	}{
		{"stored in visual order", together(backwards), true},
		{"letter by letter in logical order", apart, false},
		{"laid out as if it ran from left to right", together(strings.Clone), true},
	}
	for name, lines := range scripts {
		for _, way := range ways {
			t.Run(name+" "+way.name, func(t *testing.T) {
				f := pdftest.New()
				w := script(f, lines...)
				c := &pdftest.Content{}
				for i, line := range lines {
					way.show(c, w, 700-14*float64(i), line)
				}
				f.Page(c.String())
				d := parse(t, f.Bytes())
				if diff := cmp.Diff("p: "+strings.Join(lines, " "), outline(d.Blocks)); diff != "" {
					t.Error(diff)
				}
				if got := hasWarning(d, "visual_order"); got != way.flag {
					t.Errorf("visual_order flagged: %v, want %v", got, way.flag)
				}
			})
		}
	}
}

// TestRightToLeftWithFiguresAndLatin: figures and words of another script keep their own direction.
func TestRightToLeftWithFiguresAndLatin(t *testing.T) {
	f := pdftest.New()
	w := script(f, "המים עלו ב סנטימטר לפי")
	c := &pdftest.Content{}
	// As seen from left to right: GPS יפל רטמיטנס 1998 ב ולע םימה
	c.Text("FS", 12, 200, 700, "GPS "+w.bytes(backwards("לפי"))+" "+w.bytes(backwards("סנטימטר"))+" 1998 "+w.bytes(backwards("המים עלו ב")))
	f.Page(c.String())
	if diff := cmp.Diff("p: המים עלו ב 1998 סנטימטר לפי GPS", outline(parse(t, f.Bytes()).Blocks)); diff != "" {
		t.Error(diff)
	}
}

// TestBracketsInRightToLeftText: brackets around figures stand on the right side of them, whichever way they are named.
func TestBracketsInRightToLeftText(t *testing.T) {
	const before, after = "המים עלו", "סנטימטר לפי"
	tests := []struct{ name, seen, want string }{
		{"a number", "(1998)", "(1998)"},
		{"a number, named by meaning", ")1998(", "(1998)"},
		{"two numbers", "(1998 - 2001)", "(2001 - 1998)"},
		{"two numbers, named by meaning", ")1998 - 2001(", "(2001 - 1998)"},
		{"brackets of a kind", "[12]", "[12]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pdftest.New()
			w := script(f, before+after)
			c := &pdftest.Content{}
			c.Text("FS", 12, 100, 700, w.bytes(backwards(after))+" "+tt.seen+" "+w.bytes(backwards(before)))
			f.Page(c.String())
			if diff := cmp.Diff("p: "+before+" "+tt.want+" "+after, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUprightColumns: columns of East Asian text run down and to the left, with a font for it and with characters placed one by one.
func TestUprightColumns(t *testing.T) {
	columns := []string{"潮位計は港の古い桟橋に", "立っていたが、その冬の", "嵐で流された。"}
	want := "p: " + strings.Join(columns, "")
	t.Run("vertical font", func(t *testing.T) {
		f := pdftest.New()
		v := f.Vertical("FV", strings.Join(columns, ""))
		c := &pdftest.Content{}
		for i, column := range columns {
			v.Show(c, 12, 500-20*float64(i), 700, column)
		}
		f.Page(c.String())
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("placed one by one", func(t *testing.T) {
		f := pdftest.New()
		w := script(f, columns...)
		c := &pdftest.Content{}
		for i, column := range columns {
			for k, r := range []rune(column) {
				c.Text("FS", 12, 500-20*float64(i), 700-12*float64(k), w.bytes(string(r)))
			}
		}
		f.Page(c.String())
		if diff := cmp.Diff(want, outline(parse(t, f.Bytes()).Blocks)); diff != "" {
			t.Error(diff)
		}
	})
}

// TestUnicodeForms: letters and their marks are composed, but compatibility characters and joiners stay what they are.
func TestUnicodeForms(t *testing.T) {
	f := pdftest.New()
	const persian = "می\u200Cخواهم"
	w := script(f, persian)
	f.Mapped("FT", map[byte]string{'A': "e\u0301", 'B': "½", 'C': "x²", 'D': "ﬃ"})
	c := &pdftest.Content{}
	c.Text("FT", 12, 72, 700, "cafA B C oDce").Text("FS", 12, 72, 600, w.bytes(backwards(persian)))
	f.Page(c.String())
	got := outline(parse(t, f.Bytes()).Blocks)
	if diff := cmp.Diff("p: café ½ x² office\np: "+persian, got); diff != "" {
		t.Error(diff)
	}
}

// TestUnmappedGlyphs: text without Unicode is marked as such, so that OCR can take over.
func TestUnmappedGlyphs(t *testing.T) {
	f := pdftest.New()
	codes := map[byte]string{}
	for i := range 20 {
		codes['A'+byte(i)] = string(rune(0xE000 + i))
	}
	f.Mapped("FS", codes)
	f.Page("BT /FS 12 Tf 72 700 Td (ABCDEF GHIJK LMNOPQ) Tj ET")
	f.Page("BT /F1 12 Tf 72 700 Td (This page can be read.) Tj ET")
	d := parse(t, f.Bytes())
	for _, w := range d.Warnings {
		if w.Class == "unmapped_glyphs" {
			if len(w.Places) != 1 || w.Places[0].Page != 1 {
				t.Errorf("places %v, want page 1 only", w.Places)
			}
			return
		}
	}
	t.Errorf("no unmapped_glyphs in %v", d.Warnings)
}
