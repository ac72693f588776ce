package doc

import (
	"strings"
	"unicode/utf8"
)

// T is an inline of plain text.
func T(text string) Inline { return Inline{Kind: Text, Text: text} }

// P is a paragraph of plain text.
func P(text string, places ...Place) Block {
	return Block{Kind: Paragraph, Inlines: []Inline{T(text)}, Places: places}
}

// H is a heading of plain text.
func H(level int, text string, places ...Place) Block {
	return Block{Kind: Heading, Level: level, Inlines: []Inline{T(text)}, Places: places}
}

// PlainText is the inlines' text without looks: text, formulas and values as they are, a break as "\n",
// nothing for pictures and note references. Place.From and Place.To count its bytes.
func PlainText(inlines []Inline) string {
	if len(inlines) == 1 && inlines[0].Kind == Text {
		return inlines[0].Text
	}
	var b strings.Builder
	for _, in := range inlines {
		switch in.Kind {
		case Break:
			b.WriteByte('\n')
		case Text, Math, Input:
			b.WriteString(in.Text)
		}
	}
	return b.String()
}

// PlainText is the block's own text: its inlines, or its Text for code and formulas. Children and captions are not in it.
func (b *Block) PlainText() string {
	switch b.Kind {
	case Code, Formula:
		return b.Text
	}
	return PlainText(b.Inlines)
}

// PlainText is the text of all blocks of a cell, one line each.
func (c *Cell) PlainText() string {
	var parts []string
	for i := range c.Blocks {
		Walk(c.Blocks[i:i+1], func(b *Block) bool {
			if text := b.PlainText(); text != "" {
				parts = append(parts, text)
			}
			return true
		})
	}
	return strings.Join(parts, "\n")
}

// Walk calls visit for every block and its descendants, in reading order, including the blocks of table cells.
// When visit returns false, the block's descendants are left out.
func Walk(blocks []Block, visit func(*Block) bool) {
	for i := range blocks {
		b := &blocks[i]
		if !visit(b) {
			continue
		}
		Walk(b.Children, visit)
		if b.Table != nil {
			for c := range b.Table.Cells {
				Walk(b.Table.Cells[c].Blocks, visit)
			}
		}
	}
}

// Describe gives a picture, by its id, a text when it has none: one that is used again may say more than it did before.
func (d *Document) Describe(id, alt string) {
	if image := d.Image(id); image != nil && image.Alt == "" {
		image.Alt = alt
	}
}

// Image finds a picture by its id, or nil.
func (d *Document) Image(id string) *Image {
	for i := range d.Images {
		if d.Images[i].ID == id {
			return &d.Images[i]
		}
	}
	return nil
}

// Note finds a note by its id, or nil.
func (d *Document) Note(id string) *Note {
	for i := range d.Notes {
		if d.Notes[i].ID == id {
			return &d.Notes[i]
		}
	}
	return nil
}

// Rows and columns that the cell covers, at least 1.

// Height is how many rows the cell covers.
func (c *Cell) Height() int { return max(1, c.RowSpan) }

// Width is how many columns the cell covers.
func (c *Cell) Width() int { return max(1, c.ColSpan) }

// BoldRow tells whether all text of the cells that start in a row is strong, and there is some in every second cell at least: Word
// and RTF often say no better that a row is a header.
func (g *Grid) BoldRow(row int) bool {
	filled, cells := 0, 0
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Row != row {
			continue
		}
		cells++
		plain := false
		Walk(c.Blocks, func(b *Block) bool {
			for _, in := range b.Inlines {
				plain = plain || in.Kind == Text && !in.Marks.Has(Strong)
			}
			return true
		})
		if plain {
			return false
		}
		if c.PlainText() != "" {
			filled++
		}
	}
	return filled > 0 && 2*filled >= cells
}

// ballots are the boxes that writers put in front of tasks.
var ballots = map[rune]bool{'☐': false, '☒': true, '☑': true}

// Ballot takes a ballot box at the start of a text, as writers without task lists of their own put it there, for the state of a task. It gives
// the state, or nil where there is no box, and the text after the box.
func Ballot(inlines []Inline) (*bool, []Inline) {
	if len(inlines) == 0 || inlines[0].Kind != Text {
		return nil, inlines
	}
	box, size := utf8.DecodeRuneInString(inlines[0].Text)
	state, ok := ballots[box]
	rest := inlines[0].Text[size:]
	if !ok || rest != "" && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
		return nil, inlines
	}
	inlines[0].Text = strings.TrimLeft(rest, " \t")
	for len(inlines) > 0 && inlines[0].Kind == Text && inlines[0].Text == "" {
		if inlines = inlines[1:]; len(inlines) > 0 && inlines[0].Kind == Text {
			inlines[0].Text = strings.TrimLeft(inlines[0].Text, " \t")
		}
	}
	return &state, inlines
}
