package local

import (
	"bytes"
	"iter"

	"decant/handler/internal/ledger"
)

// merger gives the lines of sorted sources in the order of their ids; of equal ids the line of the earlier source comes first. It is a
// heap: the source with the next line is the first one.
type merger struct {
	heap []ranked
}

// ranked is a source with a line, and its place among all.
type ranked struct {
	*lineReader
	rank int
}

func newMerger(sources []*lineReader) (*merger, error) {
	m := &merger{}
	for i, s := range sources {
		if line, err := s.next(); err != nil {
			return nil, err
		} else if line != nil {
			m.heap = append(m.heap, ranked{s, i})
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m, nil
}

// advance goes on behind the first line.
func (m *merger) advance() error {
	line, err := m.heap[0].next()
	if err != nil {
		return err
	}
	if line == nil {
		m.heap[0] = m.heap[len(m.heap)-1]
		m.heap = m.heap[:len(m.heap)-1]
	}
	m.sink(0)
	return nil
}

func (m *merger) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if child+1 < len(m.heap) && m.heap[child+1].before(m.heap[child]) {
			child++
		}
		if !m.heap[child].before(m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}

func (r ranked) before(other ranked) bool {
	if r.line.ID != other.line.ID {
		return r.line.ID < other.line.ID
	}
	return r.rank < other.rank
}

// next makes one line of all those with the next id, the later ones over the earlier ones; nil at the end.
func (m *merger) next() (line *chunkLine, err error) {
	for len(m.heap) > 0 && (line == nil || m.heap[0].line.ID == line.ID) {
		if line, err = over(line, m.heap[0].line); err == nil {
			err = m.advance()
		}
		if err != nil {
			return nil, err
		}
	}
	return line, nil
}

// merge gives the lines of sorted sources in order: of those with the same id the last one of the last source, with moves and
// removals carried out. A line is good until the next.
func merge(sources []*lineReader) iter.Seq2[*chunkLine, error] {
	return func(yield func(*chunkLine, error) bool) {
		m, err := newMerger(sources)
		for err == nil {
			var line *chunkLine
			if line, err = m.next(); err != nil || line == nil {
				break
			}
			if !line.Gone && !yield(line, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// over is what becomes of a line (nil for none) when a change comes over it. The result does not share memory with either.
func over(line, change *chunkLine) (*chunkLine, error) {
	made := *change
	made.Move = false
	if change.Move && line != nil && !line.Gone {
		var err error
		made.Body, err = ledger.MergeChunk(line.Body, change.Body)
		return &made, err
	}
	made.Body = bytes.Clone(change.Body)
	return &made, nil
}
