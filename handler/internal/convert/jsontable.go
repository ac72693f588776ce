package convert

import (
	"bytes"
	"strconv"

	"decant/handler/internal/doc"
)

// manyCells is from how many cells on a table is written cell by cell: large tables are most of the largest documents, and their
// cells nearly all hold one plain text, for which encoding/json takes several times as long.
const manyCells = 500

// block writes a block as encoding/json does.
func (s *jsonStream) block(b *doc.Block) {
	if b.Kind != doc.Table || b.Table == nil || len(b.Table.Cells) < manyCells {
		s.write(s.encode(b))
		return
	}
	frame, grid := *b, *b.Table
	grid.Cells = nil
	frame.Table = &grid
	// The marks around a name are escaped in every text, so that the first match is the member.
	before, after, _ := bytes.Cut(s.encode(&frame), []byte(`"cells":null`))
	s.write(before)
	s.print(`"cells":[`)
	s.line = s.line[:0]
	for i := range b.Table.Cells {
		if i > 0 {
			s.line = append(s.line, ',')
		}
		s.cell(&b.Table.Cells[i])
		if len(s.line) > enoughText {
			s.write(s.line)
			s.line = s.line[:0]
		}
	}
	s.write(append(s.line, ']'))
	s.write(after)
}

// enoughText is how many bytes of cells are written at once.
const enoughText = 16 << 10

func (s *jsonStream) write(text []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(text)
	}
}

// cell appends a cell to s.line.
func (s *jsonStream) cell(c *doc.Cell) {
	if !isPlainCell(c) {
		s.line = append(s.line, s.encode(c)...)
		return
	}
	out := append(s.line, `{"row":`...)
	out = strconv.AppendInt(out, int64(c.Row), 10)
	out = append(out, `,"column":`...)
	out = strconv.AppendInt(out, int64(c.Column), 10)
	if c.Header {
		out = append(out, `,"header":true`...)
	}
	if len(c.Blocks) == 1 {
		out = append(out, `,"blocks":[{"id":`...)
		out = appendText(out, c.Blocks[0].ID)
		out = append(out, `,"kind":"paragraph","inlines":[{"kind":"text","text":`...)
		out = appendText(out, c.Blocks[0].Inlines[0].Text)
		out = append(out, `}]}]`...)
	}
	if v := c.Value; v != nil {
		out = append(out, `,"value":{"type":`...)
		out = appendText(out, v.Type)
		if v.Raw != "" {
			out = appendText(append(out, `,"raw":`...), v.Raw)
		}
		if v.ISO != "" {
			out = appendText(append(out, `,"iso":`...), v.ISO)
		}
		out = append(out, '}')
	}
	s.line = append(out, '}')
}

// isPlainCell tells whether a cell has nothing but its position, one plain text and a plain value.
func isPlainCell(c *doc.Cell) bool {
	if c.RowSpan != 0 || c.ColSpan != 0 || c.Align != "" || c.Hidden || len(c.Places) > 0 || len(c.Blocks) > 1 {
		return false
	}
	if c.Value != nil && (c.Value.Formula != "" || c.Value.Cached) {
		return false
	}
	if len(c.Blocks) == 0 {
		return true
	}
	b := &c.Blocks[0]
	if b.Kind != doc.Paragraph || b.ID == "" || len(b.Inlines) != 1 || len(b.Places) > 0 || b.Source != "" || b.Anchor != "" || b.Number != "" || b.Role != "" ||
		b.Label != "" || b.Level != 0 || b.Text != "" || b.Language != "" {
		return false
	}
	in := &b.Inlines[0]
	return in.Kind == doc.Text && in.Text != "" && in.Marks == 0 && in.Link == "" && in.Note == "" && in.Image == "" && in.Name == ""
}
