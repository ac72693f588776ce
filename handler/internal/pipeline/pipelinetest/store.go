package pipelinetest

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

var storeTests = []test{
	{"create load replace delete", testStoreRoundTrip},
	{"two writers with one etag: one loses", testStoreConflict},
	{"chunks of 250 in one commit", testStoreManyChunks},
	{"an embedding stays on unchanged and moved chunks", testStoreForeignFields},
	{"commit with a stale etag changes no chunk", testStoreStaleCommit},
	{"chunk of 1.9 MB", testStoreLargeChunk},
	{"list by state with pages", testStoreList},
}

// record makes a record as the ledger would write it.
func record(path string, state ledger.State) ledger.Record {
	src := job.Source{Container: "documents", Path: path, ETag: "0x1", Size: 12}
	return ledger.Record{DocumentID: src.ID(), Source: src, State: state, Updated: time.Now().UTC().Truncate(time.Millisecond)}
}

func testStoreRoundTrip(t *testing.T, b Backend) {
	ctx := t.Context()
	r := record("a/report é.pdf", ledger.Queued)
	if _, err := b.Store.Load(ctx, r.DocumentID); fault.KindOf(err) != fault.NotFound {
		t.Fatalf("Load of nothing = %v, want not_found", err)
	}
	if _, err := b.Store.Replace(ctx, r); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Replace of nothing = %v, want not_found", err)
	}
	created := must(b.Store.Create(ctx, r))(t)
	if _, err := b.Store.Create(ctx, r); fault.KindOf(err) != fault.Conflict {
		t.Errorf("second Create = %v, want conflict", err)
	}
	created.State = ledger.Running
	replaced := must(b.Store.Replace(ctx, created))(t)
	if replaced.ETag == created.ETag || replaced.ETag == "" {
		t.Errorf("Replace gave etag %q after %q", replaced.ETag, created.ETag)
	}
	loaded := must(b.Store.Load(ctx, r.DocumentID))(t)
	if loaded.State != ledger.Running || loaded.Source != r.Source || loaded.ETag != replaced.ETag || !loaded.Updated.Equal(r.Updated) {
		t.Errorf("Load = %+v, want %+v", loaded, replaced)
	}
	if err := b.Store.Delete(ctx, created); fault.KindOf(err) != fault.Conflict {
		t.Errorf("Delete with an old etag = %v, want conflict", err)
	}
	if err := b.Store.Delete(ctx, loaded); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	if _, err := b.Store.Load(ctx, r.DocumentID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Load after Delete = %v, want not_found", err)
	}
}

func testStoreConflict(t *testing.T, b Backend) {
	ctx := t.Context()
	r := must(b.Store.Create(ctx, record("race.txt", ledger.Queued)))(t)
	results := make(chan error, 8)
	for range cap(results) {
		go func() {
			_, err := b.Store.Replace(ctx, r)
			results <- err
		}()
	}
	won := 0
	for range cap(results) {
		switch err := <-results; fault.KindOf(err) {
		case "":
			won++
		case fault.Conflict:
		default:
			t.Errorf("Replace = %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d writers with the same etag won, want 1", won, cap(results))
	}
}

// chunks makes n chunk items; body may be changed by edit.
func chunks(id job.ID, n int, edit func(i int, fields map[string]any) (text string)) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		for i := range n {
			fields := map[string]any{"id": fmt.Sprintf("%s-%04d", id, i), "documentId": id, "index": i}
			text := edit(i, fields)
			fields["text"] = text
			body, err := json.Marshal(fields)
			c := ledger.Chunk{ID: fields["id"].(string), Body: body, Stamp: ledger.Stamp{Text: text[:min(8, len(text))], Place: fmt.Sprint(fields["index"])}}
			if !yield(c, err) {
				return
			}
		}
	}
}

func plain(i int, _ map[string]any) string { return fmt.Sprintf("text %d", i) }

