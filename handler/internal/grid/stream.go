package grid

import (
	"cmp"
	"fmt"
	"slices"

	"decant/handler/internal/doc"
)

// Stream makes blocks of a sheet that has more cells than should be in memory at once. Cells come row by row; some thousand at a
// time, a window, become blocks and are handed on. A table that reaches the end of a window goes on in the next one with the same
// header rows, as a long table does that Blocks cuts into bands.
type Stream struct {
	sheet  *Sheet // with everything but cells; Cells is the window
	d      *doc.Document
	hidden bool // include hidden rows and columns
	emit   func([]doc.Block) error
	cells  int // of a window, and a row more
	index  merges
	tails  []tail // tables that reach the end of the window before
	last   int    // last row of the window before
	lost   int    // merged cells that were not merged
}

// tail is what the next window must know of a table.
type tail struct {
	Rect
	header     []Cell
	headerRows int
	name       string
	columns    map[int]bool
}

// windowCells is how many cells a window usually has.
const windowCells = 10_000

// NewStream makes a stream of a sheet of which everything but the cells is known. Blocks are handed to emit, window by window; what
// is to be reported goes to d.
func NewStream(s *Sheet, d *doc.Document, includeHidden bool, emit func([]doc.Block) error) *Stream {
	s.HiddenRows.Normalize()
	s.HiddenColumns.Normalize()
	return &Stream{sheet: s, d: d, hidden: includeHidden, emit: emit, cells: windowCells, index: s.mergeIndex(), last: -1}
}

// Add takes the next cell.
func (s *Stream) Add(c *Cell) error {
	if n := len(s.sheet.Cells); n >= s.cells && c.Row != s.sheet.Cells[n-1].Row {
		if err := s.flush(false); err != nil {
			return err
		}
	}
	s.sheet.Cells = append(s.sheet.Cells, *c)
	return nil
}

// Close makes blocks of what is left, with the sheet's floats behind.
func (s *Stream) Close() error {
	if err := s.flush(true); err != nil {
		return err
	}
	if s.lost > 0 {
		s.d.Warn("overlapping_cells", fmt.Sprintf("%d merged cells on the sheet %q cover each other; they were not merged.", s.lost, s.sheet.Name), doc.Place{Page: s.sheet.Page, Sheet: s.sheet.Name})
	}
	if floats := s.sheet.floats(); len(floats) > 0 {
		return s.emit(floats)
	}
	return nil
}

// flush makes blocks of the window.
func (s *Stream) flush(final bool) error {
	if len(s.sheet.Cells) == 0 {
		return nil
	}
	w := *s.sheet
	w.sort()
	first, last := int(w.Cells[0].Row), int(w.Cells[len(w.Cells)-1].Row)
	w.reportHidden(s.d, w.markHidden(s.index), s.index, s.hidden)
	blocks := s.window(&w, first, last, final)
	s.last = last
	s.sheet.Cells = make([]Cell, 0, s.cells+s.cells/8)
	s.sheet.HiddenRows = slices.DeleteFunc(s.sheet.HiddenRows, func(r [2]int) bool { return r[1] <= last })
	if len(blocks) == 0 {
		return nil
	}
	return s.emit(blocks)
}

func (s *Stream) window(w *Sheet, first, last int, final bool) []doc.Block {
	regions := findRegions(w.Cells, s.index, w.Tables)
	if regions == nil {
		s.tails = nil
		return w.asLines(s.d, s.hidden)
	}
	regions = joinTorn(regions)
	if !s.hidden {
		regions = dropHidden(regions, s.index)
	}
	for _, r := range regions {
		if r.name != "" {
			r.Top, r.Bottom = max(r.Top, first), min(r.Bottom, last)
		}
		r.open = !final && r.Bottom >= last
	}
	b := &builder{sheet: w, lean: true}
	var items []placed
	var tails []tail
	for _, r := range regions {
		before := s.tailOf(r, first)
		if before != nil {
			items = append(items, placed{r.Top, r.Left, b.goOn(r, before, s.index)})
		} else {
			items = append(items, b.regionBlocks(s.d, []*region{r}, s.index)...)
		}
		if r.open && r.headerRows >= 0 {
			tails = append(tails, newTail(r, before))
		}
	}
	s.tails, s.lost = tails, s.lost+b.overlaps
	slices.SortStableFunc(items, byPlace)
	var blocks []doc.Block
	for _, item := range items {
		blocks = append(blocks, item.blocks...)
	}
	return blocks
}

func byPlace(a, b placed) int {
	return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
}

// tailOf finds the table that a region goes on with.
func (s *Stream) tailOf(r *region, first int) *tail {
	for i := range s.tails {
		t := &s.tails[i]
		switch {
		case r.name != "" || t.name != "":
			if r.name == t.name {
				return t
			}
		case r.Top == first && first == s.last+1 && r.Left <= t.Right && t.Left <= r.Right:
			return t
		}
	}
	return nil
}

func newTail(r *region, before *tail) tail {
	t := tail{Rect: r.Rect, headerRows: r.headerRows, name: r.name, columns: map[int]bool{}}
	if before != nil {
		t.Rect, t.header, t.headerRows = r.Union(before.Rect), before.header, before.headerRows
		t.columns = before.columns
	} else {
		for _, row := range r.rows()[:min(r.headerRows, len(r.rows()))] {
			t.header = append(t.header, row...)
		}
	}
	for i := range r.cells {
		t.columns[int(r.cells[i].Column)] = true
	}
	return t
}

// goOn makes a table of a region that goes on with one, and paragraphs of the remarks below it.
func (b *builder) goOn(r *region, before *tail, index merges) []doc.Block {
	rows := r.rows()
	bottom := len(rows)
	if !r.open && r.name == "" {
		bottom = r.remarks(rows, 0)
	}
	var remarks []doc.Block
	for _, row := range rows[bottom:] {
		for i := range row {
			remarks = append(remarks, b.paragraph(&row[i])...)
		}
	}
	r.headerRows = before.headerRows
	if bottom == 0 {
		return remarks
	}
	columns := map[int]bool{}
	for c := range before.columns {
		columns[c] = true
	}
	band := &region{Rect: r.Rect, headerRows: before.headerRows, name: r.name, cells: slices.Clone(before.header)}
	for _, row := range rows[:bottom] {
		band.cells = append(band.cells, row...)
		for i := range row {
			columns[int(row[i].Column)] = true
		}
	}
	band.Bottom = int(rows[bottom-1][0].Row)
	return append([]doc.Block{b.table(band, newAxis(columns), index)}, remarks...)
}
