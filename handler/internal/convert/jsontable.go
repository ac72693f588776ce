package convert

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

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

// appendText appends a JSON string, escaped as encoding/json does it.
func appendText(out []byte, text string) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if isPlainByte[c] {
				i++
				continue
			}
			out = append(out, text[from:i]...)
			switch at := strings.IndexByte(shortEscaped, c); {
			case c == '"' || c == '\\':
				out = append(out, '\\', c)
			case at >= 0:
				out = append(out, '\\', shortEscapes[at])
			default:
				out = append(out, `\u00`...)
				out = append(out, hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(append(out, text[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029':
			out = append(append(out, text[from:i]...), `\u202`...)
			out = append(out, hexDigits[r&15])
			from = i + size
		}
		i += size
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}

const (
	shortEscaped = "\b\f\n\r\t"
	shortEscapes = "bfnrt"
	hexDigits    = "0123456789abcdef"
)

// isPlainByte tells for each byte below utf8.RuneSelf whether it stands for itself in a JSON string that is safe inside HTML.
var isPlainByte = func() (table [utf8.RuneSelf]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		table[c] = !strings.ContainsRune(`"\<>&`, rune(c))
	}
	return table
}()
