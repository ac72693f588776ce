package asciidoc_test

import (
	"strings"
	"testing"

	"decant/handler/internal/format/asciidoc"
	"decant/handler/internal/format/formattest"
)

// TestLittleDoesNotBecomeMuch: names and repeated cells cannot make gigabytes of some kilobytes, and what is not made stays to be read.
func TestLittleDoesNotBecomeMuch(t *testing.T) {
	for _, tt := range []struct{ name, text, keeps string }{
		{"repeated cells", "|===\n" + strings.Repeat("999*|x\n", 20_000) + "|===\n", "999*|x"},
		{"missing values", ",===\n" + strings.Repeat("a,", 20_000) + "\n" + strings.Repeat("b\n", 20_000) + ",===\n", "b"},
		{"long attributes", ":x: " + strings.Repeat("long ", 20_000) + "\n\nFirst.\n\n" + strings.Repeat("{x} {x}\n\n", 2_000), "{x}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := formattest.MustParse(t, asciidoc.Format(), "a.adoc", tt.text)
			if len(d.Warnings) != 1 || d.Warnings[0].Class != "limit_reached" {
				t.Errorf("warnings %+v", d.Warnings)
			}
			size, kept := 0, false
			for i := range d.Blocks {
				text := d.Blocks[i].PlainText()
				size, kept = size+len(text), kept || strings.Contains(text, tt.keeps)
			}
			if size > 20<<20 || !kept {
				t.Errorf("%d bytes, %q kept: %v", size, tt.keeps, kept)
			}
		})
	}
}

// TestCellOverManyLines: a cell that goes on over very many lines is one pass.
func TestCellOverManyLines(t *testing.T) {
	d, _ := formattest.MustParse(t, asciidoc.Format(), "a.adoc", "|===\n|first\n"+strings.Repeat("more\n", 50_000)+"|last\n|===\n")
	if len(d.Blocks) != 1 || d.Blocks[0].Table == nil || len(d.Blocks[0].Table.Cells) != 2 {
		t.Fatalf("%d blocks", len(d.Blocks))
	}
	if n := strings.Count(d.Blocks[0].Table.Cells[0].PlainText(), "more"); n != 50_000 {
		t.Errorf("%d lines of 50,000", n)
	}
}
