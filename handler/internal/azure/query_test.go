package azure_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"decant/handler/internal/batch"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// TestQueriesAreAskedAgain: the SDK's pager stays at its first error, so that a query whose first answer was a 503 failed six
// times without one more request.
func TestQueriesAreAskedAgain(t *testing.T) {
	needEmulators(t)
	p := newProxy(0)
	tries := map[string]int{}
	p.choose = func(r *http.Request, body []byte) string {
		if r.Header.Get("x-ms-documentdb-isquery") == "" && r.Header.Get("Content-Type") != "application/query+json" {
			return ""
		}
		key := string(body) + r.Header.Get("x-ms-continuation")
		tries[key]++
		return slices.Concat([]string{"503", "dropped", "500"}, make([]string, 100))[tries[key]-1]
	}
	db := freshDatabase(t, p)
	store, batches := db.Store(), db.Batches()
	id := storeThree(t, store, batches)
	found := 0
	for q := (ledger.Query{Limit: 2}); ; {
		page, err := store.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		found += len(page.Records)
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	stamps, err := ledger.AllStamps(t.Context(), store, id)
	chunks, err2 := store.Chunks(t.Context(), id, "", 10)
	heads, _, err3 := batches.Heads(t.Context(), true, "", 10)
	members, _, err4 := batches.Members(t.Context(), "b1", nil, "", 10)
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Error(err)
		}
	}
	if found != 3 || len(stamps) != 3 || len(chunks) != 3 || len(heads) != 1 || len(members) != 3 {
		t.Errorf("%d records, %d stamps, %d chunks, %d batches, %d members; want 3, 3, 3, 1, 3", found, len(stamps), len(chunks), len(heads), len(members))
	}
	if p.injected("503") < 5 || p.injected("500") < 5 {
		t.Errorf("%d and %d were refused, want one of each query", p.injected("503"), p.injected("500"))
	}
}

// storeThree stores three records, three chunks of the first, and a batch with three members.
func storeThree(t *testing.T, store ledger.Store, batches batch.Store) (first job.ID) {
	t.Helper()
	if _, err := batches.CreateHead(t.Context(), batch.Head{ID: "b1", State: batch.Running}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		src := job.Source{Container: "documents", Path: fmt.Sprintf("%d.txt", i)}
		r, err := store.Create(t.Context(), ledger.Record{DocumentID: src.ID(), Source: src, State: ledger.Running})
		if err != nil {
			t.Fatal(err)
		}
		if err := batches.AddMembers(t.Context(), "b1", []batch.Member{{DocumentID: src.ID(), State: ledger.Queued}}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = src.ID()
			if _, err := store.Commit(t.Context(), r, r, ledger.ChunkChange{Put: manyChunks(first, 3)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return first
}
