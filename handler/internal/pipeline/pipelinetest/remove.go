package pipelinetest

import (
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

func testDelete(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "s11.txt", `alpha
!attach inner.txt beta`)
	r := b.handle(t, j, ledger.Succeeded, "")
	if len(r.Children) != 1 {
		t.Fatalf("children = %v", r.Children)
	}
	removed := b.Remove(t, j.Source)
	for range 2 { // the delete event comes twice
		gone, err := b.Delete(t.Context(), removed)
		if err != nil || gone.State != ledger.Gone || gone.Cleanup {
			t.Fatalf("Delete = %+v, %v", gone, err)
		}
	}
	if got := read(t, b.Sink, j.Source); got != "" {
		t.Errorf("readers see %q of a deleted document", got)
	}
	if stamps := must(ledger.AllStamps(t.Context(), b.Store, r.DocumentID))(t); len(stamps) != 0 {
		t.Errorf("%d chunks are left", len(stamps))
	}
	if _, err := b.Ledger.Load(t.Context(), r.Children[0]); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the attachment's record: %v, want not_found", err)
	}
	b.handle(t, j, ledger.Gone, fault.Gone) // a late created event

	back := b.upload(t, "s11.txt", "back again")
	b.handle(t, back, ledger.Succeeded, "")
}

func testRemove(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	text := `alpha
!attach inner.txt beta`
	j := b.upload(t, "removed.txt", text)
	r := b.handle(t, j, ledger.Succeeded, "")
	for range 2 { // a person who clicks twice
		if err := b.Discard(t.Context(), r.DocumentID); err != nil {
			t.Fatalf("Discard = %v", err)
		}
	}
	if got := read(t, b.Sink, j.Source); got != "" {
		t.Errorf("readers see %q of a removed document", got)
	}
	if stamps := must(ledger.AllStamps(t.Context(), b.Store, r.DocumentID))(t); len(stamps) != 0 {
		t.Errorf("%d chunks are left", len(stamps))
	}
	for _, id := range []job.ID{r.DocumentID, r.Children[0]} {
		if _, err := b.Ledger.Find(t.Context(), id); fault.KindOf(err) != fault.NotFound {
			t.Errorf("Find(%s) = %v, want not_found", id, err)
		}
	}
	left := must(b.Ledger.Load(t.Context(), r.DocumentID))(t)
	if left.Title != "" || left.Format != "" || left.ContentHash != "" || len(left.Attempts) > 0 || left.Cleanup || left.Source.ETag != j.Source.ETag {
		t.Errorf("the ledger keeps %+v", left)
	}
	if page := must(b.Ledger.List(t.Context(), ledger.Query{Kept: true}))(t); len(page.Records) != 0 {
		t.Errorf("people see %+v", page.Records)
	}
	b.handle(t, j, ledger.Gone, fault.Gone) // a late event of the same version
	if _, fresh, err := b.Ledger.Enqueue(t.Context(), j); fresh || err != nil {
		t.Errorf("Enqueue = %v, %v, want it to leave the version alone", fresh, err)
	}

	b.handle(t, b.upload(t, "removed.txt", text+" again"), ledger.Succeeded, "")
	if page := must(b.Ledger.List(t.Context(), ledger.Query{Kept: true, State: ledger.Succeeded}))(t); len(page.Records) != 2 {
		t.Errorf("after a new upload people see %d documents, want it and its attachment", len(page.Records))
	}
	if err := b.Discard(t.Context(), r.DocumentID); err != nil {
		t.Fatalf("Discard = %v", err)
	}
	again := b.upload(t, "other.txt", text)
	again.Source = must(b.Fetcher.Stat(t.Context(), j.Source))(t)
	again.BatchID = "b1"
	if _, fresh, err := b.Ledger.Enqueue(t.Context(), again); !fresh || err != nil {
		t.Errorf("Enqueue for a batch = %v, %v, want fresh", fresh, err)
	}
	b.handle(t, again, ledger.Succeeded, "")

	b.Remove(t, j.Source)
	if err := b.Discard(t.Context(), r.DocumentID); err != nil {
		t.Fatalf("Discard = %v", err)
	}
	if _, err := b.Ledger.Load(t.Context(), r.DocumentID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the record of a document without a file: %v, want not_found", err)
	}
}

// testCleanTwice is two workers who clean up after one document at the same time.
func testCleanTwice(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "cleaned-twice.txt", "alpha")
	b.handle(t, j, ledger.Succeeded, "")
	b.Remove(t, j.Source)
	first := must(b.Ledger.MarkGone(t.Context(), j.Source))(t)
	for range 2 {
		if r, err := b.Clean(t.Context(), first); err != nil || r.State != ledger.Gone || r.Cleanup {
			t.Errorf("Clean = %+v, %v", r, err)
		}
	}
	back := b.upload(t, "cleaned-twice.txt", "beta")
	b.handle(t, back, ledger.Succeeded, "")
	if r, err := b.Ledger.Cleaned(t.Context(), first); err != nil || r.State != ledger.Succeeded {
		t.Errorf("Cleaned after the file came back = %+v, %v", r, err)
	}
	if stamps := must(ledger.AllStamps(t.Context(), b.Store, j.Source.ID()))(t); len(stamps) != 1 {
		t.Errorf("%d chunks are there, want that of the new upload", len(stamps))
	}
}

func testRemoveWhileRunning(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "removed-running.txt", "!wait\nalpha")
	wait := b.start(t, b.Pipeline, t.Context(), j)
	if err := b.Discard(t.Context(), j.Source.ID()); err != nil {
		t.Fatalf("Discard = %v", err)
	}
	if _, err := wait(); fault.KindOf(err) != fault.Gone {
		t.Errorf("the worker ended with %v, want gone", err)
	}
	if r := must(b.Ledger.Load(t.Context(), j.Source.ID()))(t); !r.Removed || r.Cleanup || r.State != ledger.Gone {
		t.Errorf("the record is %+v", r)
	}
	if got := read(t, b.Sink, j.Source); got != "" {
		t.Errorf("readers see %q of a removed document", got)
	}
}
