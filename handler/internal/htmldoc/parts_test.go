package htmldoc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/markdown"
)

// TestParts holds that a large page comes out of ConvertParts as it comes out of Convert, whatever it is made of.
func TestParts(t *testing.T) {
	filler := strings.Repeat("many words that fill a line ", 20)
	var chapters, items, rows strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&chapters, "<h2>Chapter %d</h2><p>First <b>%s</b>%d\n<p>Second, never closed<ul><li>a<li>b</ul>\n<h3>Part</h3><table><tr><th>x<td>%d</table>", i, filler, i, i)
	}
	for i := range 12_000 {
		fmt.Fprintf(&items, "<li>%s%d\n", filler, i)
		fmt.Fprintf(&rows, "<tr><td>%d<td>%s\n", i, filler)
	}
	for _, tt := range []struct{ name, page string }{
		{"chapters", "<title>T</title><base href='https://example.com/a/'><h1>Book</h1>" + chapters.String() + "<p>end <a href=b>b</a>"},
		{"chapters in containers", "<body><div class=a><main>" + chapters.String() + "</main></div><p>end"},
		{"inside bold", "<b><font size=2>" + chapters.String()},
		{"one table", "<table><thead><tr><th>n<th>text</thead><tbody>" + rows.String() + "</table><p>end"},
		{"one list", "<ul>" + items.String() + "</ul><p>end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := &doc.Document{}
			if err := htmldoc.Convert(t.Context(), whole, tt.page, htmldoc.Options{Metadata: true, Lines: true}); err != nil {
				t.Fatal(err)
			}
			d := &doc.Document{}
			var blocks []doc.Block
			handed := 0
			err := htmldoc.ConvertParts(t.Context(), d, tt.page, htmldoc.Options{Metadata: true, Lines: true}, func(_ *doc.Document, p format.Part) error {
				handed++
				blocks = append(blocks, p.Blocks[p.Above:]...)
				return nil
			})
			if err != nil || handed < 2 || len(d.Blocks) > 0 {
				t.Fatalf("%v, %d parts", err, handed)
			}
			d.Blocks = blocks
			if tt.name == "one table" || tt.name == "one list" { // these are several then; no item and no row is lost
				counts := [2]int{}
				for i, x := range []*doc.Document{whole, d} {
					for _, b := range x.Blocks {
						counts[i] += len(b.Children)
						if b.Table != nil {
							counts[i] += b.Table.Rows - b.Table.HeaderRows
						}
					}
				}
				if counts[0] != counts[1] {
					t.Errorf("%d items or rows, want %d", counts[1], counts[0])
				}
				return
			}
			if diff := cmp.Diff(text(whole), text(d)); diff != "" {
				t.Errorf("(-whole +parts):\n%.2000s", diff)
			}
			if diff := cmp.Diff(whole.Blocks[len(whole.Blocks)-1].Places, d.Blocks[len(d.Blocks)-1].Places); diff != "" {
				t.Errorf("lines (-whole +parts):\n%s", diff)
			}
			if whole.Metadata.Title != d.Metadata.Title {
				t.Errorf("title %q, want %q", d.Metadata.Title, whole.Metadata.Title)
			}
		})
	}
}

func text(d *doc.Document) string {
	d.Finish()
	return markdown.Render(d, markdown.Options{}).Text
}
