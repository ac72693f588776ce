package app

import (
	"encoding/json"
	"testing"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// TestRescue: a poison message that nobody took is recorded before storage drops it, and what is young stays where it is.
func TestRescue(t *testing.T) {
	s := startEmulatorsOnly(t)
	src := job.Source{Account: s.cloud.blobs.Account(), Container: s.cloud.settings.Documents, Path: "lost.txt", ETag: "0x1"}
	known, err := event.Marshal(&event.Convert{Job: job.Job{Source: src}})
	must(t, err)
	for queue, text := range map[string][]byte{
		s.cloud.settings.Conversions + poisonSuffix:     known,
		s.cloud.settings.ConversionsBulk + poisonSuffix: []byte("no message at all"),
	} {
		must(t, s.cloud.queues.Enqueue(t.Context(), queue, text, 0))
	}
	if n, err := s.cloud.rescue(t.Context(), time.Now().Add(-time.Hour), 32); n != 0 || err != nil {
		t.Errorf("rescue of young messages = %d, %v; want them left alone", n, err)
	}
	if n, err := s.cloud.rescue(t.Context(), time.Now().Add(time.Hour), 32); n != 2 || err != nil {
		t.Fatalf("rescue = %d, %v; want 2", n, err)
	}
	r, err := s.cloud.ledger.Load(t.Context(), src.ID())
	if err != nil || r.State != ledger.Poisoned {
		t.Errorf("the document of a rescued message is %q, %v; want poisoned", r.State, err)
	}
	letters, err := s.cloud.box.Letters(t.Context())
	must(t, err)
	classes := map[fault.Kind]int{}
	for _, l := range letters {
		classes[l.Class]++
	}
	if len(letters) != 2 || classes[fault.BadMessage] != 1 {
		text, _ := json.Marshal(letters)
		t.Errorf("dead letters are %s; want two, one of class bad_message", text)
	}
	if n, err := s.cloud.rescue(t.Context(), time.Now().Add(time.Hour), 32); n != 0 || err != nil {
		t.Errorf("second rescue = %d, %v; want nothing left", n, err)
	}
}
