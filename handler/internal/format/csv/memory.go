package csv

import "decant/handler/internal/doc"

// memory is where the cells of tables lie. What was handed on gives its place to what comes next, so that a table of any size leaves
// next to nothing to be collected.
type memory struct {
	blocks  stack[doc.Block]
	inlines stack[doc.Inline]
	list    []doc.Cell // of a table that was handed on
}

// cells gives an empty list of cells, which no other table has.
func (m *memory) cells() []doc.Cell {
	list := m.list[:0]
	m.list = nil
	return list
}

// free takes everything back that the tables in blocks have.
func (m *memory) free(blocks []doc.Block) {
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].Table != nil {
			m.list = blocks[i].Table.Cells
			break
		}
	}
	m.blocks.free()
	m.inlines.free()
}

// stack gives out pieces of large slices.
type stack[T any] struct {
	slices [][]T
	at     int // the slice that pieces come from
	used   int // of it
}

// Lengths of the slices: the first is small, since most tables are.
const (
	firstSlice = 32
	lastSlice  = 8192
)

// take gives a piece of length n, with old content; n is small.
func (s *stack[T]) take(n int) []T {
	for s.at < len(s.slices) && s.used+n > len(s.slices[s.at]) {
		s.at, s.used = s.at+1, 0
	}
	if s.at == len(s.slices) {
		s.slices = append(s.slices, make([]T, max(n, min(lastSlice, firstSlice<<(2*s.at)))))
	}
	s.used += n
	return s.slices[s.at][s.used-n : s.used : s.used]
}

// free takes all pieces back.
func (s *stack[T]) free() { s.at, s.used = 0, 0 }
