package grid

import (
	"fmt"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format/formattest"
)

// FuzzStream lays cells out as its bytes say, and reads them in small windows: tables are sound, and no cell is lost.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\x01\x01\x01\x81\x01\x01\x81\x01\x01\x82\x01\x85\x01"), uint8(3), uint8(0))
	f.Add([]byte("\x01\x02\x81\x41\x02\x41\xc1\x43\x81\x41\xa1\x01\x01\x81"), uint8(1), uint8(5))
	f.Add([]byte("\x00\x90\x00\x90\x08\x80\x01\x80\x02\x80\x04"), uint8(2), uint8(9))
	f.Fuzz(func(t *testing.T, layout []byte, window, extra uint8) {
		if len(layout) > 300 {
			return
		}
		s := &Sheet{Name: "S", Page: 1, Frozen: int(extra & 3)}
		if extra&4 != 0 {
			s.Merges = []Rect{{0, 0, 1, 1}, {2, 1, 2, 3}, {5, 0, 9, 0}}
		}
		if extra&8 != 0 {
			s.Tables = []Table{{Rect: Rect{1, 0, 6, 3}, Name: "T", HeaderRows: 1}}
		}
		d := &doc.Document{}
		stream := NewStream(s, d, true, func(blocks []doc.Block) error {
			d.Blocks = append(d.Blocks, blocks...)
			return nil
		})
		stream.cells = 1 + int(window)
		row, column, number := int32(0), int32(-1), 0
		wanted := map[string]bool{}
		for _, b := range layout { // the highest bit begins a row, some of the others go on by that much, one says what it is
			if b&0x80 != 0 {
				row, column = row+1+int32(b>>4&3), -1
			}
			column += 1 + int32(b&7)
			number++
			c := Cell{Row: row, Column: column, Class: Text, Text: fmt.Sprintf("c%d", number)}
			if b&0x08 != 0 {
				c.Class, c.Text = Number, fmt.Sprint(number)
			}
			c.Raw = c.Text
			wanted[c.Text] = true
			if err := stream.Add(&c); err != nil {
				t.Fatal(err)
			}
		}
		if err := stream.Close(); err != nil {
			t.Fatal(err)
		}
		d.Finish()
		formattest.Check(t, d)
		doc.Walk(d.Blocks, func(b *doc.Block) bool {
			for _, in := range b.Inlines {
				delete(wanted, in.Text)
			}
			return true
		})
		if len(s.Merges) == 0 && len(wanted) > 0 { // what a merged cell covers is not shown
			t.Errorf("lost: %v", wanted)
		}
	})
}
