package csv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format/csv"
	"decant/handler/internal/format/formattest"
)

// rows gives the table as text, a row a line, values between bars.
func rows(d *doc.Document) string {
	var out []string
	for _, b := range d.Blocks {
		lines := make([][]string, b.Table.Rows)
		for i := range lines {
			lines[i] = make([]string, b.Table.Columns)
		}
		for i := range b.Table.Cells {
			c := &b.Table.Cells[i]
			lines[c.Row][c.Column] = strings.ReplaceAll(c.PlainText(), "\n", "/")
		}
		for _, line := range lines {
			out = append(out, strings.Join(line, "|"))
		}
	}
	return strings.Join(out, " ; ")
}

func TestDialects(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"decimal commas between semicolons", "Name;Preis\nA;1,50\nB;2,50\n", "Name|Preis ; A|1,50 ; B|2,50"},
		{"tabs with commas in text", "a\tb\nx, y\tz\n", "a|b ; x, y|z"},
		{"bars", "a|b\nc|d\n", "a|b ; c|d"},
		{"one column", "name\nAda\nBo\n", "name ; Ada ; Bo"},
		{"single quotes", "a,b\n'x,1','y'\n'z,2','w'\n'v,3','u'\n", "a|b ; x,1|y ; z,2|w ; v,3|u"},
		{"backslash escapes", `a,b` + "\n" + `"x \"q\" y",1` + "\n", `a|b ; x "q" y|1`},
		{"doubled quotes", `a,b` + "\n" + `"x ""q"" y",1` + "\n", `a|b ; x "q" y|1`},
		{"quote in the middle", "a,b\n5\" pipe,ok\n", `a|b ; 5" pipe|ok`},
		{"quote never closed", "a,b\n\"open,1\n2,3\n", `a|b ; "open|1 ; 2|3`},
		{"text after a closing quote", "a,b\n\"x\"y,1\n", `a|b ; "x"y|1`},
		{"line ends in quotes", "a,b\r\n\"l1\r\nl2\",c\r\n", "a|b ; l1/l2|c"},
		{"blank lines", "a,b\n\n1,2\n\n", "a|b ; 1|2"},
		{"old Mac", "a,b\r1,2\r", "a|b ; 1|2"},
		{"Excel's first line", "sep=;\na;b\n1;2\n", "a|b ; 1|2"},
		{"ragged", "a,b\n1,2,3\n4\n", "a|b| ; 1|2|3 ; 4||"},
		{"no end of line", "a,b\n1,2", "a|b ; 1|2"},
		{"codes stay text", "code,n\n007,NULL\nNA,1e5\n", "code|n ; 007|NULL ; NA|1e5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := formattest.MustParse(t, csv.Format(), "a.csv", tt.text)
			if diff := cmp.Diff(tt.want, rows(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	d, _ := formattest.MustParse(t, csv.Format(), "a.csv", "a,b\n1,2,3\n4\n")
	if len(d.Warnings) == 0 || d.Warnings[len(d.Warnings)-1].Class != "ragged_rows" || d.Warnings[len(d.Warnings)-1].Count != 2 {
		t.Errorf("ragged: %+v, want ragged_rows twice", d.Warnings)
	}
	d, _ = formattest.MustParse(t, csv.Format(), "a.csv", "a,b\n5\" pipe,ok\n")
	if len(d.Warnings) != 1 || d.Warnings[0].Class != "quoting_repaired" {
		t.Errorf("bare quote: %+v, want quoting_repaired", d.Warnings)
	}
}

func TestHeader(t *testing.T) {
	for text, want := range map[string]int{"id,name\n1,x\n": 1, "1,x\n2,y\n": 0, "1,2,3\na,b,c\n": 1, "a,b\nc,d\n": 1, "2024-01-01,1.5\n2024-01-02,2.5\n": 0} {
		d, _ := formattest.MustParse(t, csv.Format(), "a.csv", text)
		if got := d.Blocks[0].Table.HeaderRows; got != want {
			t.Errorf("%q: %d header rows, want %d", text, got, want)
		}
	}
}

// TestLongTables holds that a long table goes on in further blocks with the same header, and no row is lost.
func TestLongTables(t *testing.T) {
	d, _ := formattest.MustParse(t, csv.Format(), "a.csv", "id,word\n"+strings.Repeat("1,x\n", 12_000))
	if len(d.Blocks) != 3 {
		t.Fatalf("%d blocks, want 3", len(d.Blocks))
	}
	total := 0
	for _, b := range d.Blocks {
		total += b.Table.Rows - 1
		if b.Table.HeaderRows != 1 || b.Table.Cells[0].PlainText() != "id" {
			t.Error("a further block has no header")
		}
	}
	if total != 12_000 {
		t.Errorf("%d rows, want 12000", total)
	}
}

// TestLeanWhenMemoryIsShort holds that a table that would not fit is kept as text, whole.
func TestLeanWhenMemoryIsShort(t *testing.T) {
	text := strings.Repeat("1,2,3\n", 100_000)
	in, _ := formattest.Input("a.csv", []byte(text))
	in.Limits.Memory = 64 << 20
	d, err := csv.Format().Parse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, b := range d.Blocks {
		if b.Kind != doc.Code {
			t.Fatalf("a block of kind %s", b.Kind)
		}
		size += len(b.Text) + 1
	}
	if size != len(text) || d.Warnings[0].Class != "structure_simplified" {
		t.Errorf("%d of %d bytes, %+v", size, len(text), d.Warnings)
	}
}

func BenchmarkParse(b *testing.B) {
	text := "id,name,price\n" + strings.Repeat("12,\"a name, quoted\",1.50\n", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		in, _ := formattest.Input("a.csv", []byte(text))
		if _, err := csv.Format().Parse(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}
