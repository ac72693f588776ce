package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Store is a ledger.Store on a folder: one file for a record, one for its chunks, in 256 shards with a lock file each.
// Writes are atomic but not flushed to the disk one by one: a power cut may cost the last moments.
type Store struct{ root string }

var _ ledger.Store = (*Store)(nil)

// NewStore opens, or makes when it is first written to, the ledger in a folder.
func NewStore(root string) *Store { return &Store{root: root} }

// kept is a record as it lies in its file.
type kept struct {
	ETag   string        `json:"etag"`
	Record ledger.Record `json:"record"`
}

// shardLock is the file in each shard that is locked while the shard changes.
const shardLock = ".lock"

func (s *Store) shard(id job.ID) string {
	if len(id) < 3 {
		return filepath.Join(s.root, "00")
	}
	return filepath.Join(s.root, string(id[1:3]))
}

func (s *Store) recordFile(id job.ID) string { return filepath.Join(s.shard(id), string(id)+".json") }
func (s *Store) chunksFile(id job.ID) string { return filepath.Join(s.shard(id), string(id)+".chunks") }

func (s *Store) locked(id job.ID, work func() error) error {
	return withLock(filepath.Join(s.shard(id), shardLock), work)
}

// Load implements ledger.Store.
func (s *Store) Load(_ context.Context, id job.ID) (ledger.Record, error) {
	if !validID(id) {
		return ledger.Record{}, fault.New(fault.NotFound, "", nil)
	}
	return readRecord(s.recordFile(id))
}

// validID keeps ids from naming other files.
func validID(id job.ID) bool { return id != "" && !strings.ContainsAny(string(id), `/\.`) }

func readRecord(file string) (ledger.Record, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return ledger.Record{}, storage(err)
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return ledger.Record{}, fault.New(fault.Internal, "", fmt.Errorf("read record %s: %w", filepath.Base(file), err))
	}
	k.Record.ETag = k.ETag
	return k.Record, nil
}

// Create implements ledger.Store.
func (s *Store) Create(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	err := s.locked(r.DocumentID, func() error {
		_, err := s.Load(ctx, r.DocumentID)
		switch {
		case err == nil:
			return fault.New(fault.Conflict, "", nil)
		case fault.KindOf(err) != fault.NotFound:
			return err
		}
		return s.write(ctx, &r)
	})
	return r, err
}

// Replace implements ledger.Store.
func (s *Store) Replace(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	err := s.locked(r.DocumentID, func() error {
		if err := s.holds(ctx, r); err != nil {
			return err
		}
		return s.write(ctx, &r)
	})
	return r, err
}

func (s *Store) holds(ctx context.Context, r ledger.Record) error {
	now, err := s.Load(ctx, r.DocumentID)
	if err == nil && now.ETag != r.ETag {
		return fault.New(fault.Conflict, "", nil)
	}
	return err
}

// write stores the record and gives it its new ETag. The caller holds the lock.
func (s *Store) write(ctx context.Context, r *ledger.Record) error {
	if err := ctx.Err(); err != nil {
		return fault.From(err)
	}
	etag := rand.Text()
	text, err := json.Marshal(kept{ETag: etag, Record: *r})
	if err != nil {
		return err
	}
	if err := writeFile(s.recordFile(r.DocumentID), text); err != nil {
		return err
	}
	r.ETag = etag
	return nil
}

// Commit implements ledger.Store.
func (s *Store) Commit(ctx context.Context, before, after ledger.Record, change ledger.ChunkChange) (ledger.Record, error) {
	err := s.locked(after.DocumentID, func() error {
		if err := s.holds(ctx, before); err != nil {
			return err
		}
		if !change.None() {
			if err := s.changeChunks(after.DocumentID, change); err != nil {
				return err
			}
		}
		return s.write(ctx, &after)
	})
	if err != nil {
		return before, err
	}
	return after, nil
}

// Delete implements ledger.Store.
func (s *Store) Delete(ctx context.Context, r ledger.Record) error {
	return s.locked(r.DocumentID, func() error {
		if err := s.holds(ctx, r); err != nil {
			return err
		}
		if err := os.Remove(s.chunksFile(r.DocumentID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storage(err)
		}
		return storage(os.Remove(s.recordFile(r.DocumentID)))
	})
}

// List implements ledger.Store, in the order of ids.
func (s *Store) List(ctx context.Context, q ledger.Query) (ledger.Page, error) {
	var page ledger.Page
	files, err := filepath.Glob(filepath.Join(s.root, "[0-9a-f][0-9a-f]", "*.json"))
	if err != nil {
		return page, storage(err)
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return page, fault.From(err)
		}
		if strings.TrimSuffix(filepath.Base(file), ".json") <= q.After {
			continue
		}
		r, err := readRecord(file)
		if fault.KindOf(err) == fault.NotFound { // removed meanwhile
			continue
		} else if err != nil {
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
