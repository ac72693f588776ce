package local_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/local"
)

// numbered makes chunks whose ids are not in the order of their numbers, as those that are hashes.
func numbered(from, to int, text func(i int) string) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		for i := from; i < to; i++ {
			t := text(i)
			body, err := json.Marshal(map[string]any{"id": numberedID(i), "index": i, "text": t})
			if !yield(ledger.Chunk{ID: numberedID(i), Stamp: ledger.Stamp{Text: fmt.Sprint(len(t)), Place: fmt.Sprint(i), Index: i}, Body: body}, err) {
				return
			}
		}
	}
}

func numberedID(i int) string { return fmt.Sprintf("%08x", uint32(i)*2654435761) }

func committed(t *testing.T, s *local.Store, r ledger.Record, change ledger.ChunkChange) ledger.Record {
	t.Helper()
	r, err := s.Commit(t.Context(), r, r, change)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestManyLargeChunks holds that a document whose chunks are far more than the store holds in memory comes back whole and in order,
// page by page, that changes, moves and removals reach every one of them, and that nothing is left in the folder.
func TestManyLargeChunks(t *testing.T) {
	root := t.TempDir()
	s := local.NewStore(root)
	id := job.Source{Path: "large.csv"}.ID()
	r, err := s.Create(t.Context(), ledger.Record{DocumentID: id})
	if err != nil {
		t.Fatal(err)
	}
	const n = 15_000
	filler := strings.Repeat("some text of a chunk, ", 64)
	want := map[string]string{}
	for i := range n {
		want[numberedID(i)] = fmt.Sprint(filler, i)
	}
	r = committed(t, s, r, ledger.ChunkChange{Put: numbered(0, n, func(i int) string { return fmt.Sprint(filler, i) })})
	checkChunks(t, s, id, want)

	change := ledger.ChunkChange{
		Put:  numbered(100, 10_000, func(i int) string { return fmt.Sprint("new ", i) }),
		Move: numbered(12_000, n, func(i int) string { return fmt.Sprint(filler, i) }),
	}
	for i := 100; i < 10_000; i++ {
		want[numberedID(i)] = fmt.Sprint("new ", i)
	}
	for i := range 100 {
		change.Remove = append(change.Remove, numberedID(i))
		delete(want, numberedID(i))
	}
	committed(t, s, r, change)
	checkChunks(t, s, id, want)
	if left, _ := filepath.Glob(filepath.Join(root, "*", ".*-*")); len(left) > 0 {
		t.Errorf("left in the folder: %v", left)
	}
}

func checkChunks(t *testing.T, s *local.Store, id job.ID, want map[string]string) {
	t.Helper()
	stamps, err := ledger.AllStamps(t.Context(), s, id)
	if err != nil || len(stamps) != len(want) {
		t.Fatalf("%d stamps, want %d; %v", len(stamps), len(want), err)
	}
	ids := slices.Sorted(maps.Keys(want))
	after := ""
	for len(ids) > 0 {
		page, err := s.Chunks(t.Context(), id, after, 777)
		if err != nil || len(page) == 0 || len(page) > len(ids) {
			t.Fatalf("a page of %d chunks after %q, want %d: %v", len(page), after, min(777, len(ids)), err)
		}
		for i, c := range page {
			var body struct{ Text string }
			if err := json.Unmarshal(c.Body, &body); err != nil || c.ID != ids[i] || body.Text != want[c.ID] {
				t.Fatalf("chunk %s with %.20q, want %s with %.20q; %v", c.ID, body.Text, ids[i], want[ids[i]], err)
			}
		}
		after, ids = page[len(page)-1].ID, ids[len(page):]
	}
	if page, err := s.Chunks(t.Context(), id, after, 10); err != nil || len(page) != 0 {
		t.Errorf("%d chunks behind the last one; %v", len(page), err)
	}
}

// TestMovedChunkKeepsForeignFields holds that a moved chunk keeps what somebody else wrote into it, and has the new place.
func TestMovedChunkKeepsForeignFields(t *testing.T) {
	s := local.NewStore(t.TempDir())
	id := job.Source{Path: "a.md"}.ID()
	r, err := s.Create(t.Context(), ledger.Record{DocumentID: id})
	if err != nil {
		t.Fatal(err)
	}
	one := func(place, body string) iter.Seq2[ledger.Chunk, error] {
		return func(yield func(ledger.Chunk, error) bool) {
			yield(ledger.Chunk{ID: `a,"body":{`, Stamp: ledger.Stamp{Text: "t", Place: place}, Body: json.RawMessage(body)}, nil)
		}
	}
	r = committed(t, s, r, ledger.ChunkChange{Put: one("1", "{\"id\":\"a\",\n \"index\":1, \"embedding\":[1,2]}")})
	committed(t, s, r, ledger.ChunkChange{Move: one("2", `{"id":"a","index":2}`)})
	got, err := s.Chunks(t.Context(), id, "", 10)
	if err != nil || len(got) != 1 {
		t.Fatalf("%d chunks; %v", len(got), err)
	}
	if diff := cmp.Diff(`{"embedding":[1,2],"id":"a","index":2}`, string(got[0].Body)); diff != "" || got[0].Stamp.Place != "2" {
		t.Errorf("body %s, place %s", diff, got[0].Stamp.Place)
	}
}

// TestChunksNeedLittleMemory holds that a change of many megabytes of chunks is not held in memory.
func TestChunksNeedLittleMemory(t *testing.T) {
	s := local.NewStore(t.TempDir())
	id := job.Source{Path: "large.csv"}.ID()
	r, err := s.Create(t.Context(), ledger.Record{DocumentID: id})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("x", 64<<10)
	var highest uint64
	put := numbered(0, 1600, func(i int) string { // 100 MB
		if i%100 == 99 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			highest = max(highest, m.HeapAlloc)
		}
		return filler
	})
	committed(t, s, r, ledger.ChunkChange{Put: put})
	if highest > 64<<20 {
		t.Errorf("%d MiB of memory for chunks of 100 MB", highest>>20)
	}
}
