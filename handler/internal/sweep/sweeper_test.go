package sweep_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/mem"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/pipeline/pipelinetest"
	"decant/handler/internal/sweep"
)

const account = "testaccount"

type bench struct {
	*sweep.Sweeper
	files *mem.Files
	queue *mem.Queue
	sink  *mem.Sink
	now   time.Time
}

func newBench(t *testing.T) *bench {
	b := &bench{files: &mem.Files{}, queue: &mem.Queue{}, sink: &mem.Sink{}, now: time.Now().UTC()}
	clock := func() time.Time { return b.now }
	l := ledger.New(&mem.Store{}, ledger.Options{Version: "v1", Now: clock})
	p := pipeline.New(pipeline.Ports{Ledger: l, Fetcher: b.files, Converter: &pipelinetest.Converter{}, Sink: b.sink}, pipeline.Options{TempDir: t.TempDir()})
	b.Sweeper = sweep.New(sweep.Ports{Ledger: l, Pipeline: p, Queue: b.queue, Lister: b.files, Notes: &mem.Letters{}, Results: b.sink},
		sweep.Options{Queue: "conversions", Container: "documents", Work: 3, Now: clock})
	return b
}

func (b *bench) upload(path string) job.Job {
	return job.Job{Source: b.files.Upload(job.Source{Account: account, Container: "documents", Path: path}, []byte("text of "+path))}
}

// sweep runs once.
func (b *bench) sweep(t *testing.T) sweep.Report {
	t.Helper()
	r, err := b.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// drain handles the messages on the queue and tells their paths.
func (b *bench) drain(t *testing.T) (paths []string) {
	t.Helper()
	decoder := event.Decoder{Accounts: []event.Account{{Name: account, Endpoint: "https://" + account + ".blob.core.windows.net"}}}
	for text := b.queue.Take("conversions"); text != nil; text = b.queue.Take("conversions") {
		m, err := decoder.Decode(base64.StdEncoding.EncodeToString(text))
		if err != nil {
			t.Fatal(err)
		}
		j := m.(*event.Convert).Job
		paths = append(paths, j.Source.Path)
		if _, err := b.Pipeline.Handle(t.Context(), j); err != nil {
			t.Errorf("Handle(%s) = %v", j.Source.Path, err)
		}
	}
	return paths
}

func TestFilesThatNoEventAnnounced(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		b.upload(name + ".txt")
	}
	found := 0
	for range 3 { // three files a run: it goes on where it stopped
		found += b.sweep(t).Found
	}
	if paths := b.drain(t); found != 7 || len(paths) != 7 {
		t.Errorf("found %d, sent %q; want all 7", found, paths)
	}
	for range 3 {
		if r := b.sweep(t); r.Found != 0 {
			t.Errorf("found %d files again", r.Found)
		}
	}
	b.upload("3.txt") // replaced, and its event was lost
	found = 0
	for range 3 {
		found += b.sweep(t).Found
	}
	if paths := b.drain(t); found != 1 || len(paths) != 1 {
		t.Errorf("found %d, sent %q; want the replaced one", found, paths)
	}
}

