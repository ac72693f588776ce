package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// chunkLine is a chunk as it lies in its file, one a line, in the order of ids.
type chunkLine struct {
	ID    string          `json:"id"`
	Text  string          `json:"text"`
	Place string          `json:"place"`
	Index int             `json:"index"`
	Body  json.RawMessage `json:"body"`
}

// changeChunks writes the document's chunk file anew. The caller holds the lock.
func (s *Store) changeChunks(id job.ID, change ledger.ChunkChange) error {
	chunks, err := s.readChunks(id)
	if err != nil {
		return err
	}
	if change.Put != nil {
		for c, err := range change.Put {
			if err != nil {
				return err
			}
			chunks[c.ID] = c
		}
	}
	if change.Move != nil {
		for c, err := range change.Move {
			if err != nil {
				return err
			}
			if c.Body, err = ledger.MergeChunk(chunks[c.ID].Body, c.Body); err != nil {
				return err
			}
			chunks[c.ID] = c
		}
	}
	for _, gone := range change.Remove {
		delete(chunks, gone)
	}
	return s.writeChunks(id, chunks)
}

func (s *Store) readChunks(id job.ID) (map[string]ledger.Chunk, error) {
	chunks := map[string]ledger.Chunk{}
	file, err := os.Open(s.chunksFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return chunks, nil
	} else if err != nil {
		return nil, storage(err)
	}
	defer file.Close()
	lines := json.NewDecoder(bufio.NewReader(file))
	for lines.More() {
		var c chunkLine
		if err := lines.Decode(&c); err != nil {
			return nil, fmt.Errorf("read chunks of %s: %w", id, err)
		}
		chunks[c.ID] = ledger.Chunk{ID: c.ID, Stamp: ledger.Stamp{Text: c.Text, Place: c.Place, Index: c.Index}, Body: c.Body}
	}
	return chunks, nil
}

func (s *Store) writeChunks(id job.ID, chunks map[string]ledger.Chunk) error {
	temp, err := os.CreateTemp(filepath.Dir(s.chunksFile(id)), ".new-*")
	if err != nil {
		return storage(err)
	}
	defer os.Remove(temp.Name())
	buffer := bufio.NewWriter(temp)
	lines := json.NewEncoder(buffer)
	for _, key := range slices.Sorted(maps.Keys(chunks)) {
		c := chunks[key]
		if err := lines.Encode(chunkLine{c.ID, c.Stamp.Text, c.Stamp.Place, c.Stamp.Index, c.Body}); err != nil {
			return errors.Join(err, temp.Close())
		}
	}
	if err := errors.Join(buffer.Flush(), temp.Close()); err != nil {
		return storage(err)
	}
	return storage(os.Rename(temp.Name(), s.chunksFile(id)))
}

// ChunkStamps implements ledger.Store.
func (s *Store) ChunkStamps(_ context.Context, id job.ID) (map[string]ledger.Stamp, error) {
	chunks, err := s.readChunks(id)
	stamps := make(map[string]ledger.Stamp, len(chunks))
	for _, c := range chunks {
		stamps[c.ID] = c.Stamp
	}
	return stamps, err
}

// Chunks implements ledger.Store.
func (s *Store) Chunks(_ context.Context, id job.ID, after string, limit int) ([]ledger.Chunk, error) {
	chunks, err := s.readChunks(id)
	var list []ledger.Chunk
	for _, key := range slices.Sorted(maps.Keys(chunks)) {
		if key > after && len(list) < limit {
			list = append(list, chunks[key])
		}
	}
	return list, err
}
