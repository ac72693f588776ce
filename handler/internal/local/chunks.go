package local

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// changeChunks writes the document's chunk file anew, out of the old one and the changes, all of them in the order of ids. Neither
// is ever in memory whole. The caller holds the lock.
func (s *Store) changeChunks(id job.ID, change ledger.ChunkChange) error {
	sorted := newSorter(filepath.Dir(s.chunksFile(id)))
	defer sorted.close()
	if err := sorted.addChange(change); err != nil {
		return err
	}
	old, err := openChunks(s.chunksFile(id))
	if err != nil {
		return err
	}
	defer old.Close()
	temp, err := os.CreateTemp(filepath.Dir(s.chunksFile(id)), ".new-*")
	if err != nil {
		return storage(err)
	}
	defer os.Remove(temp.Name())
	err = writeChunks(temp, old, sorted)
	if err := errors.Join(err, temp.Close(), old.Close()); err != nil {
		return storage(err)
	}
	return storage(os.Rename(temp.Name(), s.chunksFile(id)))
}

// writeChunks merges the lines of old and the changes.
func writeChunks(w io.Writer, old io.Reader, changes *sorter) error {
	sources, err := changes.sources()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for line, err := range merge(append([]*lineReader{newLineReader(old)}, sources...)) {
		if err == nil {
			err = line.writeTo(out)
		}
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// openChunks opens a chunk file; one that is not there is empty.
func openChunks(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return io.NopCloser(eof{}), nil
	} else if err != nil {
		return nil, storage(err)
	}
	return file, nil
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// ChunkStamps implements ledger.Store.
func (s *Store) ChunkStamps(ctx context.Context, id job.ID) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		file, err := openChunks(s.chunksFile(id))
		if err != nil {
			yield(ledger.Chunk{}, err)
			return
		}
		defer file.Close()
		for lines := newLineReader(file); ; {
			line, err := lines.next()
			if err == nil && line == nil {
				return
			}
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(ledger.Chunk{}, fault.From(err))
				return
			}
			if !yield(ledger.Chunk{ID: line.ID, Stamp: line.stamp()}, nil) {
				return
			}
		}
	}
}

// Chunks implements ledger.Store.
func (s *Store) Chunks(_ context.Context, id job.ID, after string, limit int) ([]ledger.Chunk, error) {
	file, err := os.Open(s.chunksFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, storage(err)
	}
	defer file.Close()
	if err := seekBehind(file, after); err != nil {
		return nil, err
	}
	var list []ledger.Chunk
	for lines := newLineReader(file); len(list) < limit; {
		line, err := lines.next()
		if err != nil || line == nil {
			return list, err
		}
		if line.ID > after {
			list = append(list, line.chunk())
		}
	}
	return list, nil
}
