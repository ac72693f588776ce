package markdown_test

import (
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// TestHeaderCellsThatReachOut: HTML ends a cell of <thead> with it, so a header takes in the rows that its cells reach into, or is none.
func TestHeaderCellsThatReachOut(t *testing.T) {
	cell := func(row, column, height int, header bool, text string) doc.Cell {
		return doc.Cell{Row: row, Column: column, RowSpan: height, Header: header, Blocks: []doc.Block{doc.P(text)}}
	}
	cells := []doc.Cell{cell(0, 0, 2, true, "A"), cell(0, 1, 1, true, "b"), cell(1, 1, 1, false, "c")}
	tests := []struct {
		name string
		grid doc.Grid
		want string
	}{
		{"the whole table", doc.Grid{Rows: 2, Columns: 2, HeaderRows: 1, Cells: cells},
			"<table>\n<tr><th rowspan=\"2\">A</th><th>b</th></tr>\n<tr><td>c</td></tr>\n</table>\n"},
		{"rows remain", doc.Grid{Rows: 3, Columns: 2, HeaderRows: 1, Cells: append(cells[:3:3], cell(2, 0, 1, false, "d"), cell(2, 1, 1, false, "e"))},
			"<table>\n<thead>\n<tr><th rowspan=\"2\">A</th><th>b</th></tr>\n<tr><th>c</th></tr>\n</thead>\n<tbody>\n<tr><td>d</td><td>e</td></tr>\n</tbody>\n</table>\n"},
	}
	for _, tt := range tests {
		d := &doc.Document{Blocks: []doc.Block{{Kind: doc.Table, Table: &tt.grid}}}
		if got := markdown.Render(d, markdown.Options{}).Text; got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
