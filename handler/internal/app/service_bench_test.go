package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// BenchmarkService measures the built binary behind the stand-in host, with both emulators on this machine.
func BenchmarkService(b *testing.B) {
	s := startStand(b)
	must(b, s.host.Ready(b.Context()))
	b.Run("documents-1KB", s.benchDocuments)
	b.Run("batch-of-10000-listed", func(b *testing.B) {
		submit := event.BatchSubmit{NotBefore: time.Now().Add(24 * time.Hour)} // so that the fan-out of one does not slow the next
		for i := range 10_000 {
			submit.Documents = append(submit.Documents, event.Document{
				Account: s.cloud.blobs.Account(), Container: s.cloud.settings.Documents, Path: fmt.Sprintf("many/%06d.txt", i), ETag: "0x8DC0FFEE",
			})
		}
		s.benchSubmit(b, submit)
	})
	b.Run("batch-of-a-prefix", func(b *testing.B) {
		s.benchSubmit(b, event.BatchSubmit{NotBefore: time.Now().Add(24 * time.Hour), Container: s.cloud.settings.Documents, Prefix: "many/"})
	})
}

// round is how many documents BenchmarkService has in the queue at once: with fewer it would measure how often the host looks.
const round = 100

// benchDocuments uploads documents of 1 KB, sends an event for each, and waits until all are converted.
func (s *stand) benchDocuments(b *testing.B) {
	text := strings.Repeat("A short sentence of a short document. ", 27)
	began := time.Now().UnixNano()
	var took time.Duration
	for n := range b.N {
		sources := make([]job.Source, round)
		for i := range sources {
			src := job.Source{Container: s.cloud.settings.Documents, Path: fmt.Sprintf("bench/%d/%d/%03d.txt", began, n, i)}
			var err error
			sources[i], err = s.cloud.files.Upload(b.Context(), src, strings.NewReader(fmt.Sprintf("Document %d of round %d at %d.\n\n%s", i, n, began, text)))
			must(b, err)
		}
		start := time.Now()
		for _, src := range sources {
			must(b, s.cloud.enqueue(b.Context(), &event.Convert{Job: job.Job{Source: src}}))
		}
		for _, src := range sources {
			if r := awaitRecord(b, s.cloud, src.Path); r.State != ledger.Succeeded {
				b.Fatalf("%s is %s: %+v", src.Path, r.State, r.Cause)
			}
		}
		took += time.Since(start)
	}
	b.ReportMetric(float64(round*b.N)/took.Seconds(), "documents/s")
}

// benchSubmit posts a batch again and again, each time as a new one, as a client would; the metrics are of the whole request.
func (s *stand) benchSubmit(b *testing.B, submit event.BatchSubmit) {
	var times []time.Duration
	for b.Loop() {
		submit.Key = fmt.Sprint(time.Now().UnixNano())
		body, err := json.Marshal(submit)
		must(b, err)
		_, took := s.submitBatch(b, body, http.StatusAccepted)
		times = append(times, took)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "ms-longest")
}
