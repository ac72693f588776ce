package htmldoc

import (
	"context"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
)

// FuzzParts cuts pages into small parts, wherever that may be done: parts are sound, and every word of the page is in one of them.
func FuzzParts(f *testing.F) {
	f.Add("<title>T</title><h1>A</h1><p>one<p>two <b>three<h2>B</h2><table><thead><tr><th>x<tbody><tr><td>y<tr><td>z</table>end", uint16(8))
	f.Add("<body><div><main><h2>A</h2><ul><li>one<li>two<ol><li>three</ol></ul><a href='#x'>x</a><h3 id=x>B</h3></main></div><pre>a\nb</pre>", uint16(16))
	f.Add("<table><caption>c</caption><tr><td rowspan=3>a<td>b<tr><td>c<tr><td>d</table><details><summary>s</summary><p>t</details><p>u<hr><p>v", uint16(1))
	f.Add("<base href='https://example.com/a/'><form><p>a<label>b<input></label></form><svg><p>c</svg><template><p>d</template><p>e", uint16(2))
	f.Fuzz(func(t *testing.T, page string, size uint16) {
		if len(page) > 1<<13 {
			return
		}
		d, got := &doc.Document{}, &doc.Document{}
		last := false
		err := convertParts(context.Background(), d, page, Options{Lines: true, Metadata: true}, max(1, int(size)), func(_ *doc.Document, p format.Part) error {
			if p.Above < 0 || p.Above > len(p.Blocks) || last {
				t.Fatalf("a part of %d blocks of which %d are repeated", len(p.Blocks), p.Above)
			}
			for _, b := range p.Blocks[:p.Above] {
				if b.Kind != doc.Heading {
					t.Errorf("%s is repeated", b.Kind)
				}
			}
			got.Blocks = append(got.Blocks, p.Blocks[p.Above:]...)
			return nil
		})
		if err != nil || len(d.Blocks) > 0 {
			t.Fatalf("%v, %d blocks are left", err, len(d.Blocks))
		}
		d.Blocks = got.Blocks
		d.Finish()
		formattest.Check(t, d)
	})
}

// TestPartsLoseNothing: small parts have the words of the whole.
func TestPartsLoseNothing(t *testing.T) {
	page := "<title>T</title><h1>A</h1><p>one<p>two <b>three</b><h2>B</h2><table><thead><tr><th>x<tbody><tr><td>y<tr><td>z</table><ul><li>p<li>q</ul><blockquote><p>r</blockquote><pre>s</pre>end"
	for size := 1; size <= len(page); size++ {
		words := func(convert func(*doc.Document) error) string {
			d := &doc.Document{}
			if err := convert(d); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			doc.Walk(d.Blocks, func(block *doc.Block) bool {
				for _, in := range block.Inlines {
					b.WriteString(in.Text)
				}
				return true
			})
			return b.String()
		}
		whole := words(func(d *doc.Document) error { return Convert(t.Context(), d, page, Options{}) })
		parts := words(func(d *doc.Document) error {
			var blocks []doc.Block
			err := convertParts(t.Context(), d, page, Options{}, size, func(_ *doc.Document, p format.Part) error {
				blocks = append(blocks, p.Blocks[p.Above:]...)
				return nil
			})
			d.Blocks = blocks
			return err
		})
		if strings.ReplaceAll(parts, "x", "") != strings.ReplaceAll(whole, "x", "") { // a table that goes on has its head again
			t.Errorf("parts of %d bytes: %q, want %q", size, parts, whole)
		}
	}
}