func TestWorkerThatVanished(t *testing.T) {
	b := newBench(t)
	j := b.upload("dead.txt")
	if _, _, err := b.Ledger.Claim(t.Context(), j, ledger.ClaimOptions{}); err != nil {
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Expired != 0 {
		t.Errorf("put %d back while the lease is alive", r.Expired)
	}
	b.now = b.now.Add(time.Hour)
	if r := b.sweep(t); r.Expired != 1 {
		t.Errorf("put %d back, want 1", r.Expired)
	}
	if r := b.sweep(t); r.Expired != 0 {
		t.Errorf("put %d back again", r.Expired)
	}
	b.drain(t)
	r, err := b.Ledger.Load(t.Context(), j.Source.ID())
	if err != nil || r.State != ledger.Succeeded || r.Attempts[0].Outcome != ledger.Interrupted {
		t.Errorf("record = %s with %+v, %v", r.State, r.Attempts, err)
	}
}

func TestMessageThatWasLost(t *testing.T) {
	b := newBench(t)
	j := b.upload("lost.txt")
	if _, _, err := b.Ledger.Enqueue(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Reminded+r.Found != 0 {
		t.Errorf("sent %+v for a document that has just been queued", r)
	}
	b.now = b.now.Add(25 * time.Hour)
	first, second := b.sweep(t), b.sweep(t)
	if first.Reminded != 1 || second.Reminded != 0 {
		t.Errorf("reminded %d, then %d; want 1, then 0", first.Reminded, second.Reminded)
	}
}

func TestDeletedButNotCleanedUp(t *testing.T) {
	b := newBench(t)
	j := b.upload("gone.txt")
	if _, err := b.Pipeline.Handle(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Ledger.MarkGone(context.Background(), b.files.Remove(j.Source)); err != nil { // and then the worker died
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Cleaned != 1 {
		t.Errorf("cleaned %d, want 1", r.Cleaned)
	}
	if _, err := b.sink.Manifest(t.Context(), j.Source); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the manifest is still there: %v", err)
	}
	if r := b.sweep(t); r.Cleaned != 0 {
		t.Errorf("cleaned %d again", r.Cleaned)
	}
}

// TestRemovedByAPerson: the version of a file that a person removed is left alone, the next one is found; a removal that was
// interrupted is completed.
func TestRemovedByAPerson(t *testing.T) {
	b := newBench(t)
	j := b.upload("unwanted.txt")
	if _, err := b.Pipeline.Handle(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Ledger.Remove(context.Background(), j.Source.ID()); err != nil { // and then the handler died
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Cleaned != 1 || r.Found+r.Redone != 0 {
		t.Errorf("first run: %+v, want one cleaned and nothing found", r)
	}
	if r := b.sweep(t); r.Cleaned+r.Found+r.Redone+r.Orphans != 0 {
		t.Errorf("second run: %+v, want nothing done", r)
	}
	if _, err := b.sink.Manifest(t.Context(), j.Source); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the manifest is still there: %v", err)
	}
	b.upload("unwanted.txt") // and its event is lost
	if r := b.sweep(t); r.Found != 1 || len(b.drain(t)) != 1 {
		t.Errorf("after an upload: %+v, want the new version found", r)
	}
}

func TestResultsWithoutAManifest(t *testing.T) {
	b := newBench(t)
	j := b.upload("orphan.txt")
	orphan := pipeline.Target{Source: j.Source, Generation: 1}
	if err := b.sink.Put(t.Context(), orphan, job.File{Path: job.MarkdownFile}, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	claim, _, err := b.Ledger.Claim(t.Context(), j, ledger.ClaimOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claim.Finish(t.Context(), ledger.Conclusion{State: ledger.Failed, Err: fault.New(fault.Corrupt, "", nil)}); err != nil {
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Pruned != 1 {
		t.Errorf("pruned %d files, want 1", r.Pruned)
	}
}

func TestResultsWhoseRecordIsGone(t *testing.T) {
	b := newBench(t)
	kept, lost := b.upload("kept.txt"), b.upload("lost.txt")
	for _, j := range []job.Job{kept, lost} {
		if _, err := b.Pipeline.Handle(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.Ledger.Load(t.Context(), lost.Source.ID())
	if err != nil {
		t.Fatal(err)
	}
	b.files.Remove(lost.Source)
	if err := b.Ledger.Store().Delete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	removed := 0
	for range 4 { // three files a run
		removed += b.sweep(t).Orphans
	}
	if _, err := b.sink.Manifest(t.Context(), lost.Source); removed != 4 || fault.KindOf(err) != fault.NotFound {
		t.Errorf("removed %d files, manifest %v; want all four", removed, err)
	}
	if _, err := b.sink.Manifest(t.Context(), kept.Source); err != nil {
		t.Errorf("results of a document that is known: %v", err)
	}
}

func TestDoneButItsManifestIsGone(t *testing.T) {
	b := newBench(t)
	j := b.upload("stripped.txt")
	if _, err := b.Pipeline.Handle(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if r := b.sweep(t); r.Redone != 0 {
		t.Errorf("%d documents sent again whose results are all there", r.Redone)
	}
	if err := b.sink.RemoveFile(t.Context(), string(j.Source.ID())+"/"+job.ManifestFile); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Minute) // the record is not among those that changed since the last run
	redone := 0
	for run := 0; run < 3 && redone == 0; run++ { // three files a run
		redone = b.sweep(t).Redone
	}
	if paths := b.drain(t); redone != 1 || len(paths) != 1 {
		t.Errorf("%d documents sent again, messages for %q; want the one that lost its manifest", redone, paths)
	}
	if _, err := b.sink.Manifest(t.Context(), j.Source); err != nil {
		t.Errorf("after that the manifest is %v", err)
	}
}
