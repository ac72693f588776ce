package grid

import (
	"cmp"
	"slices"

	"decant/handler/internal/doc"
)

// Class is what kind of value a cell holds, as far as finding tables cares.
type Class uint8

// The classes, and the doc.Value types that they stand for.
const (
	Text Class = iota
	Number
	Boolean
	Date
	Time
	Duration
	Error
)

var classNames = [...]string{"text", "number", "boolean", "date", "time", "duration", "error"}

// String is the class as doc.Value.Type.
func (c Class) String() string { return classNames[c] }

// Cell is one cell that is not empty.
type Cell struct {
	Row, Column int32 // from 0
	Class       Class
	Bold        bool
	Hidden      bool   // set by Blocks: in a hidden row or column
	Text        string // as a person sees it
	Raw         string // as stored
	ISO         string
	Extra       *Extra // what few cells have
}

// Extra is what few cells have.
type Extra struct {
	Formula string // without "="
	Cached  bool
	Link    string
	Inlines []doc.Inline // the text with its looks, when it has any
	Blocks  []doc.Block  // the cell's content, when it is more than one paragraph of text
}

// Sheet is one sheet with what a parser knows about it. Rows and columns count from 0.
type Sheet struct {
	Name          string
	Page          int // its number among the sheets, from 1
	Cells         []Cell
	Merges        []Rect
	HiddenRows    Ranges
	HiddenColumns Ranges
	Tables        []Table // defined tables
	PrintTitles   *Rect   // rows that are repeated on each printed page
	Frozen        int     // rows frozen at the top; 0 for none
	Filter        *Rect   // the range of the automatic filter
	Floats        []Float // charts, pictures and text boxes
}

// Table is a table that the document defines (a ListObject).
type Table struct {
	Rect
	Name       string
	HeaderRows int
}

// Float is something that lies on the sheet at a cell.
type Float struct {
	Row, Column int
	Blocks      []doc.Block
}

// Ranges are row or column numbers from 0, as pairs from-to, both inclusive.
type Ranges [][2]int

// Add adds a range.
func (r *Ranges) Add(from, to int) {
	if n := len(*r); n > 0 && (*r)[n-1][1]+1 == from {
		(*r)[n-1][1] = to
		return
	}
	*r = append(*r, [2]int{from, to})
}

// Normalize sorts the ranges and joins those that touch.
func (r *Ranges) Normalize() {
	slices.SortFunc(*r, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out Ranges
	for _, pair := range *r {
		if n := len(out); n > 0 && pair[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], pair[1])
			continue
		}
		out = append(out, pair)
	}
	*r = out
}

// Has tells whether a number is in the ranges, which must be normalized.
func (r Ranges) Has(n int) bool {
	i, found := slices.BinarySearchFunc(r, n, func(pair [2]int, n int) int { return cmp.Compare(pair[0], n) })
	return found || i > 0 && r[i-1][1] >= n
}

// covers tells whether all numbers from-to are in the ranges.
func (r Ranges) covers(from, to int) bool {
	i, found := slices.BinarySearchFunc(r, from, func(pair [2]int, n int) int { return cmp.Compare(pair[0], n) })
	if !found {
		i--
	}
	return i >= 0 && r[i][0] <= from && r[i][1] >= to
}

func (s *Sheet) sort() {
	byPlace := func(a, b Cell) int {
		if a.Row != b.Row {
			return cmp.Compare(a.Row, b.Row)
		}
		return cmp.Compare(a.Column, b.Column)
	}
	if !slices.IsSortedFunc(s.Cells, byPlace) {
		slices.SortStableFunc(s.Cells, byPlace)
	}
	s.Cells = slices.CompactFunc(s.Cells, func(a, b Cell) bool { return a.Row == b.Row && a.Column == b.Column })
	s.HiddenRows.Normalize()
	s.HiddenColumns.Normalize()
}

// merges indexes the merged ranges by their top left cell.
type merges map[[2]int32]Rect

func (s *Sheet) mergeIndex() merges {
	index := make(merges, len(s.Merges))
	for _, m := range s.Merges {
		if m.Height() > 1 || m.Width() > 1 {
			index[[2]int32{int32(m.Top), int32(m.Left)}] = m
		}
	}
	return index
}

// area is the rectangle that a cell covers.
func (m merges) area(c *Cell) Rect {
	if len(m) > 0 {
		if r, ok := m[[2]int32{c.Row, c.Column}]; ok {
			return r
		}
	}
	return Rect{int(c.Row), int(c.Column), int(c.Row), int(c.Column)}
}
