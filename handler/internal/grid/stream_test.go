package grid_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/grid"
)

// TestStream holds that a sheet that comes in windows gives what it gives whole: the title as a paragraph, one header for the table
// in all its parts, hidden rows apart, the second table with its own header, the remark at the end.
func TestStream(t *testing.T) {
	const rows = 12_000
	s := &grid.Sheet{Name: "Data", Page: 1}
	s.HiddenColumns.Add(4, 4)
	var emitted []doc.Block
	windows := 0
	d := &doc.Document{}
	stream := grid.NewStream(s, d, false, func(blocks []doc.Block) error {
		windows++
		emitted = append(emitted, blocks...)
		return nil
	})
	add := func(row, column int, class grid.Class, text string) {
		c := &grid.Cell{Row: int32(row), Column: int32(column), Class: class, Text: text, Raw: text}
		if err := stream.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	add(0, 0, grid.Text, "A title")
	for i, name := range []string{"id", "word", "amount", "", "secret"} {
		if name != "" {
			add(2, i, grid.Text, name)
		}
	}
	for i := range rows {
		row := i + 3
		if i%1000 == 5 {
			s.HiddenRows.Add(row, row)
		}
		add(row, 0, grid.Number, fmt.Sprint(i))
		if i > 3 {
			add(row, 1, grid.Text, fmt.Sprint("word ", i))
		}
		add(row, 2, grid.Number, fmt.Sprint(i*2))
		add(row, 4, grid.Text, "hidden")
	}
	at := rows + 5
	add(at, 0, grid.Text, "name")
	add(at, 1, grid.Text, "value")
	add(at+1, 0, grid.Text, "pi")
	add(at+1, 1, grid.Number, "3.14")
	add(at+2, 0, grid.Text, "Source: a book")
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}

	if windows < 2 {
		t.Fatalf("%d windows, want several", windows)
	}
	if emitted[0].PlainText() != "A title" || emitted[len(emitted)-1].PlainText() != "Source: a book" {
		t.Errorf("begins with %q, ends with %q", emitted[0].PlainText(), emitted[len(emitted)-1].PlainText())
	}
	next := 0
	for _, b := range emitted[1 : len(emitted)-2] {
		if b.Kind != doc.Table || b.Table.HeaderRows != 1 || b.Table.Columns != 3 || b.Table.Cells[0].PlainText() != "id" || b.Table.Cells[2].PlainText() != "amount" {
			t.Fatalf("not a part of the table: %s of %d columns, %d header rows, first cell %q", b.Kind, b.Table.Columns, b.Table.HeaderRows, b.Table.Cells[0].PlainText())
		}
		for _, c := range b.Table.Cells {
			if c.Column != 0 || c.Row == 0 {
				continue
			}
			if next%1000 == 5 {
				next++ // hidden
			}
			if c.PlainText() != fmt.Sprint(next) {
				t.Fatalf("row %s, want %d", c.PlainText(), next)
			}
			next++
		}
	}
	if next != rows {
		t.Errorf("%d rows, want %d", next, rows)
	}
	if got := emitted[len(emitted)-2].Table.Cells[0].PlainText(); got != "name" {
		t.Errorf("the second table begins with %q", got)
	}
	hidden := 0
	for _, h := range d.Hidden {
		hidden += strings.Count(fmt.Sprint(h.Reason), "hidden_row")
	}
	if hidden == 0 {
		t.Error("hidden rows were not kept apart")
	}
	if place := emitted[2].Places[0].Cells; !strings.HasPrefix(place, "A") || place == emitted[1].Places[0].Cells {
		t.Errorf("the second part is at %s", place)
	}
}
