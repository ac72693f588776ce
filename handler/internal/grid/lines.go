package grid

import (
	"strings"

	"decant/handler/internal/doc"
)

// Lines keeps cells as lines of comma-separated values in a few large blocks: what a sheet becomes that has more cells than fit into
// memory as a table. Cells come row by row; nothing of them is kept but their text.
type Lines struct {
	sheet  *Sheet
	hidden *Lines // takes the cells of hidden rows and columns; nil when they are shown
	blocks []doc.Block
	text   strings.Builder
	area   Rect // of the current block
	row    int  // of the current line; -1 before the first
	column int  // of the last cell in the line
	any    bool // a cell is in the current block
}

const (
	linesBlock = 64 << 10 // bytes of one block
	maxCommas  = 256      // empty cells between two cells of a line; a cell further off has a line of its own with its name
)

// NewLines makes lines of a sheet's cells. The sheet's hidden columns, and each hidden row, must be known before its cells are added.
func NewLines(s *Sheet, includeHidden bool) *Lines {
	l := &Lines{sheet: s, row: -1}
	if !includeHidden {
		l.hidden = &Lines{sheet: s, row: -1}
	}
	return l
}

// Add writes a cell. A line that has grown to a block's size ends its block, unless it is the first in it.
func (l *Lines) Add(c *Cell) {
	if l.hidden != nil && (l.sheet.HiddenRows.Has(int(c.Row)) || l.sheet.HiddenColumns.Has(int(c.Column))) {
		l.hidden.Add(c)
		return
	}
	row, column := int(c.Row), int(c.Column)
	far := row == l.row && column-l.column > maxCommas || row != l.row && column > maxCommas
	if row != l.row || far {
		l.newLine(row)
	}
	switch {
	case far:
		l.text.WriteString(Name(row, column) + ": ")
	case column > l.column:
		for range column - l.column {
			l.text.WriteByte(',')
		}
	}
	l.text.WriteString(quoted(c.Text))
	l.column = column
	at := Rect{row, column, row, column}
	if !l.any {
		l.area = at
	}
	l.any = true
	l.area = l.area.Union(at)
}

func (l *Lines) newLine(row int) {
	if l.any {
		if l.text.Len() >= linesBlock {
			l.flush()
		} else {
			l.text.WriteByte('\n')
		}
	}
	l.row, l.column = row, 0
}

// quoted writes a value as RFC 4180 wants it.
func quoted(text string) string {
	if !strings.ContainsAny(text, ",\"\n") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

func (l *Lines) flush() {
	if l.any {
		l.blocks = append(l.blocks, doc.Block{Kind: doc.Code, Language: "csv", Text: l.text.String(),
			Places: []doc.Place{{Page: l.sheet.Page, Sheet: l.sheet.Name, Cells: l.area.String()}}})
	}
	l.text.Reset()
	l.any = false
}

// Blocks gives what was written, with the sheet's floats behind, and reports into d.
func (l *Lines) Blocks(d *doc.Document) []doc.Block {
	l.flush()
	place := doc.Place{Page: l.sheet.Page, Sheet: l.sheet.Name}
	d.Warn("structure_simplified", "The sheet has more cells, or more scattered ones, than make tables that fit into memory: they were kept as lines of values.", place)
	if h := l.hidden; h != nil {
		if h.flush(); len(h.blocks) > 0 {
			d.Warn("hidden_rows", "The sheet has hidden rows or columns with content; they were kept apart.", place)
			d.Hidden = append(d.Hidden, doc.Hidden{Reason: "hidden_row", Name: l.sheet.Name, Blocks: h.blocks})
		}
	}
	return append(l.blocks, l.sheet.floats()...)
}
