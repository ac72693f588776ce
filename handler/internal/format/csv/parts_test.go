package csv_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/csv"
	"decant/handler/internal/format/formattest"
)

// TestPartsOfALargeTable holds that a large table is handed on part by part with its header, no row lost, cut or out of order, and
// that what only its far end shows is found.
func TestPartsOfALargeTable(t *testing.T) {
	var text strings.Builder
	text.WriteString("id;name;remark\n")
	const rows = 300_000
	for i := range rows {
		fmt.Fprintf(&text, "%d;\"a name;\nin two lines\";remark %d\n", i, i)
	}
	text.WriteString("last;é;one;more\n")
	in, _ := formattest.Input("a.csv", []byte(text.String()))
	var blocks []doc.Block
	parts, next, cells := 0, 0, 0
	in.Part = func(_ *doc.Document, p format.Part) error {
		parts++
		for _, b := range p.Blocks {
			next, cells = next+b.Table.Rows-1, cells+len(b.Table.Cells)-3
			if b.Table.HeaderRows != 1 || b.Table.Cells[0].PlainText() != "id" {
				t.Fatal("a part has no header")
			}
			if got, want := b.Table.Cells[len(b.Table.Cells)-3].PlainText(), fmt.Sprint(next-1); got != want {
				t.Fatalf("the last row of a part is %s, want %s", got, want)
			}
		}
		return nil
	}
	d, err := csv.Format().Parse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	blocks = d.Blocks
	last := blocks[len(blocks)-1].Table
	next += last.Rows - 1
	if parts < 10 || next != rows+1 {
		t.Errorf("%d rows in %d parts, want %d", next, parts, rows+1)
	}
	if last.Columns != 4 || last.Cells[len(last.Cells)-3].PlainText() != "é" {
		t.Errorf("the last row ends with %q in %d columns", last.Cells[len(last.Cells)-3].PlainText(), last.Columns)
	}
}

// TestTablesInParts holds that tables of one file, read part by part, do not share their memory.
func TestTablesInParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("Report of everything\n\n")
	want := map[string]int{}
	for i := range 400 {
		fmt.Fprintf(&b, "Name %d,Value%s\n", i, strings.Repeat(",More", i%3))
		for j := range 900 {
			fmt.Fprintf(&b, "row %d-%d,%d%s\n", i, j, j, strings.Repeat(",a longer text for the size", i%3))
			want[fmt.Sprintf("row %d-%d", i, j)]++
		}
		b.WriteString("\n")
	}
	in, _ := formattest.Input("a.csv", []byte(b.String()))
	tables := 0
	in.Part = func(_ *doc.Document, p format.Part) error {
		for _, block := range p.Blocks {
			if block.Table == nil {
				continue
			}
			tables++
			for _, c := range block.Table.Cells {
				if c.Column == 0 && !c.Header {
					want[c.Blocks[0].PlainText()]--
				}
			}
		}
		return nil
	}
	d, err := csv.Format().Parse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Part(d, format.Part{Blocks: d.Blocks}); err != nil {
		t.Fatal(err)
	}
	for row, n := range want {
		if n != 0 {
			t.Fatalf("%s came %d times too few", row, n)
		}
	}
	if tables < 400 {
		t.Errorf("%d tables, want at least 400", tables)
	}
}
