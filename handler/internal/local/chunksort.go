package local

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"decant/handler/internal/ledger"
)

// runBytes is how much of a change is in memory before it goes to a file.
const runBytes = 16 << 20

// sorter brings chunk lines into the order of their ids: what does not fit into memory goes to files ("runs") that are sorted each
// by itself, and merged when they are read.
type sorter struct {
	dir   string
	held  []chunkLine
	bytes int
	runs  []*os.File
}

func newSorter(dir string) *sorter { return &sorter{dir: dir} }

// close removes the runs.
func (s *sorter) close() {
	for _, run := range s.runs {
		run.Close()
		os.Remove(run.Name())
	}
}

// addChange adds everything that a change says; what comes later counts.
func (s *sorter) addChange(change ledger.ChunkChange) error {
	for _, part := range []struct {
		chunks iter.Seq2[ledger.Chunk, error]
		move   bool
	}{{change.Put, false}, {change.Move, true}} {
		if part.chunks == nil {
			continue
		}
		for c, err := range part.chunks {
			if err != nil {
				return err
			}
			line, err := lineOf(c)
			if err != nil {
				return err
			}
			line.Move = part.move
			if err := s.add(line); err != nil {
				return err
			}
		}
	}
	for _, id := range change.Remove {
		if err := s.add(chunkLine{lineHead: lineHead{ID: id, Gone: true}}); err != nil {
			return err
		}
	}
	return nil
}

func (s *sorter) add(line chunkLine) error {
	const lineBytes = 200 // what a line takes beside its body
	if s.bytes += len(line.Body) + lineBytes; s.bytes > runBytes && len(s.held) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		s.bytes = len(line.Body) + lineBytes
	}
	s.held = append(s.held, line)
	return nil
}

// spill writes what is held to a run of its own.
func (s *sorter) spill() error {
	run, err := os.CreateTemp(s.dir, ".run-*")
	if err != nil {
		return storage(err)
	}
	s.runs = append(s.runs, run)
	if err := s.writeHeld(run); err != nil {
		return storage(err)
	}
	clear(s.held)
	s.held = s.held[:0]
	return nil
}

func (s *sorter) writeHeld(w io.Writer) error {
	slices.SortStableFunc(s.held, func(a, b chunkLine) int { return strings.Compare(a.ID, b.ID) })
	out := bufio.NewWriterSize(w, 1<<16)
	for i := range s.held {
		if err := s.held[i].writeTo(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// sources gives the changes as sorted sources, the earlier ones first.
func (s *sorter) sources() ([]*lineReader, error) {
	var list []*lineReader
	for _, run := range s.runs {
		if _, err := run.Seek(0, io.SeekStart); err != nil {
			return nil, storage(err)
		}
		list = append(list, newLineReader(run))
	}
	var rest bytes.Buffer
	if err := s.writeHeld(&rest); err != nil {
		return nil, err
	}
	return append(list, newLineReader(&rest)), nil
}
