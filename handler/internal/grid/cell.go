package grid

import (
	"slices"
	"strings"

	"decant/handler/internal/doc"
)

// CellBytes is about what one cell costs in memory, beside its text, as a part of a large table.
const CellBytes = 600

// leanCells is from how many cells of a sheet on they carry no place of their own, and no value that says no more than their text:
// the table's place, row and column say where they stand, and both cost more memory than the cell.
const leanCells = 100_000

// builder makes doc cells out of grid cells, in few large pieces of memory.
type builder struct {
	sheet    *Sheet
	lean     bool
	overlaps int // merged cells that were not merged
	blocks   []doc.Block
	inlines  []doc.Inline
	values   []doc.Value
	places   []doc.Place
}

func take[T any](pool *[]T) []T {
	const piece = 256
	if len(*pool) == 0 {
		*pool = make([]T, piece)
	}
	one := (*pool)[:1:1]
	*pool = (*pool)[1:]
	return one
}

// cell fills in a doc cell, all but its position in the table.
func (b *builder) cell(c *Cell) doc.Cell {
	out := doc.Cell{Hidden: c.Hidden, Value: b.value(c)}
	if !b.lean {
		place := take(&b.places)
		place[0] = b.place(Name(int(c.Row), int(c.Column)))
		out.Places = place
	}
	if c.Extra != nil && len(c.Extra.Blocks) > 0 {
		out.Blocks = c.Extra.Blocks
	} else if c.Text != "" {
		block := take(&b.blocks)
		block[0] = doc.Block{Kind: doc.Paragraph, Inlines: b.text(c)}
		out.Blocks = block
	}
	return out
}

func (b *builder) value(c *Cell) *doc.Value {
	if b.lean && c.Class == Text && c.Extra == nil {
		return nil
	}
	v := &take(&b.values)[0]
	*v = doc.Value{Type: c.Class.String(), Raw: c.Raw, ISO: c.ISO}
	if c.Extra != nil {
		v.Formula, v.Cached = c.Extra.Formula, c.Extra.Cached
	}
	if c.Text == "" && c.Raw == "" {
		v.Type = "empty"
	}
	return v
}

func (b *builder) place(cells string) doc.Place {
	return doc.Place{Page: b.sheet.Page, Sheet: b.sheet.Name, Cells: cells}
}

// text is the cell's text as inlines; its line ends become breaks.
func (b *builder) text(c *Cell) []doc.Inline {
	link := ""
	if c.Extra != nil {
		link = c.Extra.Link
		if len(c.Extra.Inlines) > 0 {
			return linked(c.Extra.Inlines, link)
		}
	}
	if strings.IndexByte(c.Text, '\n') < 0 {
		inline := take(&b.inlines)
		inline[0] = doc.Inline{Kind: doc.Text, Text: c.Text, Link: link}
		return inline
	}
	var out []doc.Inline
	for i, line := range strings.Split(strings.TrimRight(c.Text, "\n"), "\n") {
		if i > 0 {
			out = append(out, doc.Inline{Kind: doc.Break})
		}
		if line != "" {
			out = append(out, doc.Inline{Kind: doc.Text, Text: line, Link: link})
		}
	}
	return out
}

// linked gives inlines the cell's link. They may be shared by cells, and are not changed.
func linked(inlines []doc.Inline, link string) []doc.Inline {
	out := slices.Clone(inlines)
	for i := range out {
		if out[i].Kind == doc.Text && out[i].Link == "" {
			out[i].Link = link
		}
	}
	return out
}

// paragraph is a lone cell as a paragraph, or as the blocks that it has.
func (b *builder) paragraph(c *Cell) []doc.Block {
	place := b.place(Name(int(c.Row), int(c.Column)))
	if c.Extra != nil && len(c.Extra.Blocks) > 0 {
		for i := range c.Extra.Blocks {
			c.Extra.Blocks[i].Places = []doc.Place{place}
		}
		return c.Extra.Blocks
	}
	return []doc.Block{{Kind: doc.Paragraph, Inlines: b.text(c), Places: []doc.Place{place}}}
}
