package batchtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Suite runs all tests; open gives a fresh store for each.
func Suite(t *testing.T, open func(t *testing.T) batch.Store) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, store batch.Store)
	}{
		{"a prefix with filters, some documents fail, then they are tried again", testLife},
		{"the same key makes one batch", testKey},
		{"a fan-out that is killed in the middle is completed, and nothing is converted twice", testKilled},
		{"cancel", testCancel},
		{"time runs out before all have started", testExpired},
		{"nothing converted is failed, not succeeded", testAllFail},
		{"an end that nobody heard of is found", testReconcile},
		{"the webhook is signed, tried again with growing pauses, and what came of it is in the log", testWebhook},
		{"a webhook never reaches into the network of the service, and needs a secret", testCarefulWebhook},
		{"documents that are done already count as done", testDone},
		{"a large batch is not looked at for its end after each document, and ends", testLarge},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

const forever = 10_000

func submit(t *testing.T, b *bench, s event.BatchSubmit) batch.Head {
	t.Helper()
	s.Container = "documents"
	h, created, err := b.Submit(t.Context(), s)
	if err != nil || !created {
		t.Fatalf("Submit = %v, %v", created, err)
	}
	return h
}

// expect checks a batch's state and counts.
func expect(t *testing.T, b *bench, id string, state batch.State, counts map[ledger.State]int) batch.Progress {
	t.Helper()
	p, err := b.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if p.State != state || !maps.Equal(p.Counts, counts) {
		t.Errorf("batch is %s with %v, want %s with %v", p.State, p.Counts, state, counts)
	}
	return p
}

func testLife(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	for i := range 23 {
		b.upload(fmt.Sprintf("in/%02d.txt", i), fmt.Sprintf("text %d", i))
	}
	b.upload("in/bad.TXT", "!fault corrupt")
	b.upload("in/picture.png", "not wanted")
	b.upload("elsewhere.txt", "not below the prefix")
	h := submit(t, b, event.BatchSubmit{Name: "life", Prefix: "in/", Include: []string{"*.txt"}, Metadata: map[string]string{"who": "me"}})
	expect(t, b, h.ID, batch.Submitted, map[ledger.State]int{})
	b.run(t, 10)
	b.clock = b.clock.Add(time.Minute)
	if p, err := b.Find(t.Context(), h.ID); err != nil || p.State != batch.Running || p.Percent() <= 0 || p.Percent() >= 100 || p.EstimatedEnd.IsZero() {
		t.Errorf("in the middle: %+v, %v", p, err)
	}
	sameInList(t, b, h.ID)
	b.run(t, forever)
	p := expect(t, b, h.ID, batch.PartiallyFailed, map[ledger.State]int{ledger.Succeeded: 23, ledger.Failed: 1})
	sameInList(t, b, h.ID)
	if p.Percent() != 100 || p.Finished.IsZero() || len(p.Recent) == 0 || !strings.Contains(p.Recent[0].Message, "partially_failed") {
		t.Errorf("percent %v, finished %v, recent %+v", p.Percent(), p.Finished, p.Recent)
	}
	var told batch.Ended
	if text := b.queue.Take("conversions-completed"); json.Unmarshal(text, &told) != nil || told.State != batch.PartiallyFailed || told.Total != 24 || told.Metadata["who"] != "me" {
		t.Errorf("the completed queue was told %s", text)
	}
	failed, _, err := store.Members(t.Context(), h.ID, []ledger.State{ledger.Failed}, "", 10)
	if err != nil || len(failed) != 1 || failed[0].Kind != fault.Corrupt || failed[0].Path != "in/bad.TXT" {
		t.Errorf("failed members = %+v, %v", failed, err)
	}

	b.upload("in/bad.TXT", "mended")
	if _, err := b.Retry(t.Context(), h.ID, []string{"succeeded"}); fault.KindOf(err) != fault.BadRequest {
		t.Errorf("Retry of succeeded documents = %v, want bad_request", err)
	}
	if _, err := b.Retry(t.Context(), h.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Retry(t.Context(), h.ID, nil); fault.KindOf(err) != fault.Conflict {
		t.Errorf("Retry of a batch at work = %v, want conflict", err)
	}
	b.clock = b.clock.Add(time.Minute)
	if p, err := b.Find(t.Context(), h.ID); err != nil || p.PerMinute > 1 {
		t.Errorf("%v a minute after one minute of a retry of one document, %v", p.PerMinute, err)
	}
	before := b.converter.Conversions("")
	b.run(t, forever)
	if n := b.converter.Conversions("") - before; n > 1 {
		t.Errorf("a retry converted %d documents, want the failed one at most", n)
	}
	if p, err := b.Find(t.Context(), h.ID); err != nil || p.Retries != 1 {
		t.Errorf("retries = %d, %v; want 1", p.Retries, err)
	}
}

// sameInList checks that the list of batches tells as much of a batch's progress as its own address.
func sameInList(t *testing.T, b *bench, id string) {
	t.Helper()
	p, err := b.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := b.List(t.Context(), "", 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("List = %+v, %v", list, err)
	}
	l := list[0]
	if l.Total != p.Total || l.Done != p.Done || l.Percent() != p.Percent() || !maps.Equal(l.Counts, p.Counts) || !l.EstimatedEnd.Equal(p.EstimatedEnd) {
		t.Errorf("the list says %d of %d, %v; the batch itself %d of %d, %v", l.Done, l.Total, l.Counts, p.Done, p.Total, p.Counts)
	}
}

func testKey(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	b.upload("one.txt", "one")
	s := event.BatchSubmit{Key: "monday", Container: "documents"}
	first, created, err := b.Submit(t.Context(), s)
	if err != nil || !created {
		t.Fatal(created, err)
	}
	second, created, err := b.Submit(t.Context(), s)
	if err != nil || created || second.ID != first.ID {
		t.Errorf("second Submit = %s, %v, %v; want %s again", second.ID, created, err, first.ID)
	}
	s.Prefix = "elsewhere/"
	if _, created, err := b.Submit(t.Context(), s); created || fault.KindOf(err) != fault.Conflict {
		t.Errorf("the same key for another batch = %v, %v; want conflict", created, err)
	}
	b.run(t, forever)
	expect(t, b, first.ID, batch.Succeeded, map[ledger.State]int{ledger.Succeeded: 1})
	if n := b.converter.Conversions(""); n != 1 {
		t.Errorf("%d conversions, want 1", n)
	}
}

func testKilled(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	var documents []event.Document
	for i := range 45 {
		src := b.upload(fmt.Sprintf("k/%02d.txt", i), fmt.Sprintf("text %d", i))
		documents = append(documents, event.Document{Account: src.Account, Container: src.Container, Path: src.Path, ETag: src.ETag})
	}
	h := submit(t, b, event.BatchSubmit{Documents: documents, Priority: "normal"})
	b.queue.left = 17
	b.run(t, forever)
	expect(t, b, h.ID, batch.Succeeded, map[ledger.State]int{ledger.Succeeded: 45})
	if n := b.converter.Conversions(""); n != 45 {
		t.Errorf("%d conversions of 45 documents", n)
	}
}

func testCancel(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	for i := range 12 {
		b.upload(fmt.Sprintf("c/%02d.txt", i), fmt.Sprintf("text %d", i))
	}
	h := submit(t, b, event.BatchSubmit{Prefix: "c/"})
	b.run(t, 4) // the fan-out and three documents
	for range 2 {
		if _, err := b.Cancel(t.Context(), h.ID, "somebody"); err != nil {
			t.Fatal(err)
		}
	}
	b.run(t, forever)
	p, err := b.Find(t.Context(), h.ID)
	if err != nil || p.State != batch.Cancelled || p.Counts[ledger.Cancelled] == 0 || p.Counts[ledger.Succeeded] == 0 {
		t.Errorf("cancelled batch = %s with %v, %v", p.State, p.Counts, err)
	}
	if n := b.converter.Conversions(""); n != p.Counts[ledger.Succeeded] {
		t.Errorf("%d conversions, %d succeeded", n, p.Counts[ledger.Succeeded])
	}
	if _, err := b.Retry(t.Context(), h.ID, []string{"cancelled"}); err != nil {
		t.Fatal(err)
	}
	b.run(t, forever)
	expect(t, b, h.ID, batch.Succeeded, map[ledger.State]int{ledger.Succeeded: 12})
	if _, err := b.Cancel(t.Context(), h.ID, "somebody"); fault.KindOf(err) != fault.Conflict {
		t.Errorf("Cancel of an ended batch = %v, want conflict", err)
	}
}

func testExpired(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	b.upload("e/1.txt", "one")
	b.upload("e/2.txt", "two")
	h := submit(t, b, event.BatchSubmit{Prefix: "e/", Expires: time.Now().Add(-time.Minute)})
	b.run(t, forever)
	expect(t, b, h.ID, batch.Expired, map[ledger.State]int{ledger.Cancelled: 2})
	if n := b.converter.Conversions(""); n != 0 {
		t.Errorf("%d conversions after the time ran out", n)
	}
}

func testAllFail(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	b.upload("f/1.txt", "!fault corrupt")
	h := submit(t, b, event.BatchSubmit{Prefix: "f/"})
	empty := submit(t, b, event.BatchSubmit{Prefix: "nothing/"})
	b.run(t, forever)
	expect(t, b, h.ID, batch.Failed, map[ledger.State]int{ledger.Failed: 1})
	expect(t, b, empty.ID, batch.Failed, map[ledger.State]int{})
}

func testReconcile(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	src := b.upload("r/1.txt", "one")
	h := submit(t, b, event.BatchSubmit{Prefix: "r/"})
	b.run(t, 1)
	b.queue.Take("conversions-bulk") // the message is lost, and somebody cancels the document alone
	if _, err := b.ledger.Cancel(t.Context(), src.ID(), "somebody"); err != nil {
		t.Fatal(err)
	}
	expect(t, b, h.ID, batch.Running, map[ledger.State]int{ledger.Queued: 1})
	open, _, err := store.Heads(t.Context(), true, "", 10)
	if err != nil || len(open) != 1 {
		t.Fatalf("open batches = %+v, %v", open, err)
	}
	if err := b.Reconcile(t.Context(), open[0].ID, 100); err != nil {
		t.Fatal(err)
	}
	expect(t, b, h.ID, batch.Failed, map[ledger.State]int{ledger.Cancelled: 1})
	if open, _, err = store.Heads(t.Context(), true, "", 10); err != nil || len(open) != 0 {
		t.Errorf("open batches = %+v, %v; want none", open, err)
	}
}

func testDone(t *testing.T, store batch.Store) {
	b := newBench(t, store, nil)
	src := b.upload("d/1.txt", "one")
	if _, err := b.pipeline.Handle(context.Background(), job.Job{Source: src}); err != nil {
		t.Fatal(err)
	}
	h := submit(t, b, event.BatchSubmit{Prefix: "d/"})
	b.run(t, forever)
	expect(t, b, h.ID, batch.Succeeded, map[ledger.State]int{ledger.Succeeded: 1})
	if n := b.converter.Conversions(""); n != 1 {
		t.Errorf("%d conversions, want 1", n)
	}
}
