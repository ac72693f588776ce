package mem

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"sync"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Store is a ledger.Store in memory. The zero value is empty and ready.
type Store struct {
	mu      sync.Mutex
	records map[job.ID]stored
	chunks  map[job.ID]map[string]ledger.Chunk
	version int
	writes  int
}

// stored is a record as JSON, so that nobody shares memory with it.
type stored struct {
	text []byte
	etag string
}

var _ ledger.Store = (*Store)(nil)

// Writes tells how many writes were done, for tests that count them.
func (s *Store) Writes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

// Load implements ledger.Store.
func (s *Store) Load(ctx context.Context, id job.ID) (ledger.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return ledger.Record{}, fault.From(err)
	}
	return s.load(id)
}

func (s *Store) load(id job.ID) (ledger.Record, error) {
	kept, ok := s.records[id]
	if !ok {
		return ledger.Record{}, fault.New(fault.NotFound, "", nil)
	}
	var r ledger.Record
	err := json.Unmarshal(kept.text, &r)
	r.ETag = kept.etag
	return r, err
}

// Create implements ledger.Store.
func (s *Store) Create(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.records[r.DocumentID]; ok {
		return r, fault.New(fault.Conflict, "", nil)
	}
	return s.write(ctx, r)
}

// Replace implements ledger.Store.
func (s *Store) Replace(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.holds(r); err != nil {
		return r, err
	}
	return s.write(ctx, r)
}

func (s *Store) holds(r ledger.Record) error {
	kept, ok := s.records[r.DocumentID]
	switch {
	case !ok:
		return fault.New(fault.NotFound, "", nil)
	case kept.etag != r.ETag:
		return fault.New(fault.Conflict, "", nil)
	}
	return nil
}

func (s *Store) write(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	if err := ctx.Err(); err != nil {
		return r, fault.From(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	if s.records == nil {
		s.records, s.chunks = map[job.ID]stored{}, map[job.ID]map[string]ledger.Chunk{}
	}
	s.version++
	s.writes++
	r.ETag = strconv.Itoa(s.version)
	s.records[r.DocumentID] = stored{text, r.ETag}
	return r, nil
}

// Commit implements ledger.Store.
func (s *Store) Commit(ctx context.Context, before, after ledger.Record, change ledger.ChunkChange) (ledger.Record, error) {
	put, move, err := gather(change)
	if err != nil {
		return before, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.holds(before); err != nil {
		return before, err
	}
	chunks := s.chunks[after.DocumentID]
	if chunks == nil {
		chunks = map[string]ledger.Chunk{}
		s.chunks[after.DocumentID] = chunks
	}
	for _, c := range move {
		if c.Body, err = ledger.MergeChunk(chunks[c.ID].Body, c.Body); err != nil {
			return before, err
		}
		chunks[c.ID] = c
	}
	for _, c := range put {
		chunks[c.ID] = c
	}
	for _, id := range change.Remove {
		delete(chunks, id)
	}
	return s.write(ctx, after)
}

func gather(change ledger.ChunkChange) (put, move []ledger.Chunk, err error) {
	if change.Put != nil {
		for c, err := range change.Put {
			if err != nil {
				return nil, nil, err
			}
			put = append(put, c)
		}
	}
	if change.Move != nil {
		for c, err := range change.Move {
			if err != nil {
				return nil, nil, err
			}
			move = append(move, c)
		}
	}
	return put, move, nil
}

// Delete implements ledger.Store.
func (s *Store) Delete(_ context.Context, r ledger.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.holds(r); err != nil {
		return err
	}
	s.writes++
	delete(s.records, r.DocumentID)
	delete(s.chunks, r.DocumentID)
	return nil
}

// List implements ledger.Store, in the order of ids.
func (s *Store) List(_ context.Context, q ledger.Query) (ledger.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var page ledger.Page
	for _, id := range slices.Sorted(maps.Keys(s.records)) {
		if string(id) <= q.After {
			continue
		}
		r, err := s.load(id)
		if err != nil {
			return page, err
		}
		if !q.Matches(&r) {
			continue
		}
		if len(page.Records) == q.PageSize() {
			page.Next = string(page.Records[len(page.Records)-1].DocumentID)
			break
		}
		page.Records = append(page.Records, r)
	}
	return page, nil
}

// ChunkStamps implements ledger.Store.
func (s *Store) ChunkStamps(_ context.Context, id job.ID) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		s.mu.Lock()
		chunks := maps.Clone(s.chunks[id])
		s.mu.Unlock()
		for _, c := range chunks {
			if !yield(ledger.Chunk{ID: c.ID, Stamp: c.Stamp}, nil) {
				return
			}
		}
	}
}

// Chunks implements ledger.Store.
func (s *Store) Chunks(_ context.Context, id job.ID, after string, limit int) ([]ledger.Chunk, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []ledger.Chunk
	for _, chunk := range slices.Sorted(maps.Keys(s.chunks[id])) {
		if chunk > after && len(list) < limit {
			list = append(list, s.chunks[id][chunk])
		}
	}
	return list, nil
}
