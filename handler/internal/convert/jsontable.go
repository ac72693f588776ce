package convert

import (
	"bytes"
	"encoding/json"
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
	for i := range b.Table.Cells {
		if i > 0 {
			s.print(",")
		}
		s.cell(&b.Table.Cells[i])
	}
	s.print("]")
	s.write(after)
}

func (s *jsonStream) write(text []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(text)
	}
}

func (s *jsonStream) cell(c *doc.Cell) {
	if !isPlainCell(c) {
		s.write(s.encode(c))
		return
	}
	out := append(s.line[:0], `{"row":`...)
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
	s.write(s.line)
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

// appendText appends a JSON string, escaped as encoding/json does it.
func appendText(out []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case c < 0x20, c >= 0x7f, c == '"', c == '\\', c == '<', c == '>', c == '&':
			quoted, _ := json.Marshal(text) // a string never fails
			return append(out, quoted...)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"')
}
