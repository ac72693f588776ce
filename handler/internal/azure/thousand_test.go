package azure_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"decant/handler/internal/azure/queue"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/pipeline/pipelinetest"
)

var documents = flag.Int("documents", 100, "documents of TestEveryEventTwice; 1000 is what issue 4 asks for")

// counts tells how many requests match, and spoils none.
func counts(match func(*http.Request) bool) (*proxy, *atomic.Int64) {
	var n atomic.Int64
	p := newProxy(0)
	p.choose = func(r *http.Request, _ []byte) string {
		if match(r) {
			n.Add(1)
		}
		return ""
	}
	return p, &n
}

func isManifestWrite(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/"+job.ManifestFile)
}

// TestEveryEventTwice: two instances, every event delivered twice through a real queue; each document ends once, its
// results are written once.
func TestEveryEventTwice(t *testing.T) {
	needEmulators(t)
	toStorage, manifests := counts(isManifestWrite)
	b := backend(t, toStorage.client(), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}})
	q, err := queue.New(queue.Options{ConnectionString: job.Secret(storage.ConnectionString())})
	if err != nil {
		t.Fatal(err)
	}
	name := unique("conversions")
	if err := q.Create(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	prefix := unique("thousand")
	began := time.Now()
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for i := part; i < *documents; i += 8 {
				src := b.Upload(t, job.Source{Container: "documents", Path: fmt.Sprintf("%s/%d.txt", prefix, i)}, []byte(fmt.Sprintf("document %d of its own", i)))
				text, _ := json.Marshal(job.Job{Source: src})
				if err := errors.Join(q.Enqueue(t.Context(), name, text, 0), q.Enqueue(t.Context(), name, text, 0)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	uploaded := time.Since(began)
	converter := &pipelinetest.Converter{}
	began = time.Now()
	for range 2 { // instances
		p := pipeline.New(pipeline.Ports{
			Ledger: ledger.New(b.Store, ledger.Options{Version: "v1"}), Fetcher: b.Fetcher, Converter: converter, Sink: b.Sink,
		}, pipeline.Options{TempDir: t.TempDir()})
		for range 4 { // messages at once
			all.Go(func() { work(t, q, name, p) })
		}
	}
	all.Wait()
	took := time.Since(began)
	succeeded := 0
	for i := range *documents {
		src := job.Source{Account: "devstoreaccount1", Container: "documents", Path: fmt.Sprintf("%s/%d.txt", prefix, i)}
		r, err := b.Store.Load(t.Context(), src.ID())
		if err == nil && r.State == ledger.Succeeded && r.Generation == 1 && converter.Conversions(src.ID()) == 1 {
			succeeded++
		} else {
			t.Errorf("%s: %s, generation %d, %d conversions, %v", src.Path, r.State, r.Generation, converter.Conversions(src.ID()), err)
		}
	}
	if succeeded != *documents || int(manifests.Load()) != *documents {
		t.Errorf("%d succeeded, %d manifests written, want %d of each", succeeded, manifests.Load(), *documents)
	}
	t.Logf("%d documents and twice as many messages uploaded in %s, done in %s: %.1f documents a second", *documents, uploaded.Round(time.Millisecond), took.Round(time.Millisecond), float64(*documents)/took.Seconds())
}

// work takes messages until the queue has been empty for a while.
func work(t *testing.T, q *queue.Client, name string, p *pipeline.Pipeline) {
	for idle := 0; idle < 3; {
		list, err := q.Receive(t.Context(), name, 8, time.Minute)
		if err != nil {
			t.Error(err)
			return
		}
		if len(list) == 0 {
			idle++
			time.Sleep(100 * time.Millisecond)
			continue
		}
		for _, m := range list {
			var j job.Job
			if err := json.Unmarshal(m.Body(), &j); err != nil {
				t.Error(err)
			}
			if _, err := p.Handle(t.Context(), j); err != nil && fault.KindOf(err) != fault.Duplicate {
				t.Errorf("Handle(%s) = %v", j.Source.Path, err)
			}
			if err := q.Delete(t.Context(), name, m.ID, m.Receipt); err != nil {
				t.Error(err)
			}
		}
	}
}

// traffic counts the requests for documents of 50 chunks.
type traffic struct {
	pipeline                    *pipeline.Pipeline
	ledger                      *ledger.Ledger
	backend                     pipelinetest.Backend
	writes, reads, sent, toBlob atomic.Int64
}

func newTraffic(t testing.TB) *traffic {
	needEmulators(t)
	c := &traffic{}
	toCosmos, _ := counts(func(r *http.Request) bool {
		query := r.Header.Get("x-ms-documentdb-isquery") != "" || r.Header.Get("x-ms-documentdb-query") != ""
		switch {
		case !strings.Contains(r.URL.Path, "/docs"):
		case r.Method == http.MethodGet || query:
			c.reads.Add(1)
		default:
			c.writes.Add(1)
			c.sent.Add(r.ContentLength)
		}
		return false
	})
	toStorage, _ := counts(func(*http.Request) bool { c.toBlob.Add(1); return false })
	b := backend(t, toStorage.client(), toCosmos.client())
	c.backend, c.ledger = b, ledger.New(b.Store, ledger.Options{Version: "v1"})
	c.pipeline = pipeline.New(pipeline.Ports{
		Ledger: c.ledger, Fetcher: b.Fetcher, Converter: &pipelinetest.Converter{}, Sink: b.Sink, Cache: b.Cache,
	}, pipeline.Options{TempDir: t.TempDir()})
	return c
}

// reset forgets what was counted so far.
func (c *traffic) reset() {
	for _, n := range []*atomic.Int64{&c.writes, &c.reads, &c.sent, &c.toBlob} {
		n.Store(0)
	}
}

// fifty uploads a document of 50 chunks of its own, and notes it in the ledger as queued.
func (c *traffic) fifty(t testing.TB) job.Job {
	t.Helper()
	var text strings.Builder
	name := unique("fifty")
	for i := range 50 {
		fmt.Fprintf(&text, "word%d and the rest of its chunk in %s\n", i, name)
	}
	j := job.Job{Source: c.backend.Upload(t, job.Source{Container: "documents", Path: name + ".txt"}, []byte(text.String()))}
	c.reset()
	if _, _, err := c.ledger.Enqueue(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return j
}

func (c *traffic) convert(t testing.TB, j job.Job) {
	t.Helper()
	if r, err := c.pipeline.Handle(t.Context(), j); err != nil || r.Counts.Chunks != 50 {
		t.Fatalf("Handle = %+v, %v", r.Counts, err)
	}
}

// TestCosmosWrites: at most six writes for a document of 50 chunks, from queued to succeeded.
func TestCosmosWrites(t *testing.T) {
	c := newTraffic(t)
	c.convert(t, c.fifty(t))
	if n := c.writes.Load(); n < 3 || n > 6 {
		t.Errorf("%d Cosmos writes for a document of 50 chunks, want 3 to 6", n)
	}
	t.Logf("Cosmos: %d writes with %d bytes, %d reads; Blob: %d requests", c.writes.Load(), c.sent.Load(), c.reads.Load(), c.toBlob.Load())
}

// BenchmarkFiftyChunks is a document of 50 chunks from queued to succeeded, without its conversion; the metrics are what it costs.
func BenchmarkFiftyChunks(b *testing.B) {
	c := newTraffic(b)
	var writes, reads, sent, toBlob int64
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		j := c.fifty(b)
		b.StartTimer()
		c.convert(b, j)
		writes, reads, sent, toBlob = writes+c.writes.Load(), reads+c.reads.Load(), sent+c.sent.Load(), toBlob+c.toBlob.Load()
	}
	for unit, n := range map[string]int64{"cosmos-writes": writes, "cosmos-reads": reads, "cosmos-bytes": sent, "blob-requests": toBlob} {
		b.ReportMetric(float64(n)/float64(b.N), unit)
	}
}

// BenchmarkLedger is one document's moves: queued, claimed, sealed, finished without chunks.
func BenchmarkLedger(b *testing.B) {
	needEmulators(b)
	l := ledger.New(ledgerStore(b), ledger.Options{Version: "v1"})
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		j := job.Job{Source: job.Source{Container: "documents", Path: fmt.Sprint(i), ETag: "e"}}
		if _, _, err := l.Enqueue(context.Background(), j); err != nil {
			b.Fatal(err)
		}
		c, _, err := l.Claim(context.Background(), j, ledger.ClaimOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Seal(context.Background()); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Finish(context.Background(), ledger.Conclusion{State: ledger.Succeeded}); err != nil {
			b.Fatal(err)
		}
	}
}
