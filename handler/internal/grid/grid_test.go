package grid_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/grid"
)

// field makes cells of a drawing: one line a row, fields divided by white space; "." is empty, numbers are numbers, "_" in a text is a space.
func field(drawing string) []grid.Cell {
	var cells []grid.Cell
	for row, line := range strings.Split(strings.Trim(drawing, "\n"), "\n") {
		for column, text := range strings.Fields(line) {
			if text == "." {
				continue
			}
			c := grid.Cell{Row: int32(row), Column: int32(column), Text: strings.ReplaceAll(text, "_", " ")}
			if strings.Trim(text, "0123456789") == "" {
				c.Class = grid.Number
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// sketch writes blocks in a short form: a table as its range, its header rows and its rows.
func sketch(blocks []doc.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		if block.Table == nil {
			b.WriteString(block.PlainText() + "\n")
			continue
		}
		fmt.Fprintf(&b, "%s header %d:", block.Places[0].Cells, block.Table.HeaderRows)
		row := -1
		for _, c := range block.Table.Cells {
			if c.Row != row {
				b.WriteString(" /")
				row = c.Row
			}
			b.WriteString(" " + c.PlainText())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestBlocks(t *testing.T) {
	tests := []struct {
		name, drawing, want string
		change              func(*grid.Sheet)
	}{
		{"header and body", "a b\n1 2\n3 4", "A1:B3 header 1: / a b / 1 2 / 3 4\n", nil},
		{"title at once above", "Report .\na b\n1 2", "Report\nA2:B3 header 1: / a b / 1 2\n", nil},
		{"two titles and an empty row", "Report .\nof_May .\n. .\na b\n1 2", "Report\nof May\nA4:B5 header 1: / a b / 1 2\n", nil},
		{"empty column inside", "a . b\nx . 2\ny . 4", "A1:C3 header 1: / a b / x 2 / y 4\n", nil},
		{"side by side with labels", "a b . a c\nx 1 . x 5\ny 2 . y 6", "A1:B3 header 1: / a b / x 1 / y 2\nD1:E3 header 1: / a c / x 5 / y 6\n", nil},
		{"values beyond a spacer belong", "a b . c\nx 1 . 5\ny 2 . 6", "A1:D3 header 1: / a b c / x 1 5 / y 2 6\n", nil},
		{"total below an empty row", "a b\nx 1\n. .\ntotal 1", "A1:B4 header 1: / a b / x 1 / total 1\n", nil},
		{"another table below an empty row", "a b\nx 1\n. .\nc d\ny 1", "A1:B2 header 1: / a b / x 1\nA4:B5 header 1: / c d / y 1\n", nil},
		{"corner to corner", "a b . .\n1 2 . .\n. . c d\n. . 3 4", "A1:B2 header 1: / a b / 1 2\nC3:D4 header 1: / c d / 3 4\n", nil},
		{"two values at a corner", "1 .\n. 2", "A1:B2 header 0: / 1 / 2\n", nil},
		{"two texts at a corner", "a .\n. b", "a\nb\n", nil},
		{"years as column names", "item 2023 2024\nx 5 6\ny 7 8", "A1:C3 header 1: / item 2023 2024 / x 5 6 / y 7 8\n", nil},
		{"years as data", "2023 2024\n2025 2026", "A1:B2 header 0: / 2023 2024 / 2025 2026\n", nil},
		{"numbers only", "1 2\n3 4", "A1:B2 header 0: / 1 2 / 3 4\n", nil},
		{"a form", "Name: Ann\nTown: Bonn", "A1:B2 header 0: / Name: Ann / Town: Bonn\n", nil},
		{"a source below", "a b\nx 1\nSource:_here .", "A1:B2 header 1: / a b / x 1\nSource: here\n", nil},
		{"a column of prose", "This_is_a_long_remark_about_the_sheet_as_a_whole.\nshort", "This is a long remark about the sheet as a whole.\nshort\n", nil},
		{"a list of values", "name\nAnn\nBob\nCid", "A1:A4 header 1: / name / Ann / Bob / Cid\n", nil},
		{"a defined table keeps its range", "a b c\n1 2 3", "A1:A2 header 1: / a / 1\nB1:C2 header 1: / b c / 2 3\n",
			func(s *grid.Sheet) {
				s.Tables = []grid.Table{{Rect: grid.Rect{Left: 1, Bottom: 1, Right: 2}, Name: "T", HeaderRows: 1}}
			}},
		{"print titles say how many", "a b\nc d\nx y", "A1:B3 header 2: / a b / c d / x y\n",
			func(s *grid.Sheet) { s.PrintTitles = &grid.Rect{Bottom: 1, Right: grid.MaxColumns - 1} }},
		{"frozen rows say how many", "a b\nc d\nx y", "A1:B3 header 2: / a b / c d / x y\n", func(s *grid.Sheet) { s.Frozen = 2 }},
		{"merged header takes its names in", "a b .\n. c d\nx 1 2", "A1:C3 header 2: / a b / c d / x 1 2\n",
			func(s *grid.Sheet) { s.Merges = []grid.Rect{{Left: 1, Right: 2}, {Bottom: 1}} }},
		{"a title merged over the table", "T . .\na b c\n1 2 3", "T\nA2:C3 header 1: / a b c / 1 2 3\n",
			func(s *grid.Sheet) { s.Merges = []grid.Rect{{Right: 2}} }},
		{"a value under a merged cell is not shown", "a b\nx 9\n1 2", "A1:B3 header 1: / a b / x / 1 2\n",
			func(s *grid.Sheet) { s.Merges = []grid.Rect{{Top: 1, Bottom: 1, Right: 1}} }},
		{"merged cells that cover each other", "a b c\nx y 1\nz u 2", "A1:C3 header 1: / a b c / x y 1 / z 2\n",
			func(s *grid.Sheet) {
				s.Merges = []grid.Rect{{Top: 1, Left: 1, Bottom: 2, Right: 1}, {Top: 2, Left: 0, Bottom: 2, Right: 1}}
			}},
		{"a header torn into pieces", ". . . . p\n. a b . c\n. . . . .\nx 1 2 . 3\ny 4 5 . 6", "A1:E5 header 2: / p / a b c / x 1 2 3 / y 4 5 6\n", nil},
		{"a title is no header", "Title . .\n. . .\nx 1 2\ny 3 4", "Title\nA3:C4 header 0: / x 1 2 / y 3 4\n", nil},
		{"headers of different height", "mio . . now\n. a . b\nx 1 . 2\ny 3 . 4", "A1:D4 header 2: / mio now / a b / x 1 2 / y 3 4\n", nil},
		{"dashes are no labels", "a b . c d\nx 1 . — 3\ny 2 . — 4", "A1:E3 header 1: / a b c d / x 1 — 3 / y 2 — 4\n", nil},
		{"a float between", "a b\n1 2\n. .\n. .\n. .\nc d\n3 4", "A1:B2 header 1: / a b / 1 2\nchart\nA6:B7 header 1: / c d / 3 4\n",
			func(s *grid.Sheet) {
				s.Floats = []grid.Float{{Row: 3, Blocks: []doc.Block{doc.P("chart")}}}
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &grid.Sheet{Name: "S", Page: 1, Cells: field(test.drawing)}
			if test.change != nil {
				test.change(s)
			}
			if diff := cmp.Diff(test.want, sketch(s.Blocks(&doc.Document{}, false))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whatever lies where, every cell that is not covered comes out once.
func TestNoCellIsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		s := &grid.Sheet{Name: "S", Page: 1}
		seen := map[[2]int32]bool{}
		for range 1 + random.IntN(60) {
			at := [2]int32{int32(random.IntN(14)), int32(random.IntN(14))}
			if seen[at] {
				continue
			}
			seen[at] = true
			s.Cells = append(s.Cells, grid.Cell{Row: at[0], Column: at[1], Class: grid.Class(random.IntN(2)), Text: "<" + grid.Name(int(at[0]), int(at[1])) + ">"})
		}
		var text strings.Builder
		doc.Walk(s.Blocks(&doc.Document{}, false), func(b *doc.Block) bool {
			text.WriteString(b.PlainText())
			return true
		})
		for at := range seen {
			if name := "<" + grid.Name(int(at[0]), int(at[1])) + ">"; strings.Count(text.String(), name) != 1 {
				t.Fatalf("round %d: %s comes %d times", round, name, strings.Count(text.String(), name))
			}
		}
	}
}

func TestScatteredCellsAreListed(t *testing.T) {
	s := &grid.Sheet{Name: "S", Page: 1}
	for i := range 5000 {
		s.Cells = append(s.Cells, grid.Cell{Row: int32(i * 3), Column: int32(i % 7 * 5), Text: "x"})
	}
	d := &doc.Document{}
	blocks := s.Blocks(d, false)
	if len(blocks) != 1 || blocks[0].Table.Rows != 5001 || blocks[0].Table.Columns != 2 {
		t.Errorf("%d blocks, want one list of 5000 cells", len(blocks))
	}
	if len(d.Warnings) == 0 || d.Warnings[0].Class != "table_guessed" {
		t.Errorf("warnings %v", d.Warnings)
	}
}

func TestManyScatteredCellsAreLines(t *testing.T) {
	s := &grid.Sheet{Name: "S", Page: 1}
	for i := range 50_000 {
		s.Cells = append(s.Cells, grid.Cell{Row: int32(i / 100 * 2), Column: int32(i % 100 * 2), Text: "x"})
	}
	d := &doc.Document{}
	lines := 0
	for _, b := range s.Blocks(d, false) {
		lines += strings.Count(b.Text, "\n") + 1
	}
	if lines != 500 {
		t.Errorf("%d lines, want 500", lines)
	}
}

func TestLongTableGoesOnWithItsHeader(t *testing.T) {
	s := &grid.Sheet{Name: "S", Page: 1, Cells: field("a b")}
	const rows = 60_000
	for i := 1; i <= rows; i++ {
		s.Cells = append(s.Cells, grid.Cell{Row: int32(i), Class: grid.Number, Text: "1", Raw: "1"}, grid.Cell{Row: int32(i), Column: 1, Text: "x"})
	}
	blocks := s.Blocks(&doc.Document{}, false)
	body := 0
	for i, b := range blocks {
		if b.Table.HeaderRows != 1 || b.Table.Cells[0].PlainText() != "a" {
			t.Errorf("block %d does not begin with the header", i)
		}
		body += b.Table.Rows - 1
	}
	if len(blocks) < 2 || body != rows {
		t.Errorf("%d blocks with %d rows, want several with %d", len(blocks), body, rows)
	}
	if first, second := blocks[0].Places[0].Cells, blocks[1].Places[0].Cells; !strings.HasPrefix(first, "A1:B") || strings.HasPrefix(second, "A1:") {
		t.Errorf("places %s, %s", first, second)
	}
}

func TestLines(t *testing.T) {
	s := &grid.Sheet{Name: "S", Page: 1}
	s.HiddenRows.Add(2, 2)
	l := grid.NewLines(s, false)
	for _, c := range field("a,1 . b\n. say_\"x\" 2\nsecret\nend") {
		l.Add(&c)
	}
	l.Add(&grid.Cell{Row: 4, Column: 16000, Text: "far"})
	d := &doc.Document{}
	blocks := l.Blocks(d)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks", len(blocks))
	}
	if diff := cmp.Diff("\"a,1\",,b\n,\"say \"\"x\"\"\",2\nend\nWQK5: far", blocks[0].Text); diff != "" {
		t.Error(diff)
	}
	if got := blocks[0].Places[0].Cells; got != "A1:WQK5" {
		t.Errorf("place %s", got)
	}
	if len(d.Hidden) != 1 || d.Hidden[0].Blocks[0].Text != "secret" {
		t.Errorf("hidden %+v", d.Hidden)
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		name        string
		row, column int
	}{{"A1", 0, 0}, {"Z9", 8, 25}, {"AA10", 9, 26}, {"XFD1048576", 1048575, 16383}} {
		if got := grid.Name(test.row, test.column); got != test.name {
			t.Errorf("Name(%d, %d) = %s, want %s", test.row, test.column, got, test.name)
		}
		row, column, ok := grid.ParseCell(test.name)
		if !ok || row != test.row || column != test.column {
			t.Errorf("ParseCell(%s) = %d, %d, %v", test.name, row, column, ok)
		}
	}
	for _, bad := range []string{"", "A", "1", "A0", "XFE1", "A1048577", "A1B", "Ä1", "A99999999999999999999"} {
		if _, _, ok := grid.ParseCell(bad); ok {
			t.Errorf("ParseCell(%q) is accepted", bad)
		}
	}
	for in, want := range map[string]string{"$A$3:C5": "A3:C5", "C5:A3": "A3:C5", "B2": "B2", "2:3": "A2:XFD3", "$B:$C": "B1:C1048576"} {
		if r, ok := grid.ParseRect(in); !ok || r.String() != want {
			t.Errorf("ParseRect(%q) = %v, %v, want %s", in, r, ok, want)
		}
	}
}
