package deadletter_test

import (
	"context"
	"strings"
	"testing"

	"decant/handler/internal/deadletter"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/mem"
)

type bench struct {
	*deadletter.Box
	ledger *ledger.Ledger
	queue  *mem.Queue
}

func newBench(store deadletter.Store) bench {
	l := ledger.New(&mem.Store{}, ledger.Options{Version: "v1"})
	q := &mem.Queue{}
	return bench{deadletter.New(deadletter.Ports{Store: store, Ledger: l, Queue: q}, "conversions"), l, q}
}

func convert(path string) *event.Convert {
	return &event.Convert{Job: job.Job{Source: job.Source{Container: "documents", Path: path, ETag: "e1"}}}
}

func TestPoison(t *testing.T) {
	b := newBench(&mem.Letters{})
	seen := convert("seen.pdf")
	claim, _, err := b.ledger.Claim(t.Context(), seen.Job, ledger.ClaimOptions{})
	if err != nil {
		t.Fatal(err)
	}
	usage := job.Usage{PeakMemory: 5, Last: job.Progress{Stage: "parse", Page: 9}}
	if _, err := claim.Release(t.Context(), ledger.Deferred, fault.New(fault.Storage, "The disk is on fire.", nil), &usage); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]deadletter.Message{
		"our code saw it":          {ID: "1", Parsed: seen, Attempts: 5},
		"our code never saw it":    {ID: "2", Parsed: convert("unseen.pdf"), Attempts: 5},
		"nobody can read it":       {ID: "3", Body: "garbage", Attempts: 1, Reason: fault.New(fault.BadMessage, "", nil)},
		"without an id":            {Body: "more garbage"},
		"about a deleted document": {ID: "5", Parsed: &event.Delete{Source: job.Source{Container: "documents", Path: "x"}}},
	} {
		for range 2 { // the host may copy a message twice
			if err := b.Poison(t.Context(), m); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for path, want := range map[string]fault.Kind{"seen.pdf": fault.Storage, "unseen.pdf": fault.Internal} {
		r, err := b.ledger.Load(t.Context(), convert(path).Job.Source.ID())
		if err != nil || r.State != ledger.Poisoned || r.Cause.Kind != want {
			t.Errorf("%s: %s with cause %+v, %v; want poisoned by %s", path, r.State, r.Cause, err, want)
		}
	}
	letters, err := b.Letters(t.Context())
	if err != nil || len(letters) != 5 {
		t.Fatalf("%d letters, %v; want 5", len(letters), err)
	}
	for _, l := range letters {
		if l.ID == "1" && (l.Class != fault.Storage || l.Last == nil || l.Last.Page != 9 || l.Attempts != 5) {
			t.Errorf("letter of what our code saw = %+v", l)
		}
	}
}

func TestPoisonLeavesWhatIsDone(t *testing.T) {
	b := newBench(&mem.Letters{})
	m := convert("done.pdf")
	claim, _, _ := b.ledger.Claim(t.Context(), m.Job, ledger.ClaimOptions{})
	if _, err := claim.Finish(t.Context(), ledger.Conclusion{State: ledger.Succeeded}); err != nil {
		t.Fatal(err)
	}
	if err := b.Poison(t.Context(), deadletter.Message{ID: "1", Parsed: m}); err != nil {
		t.Fatal(err)
	}
	if r, _ := b.ledger.Load(t.Context(), m.Job.Source.ID()); r.State != ledger.Succeeded {
		t.Errorf("a document that is done became %s", r.State)
	}
}

// broken is a store that nobody can write to.
type broken struct{ mem.Letters }

func (*broken) Save(context.Context, string, []byte) error { return fault.New(fault.Storage, "", nil) }

func TestPoisonWithoutStorage(t *testing.T) {
	b := newBench(&broken{})
	if err := b.Poison(t.Context(), deadletter.Message{ID: "1", Parsed: convert("a.pdf")}); err != nil {
		t.Errorf("the record has it, so that nothing is lost: %v", err)
	}
	if err := b.Poison(t.Context(), deadletter.Message{ID: "2", Body: "garbage"}); fault.KindOf(err) != fault.Storage {
		t.Errorf("nothing has it: %v, want storage_unavailable, which keeps the message on its queue", err)
	}
}

func TestRedrive(t *testing.T) {
	b := newBench(&mem.Letters{})
	for path, kind := range map[string]fault.Kind{"big.pdf": fault.Memory, "bad.pdf": fault.Corrupt} {
		claim, _, _ := b.ledger.Claim(t.Context(), convert(path).Job, ledger.ClaimOptions{})
		if _, err := claim.Finish(t.Context(), ledger.Conclusion{State: ledger.Failed, Err: fault.New(kind, "", nil)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Poison(t.Context(), deadletter.Message{ID: "1", Parsed: convert("gone.pdf")}); err != nil {
		t.Fatal(err)
	}
	f := deadletter.Filter{Class: fault.Memory, Limits: job.Limits{Memory: 3 * job.GiB}, DryRun: true}
	if done, err := b.Redrive(t.Context(), f); err != nil || len(done) != 1 || done[0].Path != "big.pdf" || b.queue.Take("conversions") != nil {
		t.Fatalf("dry run = %+v, %v; want big.pdf and no message", done, err)
	}
	f.DryRun = false
	if done, err := b.Redrive(t.Context(), f); err != nil || len(done) != 1 || done[0].Err != nil {
		t.Fatalf("Redrive = %+v, %v", done, err)
	}
	if text := string(b.queue.Take("conversions")); !strings.Contains(text, "big.pdf") || !strings.Contains(text, "3221225472") {
		t.Errorf("message = %s, want big.pdf with 3 GiB", text)
	}
	if done, err := b.Redrive(t.Context(), deadletter.Filter{}); err != nil || len(done) != 2 {
		t.Errorf("Redrive of all that is left = %+v, %v; want 2", done, err)
	}
	if letters, err := b.Letters(t.Context()); err != nil || len(letters) != 0 {
		t.Errorf("%d letters are left, %v", len(letters), err)
	}
}
