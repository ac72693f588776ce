package app

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/ledger"
	"decant/handler/internal/server/api"
)

var batchSize = flag.Int("batch", 1000, "documents of TestBatchSurvivesAKill; 10000 is the size that it was made for")

// TestBatchSurvivesAKill: POST /api/batches answers at once whatever the batch's size; the handler is killed with SIGKILL
// while it finds the documents, the host starts it again, and in the end every document is a member once and has its record.
func TestBatchSurvivesAKill(t *testing.T) {
	s := startStand(t)
	submit := event.BatchSubmit{Name: "many", Key: "once"}
	for i := range *batchSize {
		submit.Documents = append(submit.Documents, event.Document{
			Account: s.cloud.blobs.Account(), Container: s.cloud.settings.Documents, Path: fmt.Sprintf("many/%06d.txt", i), ETag: "0x8DC0FFEE",
		})
	}
	body, err := json.Marshal(submit)
	must(t, err)
	made, took := s.submitBatch(t, body, http.StatusAccepted)
	t.Logf("POST /api/batches for %d documents answered in %s", *batchSize, took)
	if again, _ := s.submitBatch(t, body, http.StatusOK); again.ID != made.ID {
		t.Errorf("the same key made batch %s, then %s", made.ID, again.ID)
	}

	began := time.Now()
	before := s.awaitBatch(t, made.ID, func(p batch.Progress) bool { return p.Total >= *batchSize/4 || p.Expanded })
	if before.Expanded {
		t.Fatalf("the batch was expanded before the handler could be killed; take a larger -batch")
	}
	killed := s.host.PID()
	must(t, syscall.Kill(killed, syscall.SIGKILL))
	t.Logf("killed the handler at %d of %d documents", before.Total, *batchSize)
	after := s.awaitBatch(t, made.ID, func(p batch.Progress) bool { return p.Expanded })
	t.Logf("all found after %s", time.Since(began).Round(time.Millisecond))
	if after.Total != *batchSize {
		t.Errorf("the batch has %d members, want %d", after.Total, *batchSize)
	}
	if now := s.host.PID(); now == killed || now == 0 {
		t.Errorf("the handler is %d, the one that was killed is %d", now, killed)
	}
	s.checkMembers(t, made.ID)
}

// submitBatch posts a batch to the host, as a client would.
func (s *stand) submitBatch(t testing.TB, body []byte, status int) (api.Batch, time.Duration) {
	t.Helper()
	must(t, s.host.Ready(t.Context()))
	began := time.Now()
	r, err := http.Post(s.host.URL()+"/api/batches", "application/json", bytes.NewReader(body))
	must(t, err)
	defer r.Body.Close()
	var made api.Batch
	must(t, json.NewDecoder(r.Body).Decode(&made))
	if r.StatusCode != status || r.Header.Get("Location") != "/api/batches/"+made.ID {
		t.Fatalf("POST /api/batches = %d, Location %q, want %d: %+v", r.StatusCode, r.Header.Get("Location"), status, made)
	}
	return made, time.Since(began)
}

func (s *stand) awaitBatch(t testing.TB, id string, enough func(batch.Progress) bool) batch.Progress {
	t.Helper()
	store := s.cloud.batches.Store
	for { // the time limit of the test run is the only one
		var p batch.Progress
		var err error
		p.Head, err = store.Head(t.Context(), id)
		must(t, err)
		p.Total, err = store.Count(t.Context(), id, "")
		must(t, err)
		if enough(p) {
			return p
		}
		if !sleep(t.Context(), 500*time.Millisecond) {
			t.Fatalf("the time was over at %d members of batch %s", p.Total, id)
		}
	}
}

// checkMembers: each document is a member once, and the ledger knows it.
func (s *stand) checkMembers(t testing.TB, id string) {
	t.Helper()
	seen := map[string]int{}
	for after := ""; ; {
		members, next, err := s.cloud.batches.Store.Members(t.Context(), id, nil, after, 1000)
		must(t, err)
		for _, m := range members {
			seen[m.Path]++
		}
		if after = next; next == "" {
			break
		}
	}
	for i := range *batchSize {
		if path := fmt.Sprintf("many/%06d.txt", i); seen[path] != 1 {
			t.Errorf("%s is a member %d times", path, seen[path])
		}
	}
	known := 0
	for q := (ledger.Query{BatchID: id, Limit: 1000}); ; {
		page, err := s.cloud.ledger.List(t.Context(), q)
		must(t, err)
		known += len(page.Records)
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if known != *batchSize {
		t.Errorf("the ledger has %d records of the batch, want %d", known, *batchSize)
	}
}
