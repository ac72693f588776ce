package app

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

var documentsTwice = flag.Int("documents", 200, "documents of TestTwoInstances; 1000 is the size that it was made for")

// TestTwoInstances: two hosts with a handler each on the same queue, and every event twice. Every document is converted in
// its own process; each ends once, and its results are written once.
func TestTwoInstances(t *testing.T) {
	s := startStand(t)
	s.startHost(t)
	began := time.Now()
	sources := make([]job.Source, *documentsTwice)
	var uploads sync.WaitGroup
	for part := range 8 {
		uploads.Go(func() {
			for i := part; i < len(sources); i += 8 {
				var err error
				if sources[i], err = s.uploadTwice(t, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	uploads.Wait()
	t.Logf("%d documents and twice as many messages uploaded in %s, while the instances worked", len(sources), time.Since(began).Round(time.Millisecond))
	for _, src := range sources {
		r := awaitRecord(t, s.cloud, src.Path)
		if r.State != ledger.Succeeded || r.Generation != 1 || len(r.Attempts) != 1 {
			t.Errorf("%s: %s, generation %d, %d attempts (%+v); want one of each", src.Path, r.State, r.Generation, len(r.Attempts), r.Cause)
		}
		if n := s.manifests(src); n != 1 {
			t.Errorf("%s: its manifest was written %d times", src.Path, n)
		}
	}
	took := time.Since(began)
	t.Logf("%d documents done in %s: %.1f a second", len(sources), took.Round(time.Millisecond), float64(len(sources))/took.Seconds())
}

// uploadTwice stores a document of 1 KB and tells of it twice.
func (s *stand) uploadTwice(t testing.TB, i int) (job.Source, error) {
	text := fmt.Appendf(nil, "Document %d\n\n%s", i, bytes.Repeat([]byte(fmt.Sprintf("It is number %d. ", i)), 60))
	src := job.Source{Container: s.cloud.settings.Documents, Path: fmt.Sprintf("twice/%04d.txt", i)}
	src, err := s.cloud.files.Upload(t.Context(), src, bytes.NewReader(text))
	if err != nil {
		return src, err
	}
	m := &event.Convert{Job: job.Job{Source: src}}
	return src, errors.Join(s.cloud.enqueue(t.Context(), m), s.cloud.enqueue(t.Context(), m))
}
