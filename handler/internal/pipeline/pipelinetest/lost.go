package pipelinetest

import (
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// testLostRecord: the ledger was lost, results are still there, of a generation that the new record has not come to. The same
// bytes adopt them; other bytes replace them.
func testLostRecord(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	b.handle(t, b.upload(t, "lost.txt", "one"), ledger.Succeeded, "")
	b.handle(t, b.upload(t, "lost.txt", "one\ntwo"), ledger.Succeeded, "")
	third := b.upload(t, "lost.txt", "one\ntwo\nthree")
	b.forget(t, b.handle(t, third, ledger.Succeeded, ""))

	before := b.converter.Conversions("")
	r := b.handle(t, third, ledger.Succeeded, "")
	if n := b.converter.Conversions("") - before; n != 0 || r.Counts.Chunks != 3 {
		t.Errorf("%d conversions and %d chunks; want the results that are there", n, r.Counts.Chunks)
	}
	b.forget(t, r)

	r = b.handle(t, b.upload(t, "lost.txt", "other"), ledger.Succeeded, "")
	m, err := b.Sink.Manifest(t.Context(), r.Source)
	if err != nil || m.Generation != r.Published || m.Counts.Chunks != 1 {
		t.Errorf("readers see generation %d with %d chunks, %v; want %d with one", m.Generation, m.Counts.Chunks, err, r.Published)
	}
	if chunks, err := b.Store.Chunks(t.Context(), r.DocumentID, "", 10); err != nil || len(chunks) != 1 {
		t.Errorf("%d chunks in the ledger, %v; want one", len(chunks), err)
	}
}

// forget removes a record and its chunks, and leaves the results.
func (b *bench) forget(t *testing.T, r ledger.Record) {
	t.Helper()
	if err := b.Store.Delete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Store.Load(t.Context(), r.DocumentID); fault.KindOf(err) != fault.NotFound {
		t.Fatalf("Load after Delete = %v", err)
	}
}