func testStoreManyChunks(t *testing.T, b Backend) {
	ctx := t.Context()
	r := must(b.Store.Create(ctx, record("long.txt", ledger.Running)))(t)
	done := r
	done.State = ledger.Succeeded
	touched := 0
	change := ledger.ChunkChange{Put: chunks(r.DocumentID, 250, plain), Touch: func(r ledger.Record) ledger.Record { touched++; return r }}
	done = must(b.Store.Commit(ctx, r, done, change))(t)
	if stamps := must(ledger.AllStamps(ctx, b.Store, r.DocumentID))(t); len(stamps) != 250 {
		t.Errorf("%d stamps, want 250", len(stamps))
	}
	var ids []string
	for after := ""; ; after = ids[len(ids)-1] {
		page := must(b.Store.Chunks(ctx, r.DocumentID, after, 70))(t)
		if len(page) == 0 {
			break
		}
		for _, c := range page {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) != 250 || ids[0] >= ids[1] {
		t.Errorf("paging gave %d ids, want 250 in order", len(ids))
	}
	after := must(b.Store.Commit(ctx, done, done, ledger.ChunkChange{Remove: ids[:249]}))(t)
	if stamps := must(ledger.AllStamps(ctx, b.Store, r.DocumentID))(t); len(stamps) != 1 {
		t.Errorf("%d stamps after removal, want 1", len(stamps))
	}
	if err := b.Store.Delete(ctx, after); err != nil {
		t.Fatal(err)
	}
	if stamps := must(ledger.AllStamps(ctx, b.Store, r.DocumentID))(t); len(stamps) != 0 {
		t.Errorf("%d chunks are left after Delete", len(stamps))
	}
}

func testStoreForeignFields(t *testing.T, b Backend) {
	ctx := t.Context()
	r := must(b.Store.Create(ctx, record("embedded.txt", ledger.Running)))(t)
	embedded := chunks(r.DocumentID, 3, func(i int, fields map[string]any) string {
		fields["embedding"] = []float64{0.5, float64(i)}
		return plain(i, nil)
	})
	r = must(b.Store.Commit(ctx, r, r, ledger.ChunkChange{Put: embedded}))(t)
	moved := chunks(r.DocumentID, 1, func(i int, fields map[string]any) string { fields["index"] = 7; return plain(i, nil) })
	changed := chunks(r.DocumentID, 2, func(i int, fields map[string]any) string { return fmt.Sprintf("new text %d", i) })
	onlySecond := func(yield func(ledger.Chunk, error) bool) {
		for c, err := range changed {
			if strings.HasSuffix(c.ID, "0001") {
				yield(c, err)
			}
		}
	}
	must(b.Store.Commit(ctx, r, r, ledger.ChunkChange{Move: moved, Put: onlySecond}))(t)
	var got []string
	for _, c := range must(b.Store.Chunks(ctx, r.DocumentID, "", 10))(t) {
		var body struct {
			Index     int       `json:"index"`
			Text      string    `json:"text"`
			Embedding []float64 `json:"embedding"`
		}
		if err := json.Unmarshal(c.Body, &body); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(body.Index, " ", body.Text, " ", body.Embedding))
	}
	want := []string{"7 text 0 [0.5 0]", "1 new text 1 []", "2 text 2 [0.5 2]"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("chunks = %q, want %q", got, want)
	}
	if stamps := must(ledger.AllStamps(ctx, b.Store, r.DocumentID))(t); stamps[string(r.DocumentID)+"-0000"].Place != "7" {
		t.Errorf("stamps = %v, want place 7 on the moved chunk", stamps)
	}
}

func testStoreStaleCommit(t *testing.T, b Backend) {
	ctx := t.Context()
	old := must(b.Store.Create(ctx, record("fenced.txt", ledger.Running)))(t)
	must(b.Store.Replace(ctx, old))(t)
	_, err := b.Store.Commit(ctx, old, old, ledger.ChunkChange{Put: chunks(old.DocumentID, 3, plain)})
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("Commit with an old etag = %v, want conflict", err)
	}
	if stamps := must(ledger.AllStamps(ctx, b.Store, old.DocumentID))(t); len(stamps) != 0 {
		t.Errorf("a worker that lost its claim wrote %d chunks", len(stamps))
	}
}

func testStoreLargeChunk(t *testing.T, b Backend) {
	ctx := t.Context()
	r := must(b.Store.Create(ctx, record("one-cell.csv", ledger.Running)))(t)
	large := chunks(r.DocumentID, 3, func(i int, _ map[string]any) string { return strings.Repeat("x", 1_900_000) })
	must(b.Store.Commit(ctx, r, r, ledger.ChunkChange{Put: large}))(t)
	if stamps := must(ledger.AllStamps(ctx, b.Store, r.DocumentID))(t); len(stamps) != 3 {
		t.Errorf("%d stamps, want 3", len(stamps))
	}
}

func testStoreList(t *testing.T, b Backend) {
	ctx := t.Context()
	for i := range 7 {
		state := ledger.Failed
		if i >= 5 {
			state = ledger.Succeeded
		}
		must(b.Store.Create(ctx, record(fmt.Sprintf("list/%d.txt", i), state)))(t)
	}
	seen := map[job.ID]bool{}
	q := ledger.Query{State: ledger.Failed, Limit: 2}
	for range 10 {
		page := must(b.Store.List(ctx, q))(t)
		for _, r := range page.Records {
			if r.State != ledger.Failed || r.ETag == "" {
				t.Errorf("List gave %+v", r)
			}
			seen[r.DocumentID] = true
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if len(seen) != 5 {
		t.Errorf("List of failed documents gave %d, want 5", len(seen))
	}
	page := must(b.Store.List(ctx, ledger.Query{Since: time.Now().Add(time.Hour)}))(t)
	if len(page.Records) != 0 {
		t.Errorf("List since the future gave %d records", len(page.Records))
	}
}

// must ends the test on an error.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
