package csv

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
)

// How many rows and cells one table block has at most. A longer table goes on in further blocks with the same header,
// so that whatever reads the model block by block needs little memory.
const (
	tableRows  = 5_000
	tableCells = 100_000
)

// tableMaker makes the table blocks of a text.
type tableMaker struct {
	in      *format.Input
	d       *doc.Document
	reader  reader
	waiting []record // read ahead
	width   int      // usual number of fields
	header  *record  // repeated in further blocks; nil when there is none
	columns int      // of the widest row
	counts  map[int]int
	rows    int
	tables  int  // blocks so far
	pieces  int  // blocks of the table that is being read
	first   int  // of those, which are not handed on: their place in the document's blocks
	lastEnd int  // the last line of the record before
	blank   bool // the record before had no values
	parts   bool

	memory memory
	place  doc.Place // lines of the table that is being made
}

func (t *tableMaker) make(ctx context.Context) error {
	t.counts = map[int]int{}
	t.preamble(t.peek(maxPreamble + 4))
	grid, ok := t.start()
	if !ok {
		return nil
	}
	var rec record
	for t.next(&rec) {
		if titles, yes := t.beginsTable(&rec); yes {
			t.end(grid)
			if err := t.handOn(ctx); err != nil {
				return err
			}
			t.waiting = append([]record{copied(rec)}, t.waiting...)
			t.write(t.take(titles))
			if grid, ok = t.start(); !ok {
				return nil
			}
			continue
		}
		if grid.Rows >= tableRows || len(grid.Cells) >= tableCells {
			t.finish(grid)
			if err := t.handOn(ctx); err != nil {
				return err
			}
			grid = t.newGrid()
			if t.header != nil {
				t.cells(grid, t.header, true)
			}
		}
		t.row(grid, &rec, false)
	}
	t.end(grid)
	t.warn()
	return nil
}

// start reads the first rows of a table; false when there are none.
func (t *tableMaker) start() (*doc.Grid, bool) {
	t.pieces, t.columns, t.header, t.first = 0, 0, nil, len(t.d.Blocks)
	var first, second record
	if !t.next(&first) {
		return nil, false
	}
	grid := t.newGrid()
	hasSecond := t.next(&second)
	if hasSecond && isHeader(first.fields, second.fields) || !hasSecond {
		t.header = &first
	}
	t.row(grid, &first, t.header != nil)
	if hasSecond {
		t.row(grid, &second, false)
	}
	return grid, true
}

// end finishes a table: all its blocks are as wide as its widest row.
func (t *tableMaker) end(grid *doc.Grid) {
	t.finish(grid)
	for i := t.first; i < len(t.d.Blocks); i++ {
		t.d.Blocks[i].Table.Columns = t.columns
	}
}

// handOn gives away the tables so far, when the document is read part by part.
func (t *tableMaker) handOn(ctx context.Context) error {
	t.in.Progress(t.tables, 0)
	if err := ctx.Err(); err != nil || !t.parts {
		return err
	}
	blocks := t.d.Blocks
	t.d.Blocks, t.first = nil, 0
	err := t.in.Part(t.d, format.Part{Blocks: blocks})
	t.memory.free(blocks)
	return err
}

func (t *tableMaker) newGrid() *doc.Grid {
	t.place = doc.Place{}
	return &doc.Grid{Cells: t.memory.cells()}
}

func (t *tableMaker) row(g *doc.Grid, rec *record, header bool) {
	if t.blank = filled(rec.fields) == 0; t.blank && len(rec.fields) > 1 {
		return // nothing but delimiters, as sheets write an empty row
	}
	t.counts[len(rec.fields)]++
	t.rows++
	t.columns = max(t.columns, filled(rec.fields))
	t.lastEnd = rec.endLine
	t.cells(g, rec, header)
}

func (t *tableMaker) cells(g *doc.Grid, rec *record, header bool) {
	before := len(g.Cells)
	for column, field := range rec.fields {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		cell := doc.Cell{Row: g.Rows, Column: column, Header: header, Blocks: t.memory.blocks.take(1)}
		cell.Blocks[0] = doc.Block{Kind: doc.Paragraph, Inlines: t.inlinesOf(field)}
		g.Cells = append(g.Cells, cell)
	}
	if len(g.Cells) > before {
		t.reach(g, before, rec)
	}
	g.Rows++
	if header {
		g.HeaderRows = 1
	}
}

// reach notes the lines of a row with cells. The row can be counted in the table: a place for each cell would cost more than the
// cell. A header that is repeated stands elsewhere.
func (t *tableMaker) reach(g *doc.Grid, before int, rec *record) {
	if before == 0 || t.pieces > 0 && g.HeaderRows > 0 && g.Rows == g.HeaderRows {
		t.place.Line = rec.line
	}
	t.place.EndLine = rec.endLine
}

func (t *tableMaker) finish(g *doc.Grid) {
	if g.Rows == 0 || len(g.Cells) == 0 {
		return
	}
	g.Columns = t.columns
	t.tables, t.pieces = t.tables+1, t.pieces+1
	t.d.Blocks = append(t.d.Blocks, doc.Block{Kind: doc.Table, Table: g, Places: []doc.Place{t.place}})
}

// warn says how many rows differ from the usual width, and how many quotation marks were out of order.
func (t *tableMaker) warn() {
	usual, most := 0, 0
	for n, rows := range t.counts {
		if rows > most || rows == most && n > usual {
			usual, most = n, rows
		}
	}
	if t.header != nil && t.counts[len(t.header.fields)] == most {
		usual = len(t.header.fields)
	}
	if ragged := t.rows - t.counts[usual]; ragged > 0 {
		t.d.Warn("ragged_rows", fmt.Sprintf("%d of %d rows have another number of values than %d; the table has %d columns.", ragged, t.rows, usual, t.columns))
		t.d.Warnings[len(t.d.Warnings)-1].Count = ragged
	}
	if t.reader.repaired > 0 {
		t.d.Warn("quoting_repaired", fmt.Sprintf("%d quotation marks stand where none should be and were kept as text.", t.reader.repaired))
	}
}

// inlinesOf is a value as text, with breaks where it has line ends.
func (t *tableMaker) inlinesOf(field string) []doc.Inline {
	if strings.IndexByte(field, '\n') < 0 && strings.IndexByte(field, '\r') < 0 {
		list := t.memory.inlines.take(1)
		list[0] = doc.Inline{Kind: doc.Text, Text: field}
		return list
	}
	field = strings.ReplaceAll(strings.ReplaceAll(field, "\r\n", "\n"), "\r", "\n")
	var out []doc.Inline
	for i, line := range strings.Split(field, "\n") {
		if i > 0 {
			out = append(out, doc.Inline{Kind: doc.Break})
		}
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, doc.T(line))
		}
	}
	return out
}

// datum is a value that stands in data, not in headers: a number, an amount, a date, a time, a truth value.
var datum = lazyregexp.New(`^(?i:[-+(]?[\p{Sc}]?\s?\d[\d.,' ]*\s?[%\p{Sc}]?\)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:.*)?|\d{1,2}:\d{2}(?::\d{2})?|true|false|yes|no|[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+)$`)

// isHeader tells whether the first row names the columns. It does not when it has data itself where the next row has data,
// unless it is a mere count of columns.
func isHeader(first, second []string) bool {
	data := 0
	for i, field := range first {
		field = strings.TrimSpace(field)
		if field != "" && datum.MatchString(field) && i < len(second) && datum.MatchString(strings.TrimSpace(second[i])) {
			data++
		}
	}
	return data == 0
}
