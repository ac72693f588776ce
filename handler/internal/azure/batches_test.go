package azure_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"decant/handler/internal/azure/blob"
	"decant/handler/internal/azure/cosmos"
	"decant/handler/internal/azure/queue"
	"decant/handler/internal/batch"
	"decant/handler/internal/batch/batchtest"
	"decant/handler/internal/event"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

func TestBatches(t *testing.T) {
	needEmulators(t)
	batchtest.Suite(t, func(t *testing.T) batch.Store { return batches(t, newProxy(0)) })
}

// TestBatchesOnABadNetwork: the same with one request in twenty spoilt.
func TestBatchesOnABadNetwork(t *testing.T) {
	needEmulators(t)
	p := newProxy(1.0 / 20)
	batchtest.Suite(t, func(t *testing.T) batch.Store { return batches(t, p) })
	p.checkQueries(t)
}

func batches(t *testing.T, p *proxy) batch.Store { return freshDatabase(t, p).Batches() }

func ledgerStore(t testing.TB) ledger.Store { return freshDatabase(t, newProxy(0)).Store() }

// freshDatabase makes a database of its own for a test.
func freshDatabase(t testing.TB, p *proxy) *cosmos.Client {
	t.Helper()
	db, err := cosmos.New(cosmos.Options{ConnectionString: job.Secret(database.ConnectionString()), Database: unique("batches"), Transport: p.client()})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ensure(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db
}

// BenchmarkSubmit is what POST /api/batches waits for, with 10,000 documents named one by one.
func BenchmarkSubmit(b *testing.B) {
	needEmulators(b)
	blobs, err := blob.New(blob.Options{ConnectionString: job.Secret(storage.ConnectionString())})
	if err != nil {
		b.Fatal(err)
	}
	q, err := queue.New(queue.Options{ConnectionString: job.Secret(storage.ConnectionString())})
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(blobs.Ensure(context.Background(), "lists"), q.Create(context.Background(), "submitted")); err != nil {
		b.Fatal(err)
	}
	db := freshDatabase(b, newProxy(0))
	s := batch.New(batch.Ports{
		Store: db.Batches(), Ledger: ledger.New(db.Store(), ledger.Options{}), Queue: q, Lister: blobs.Files(), Lists: blobs.Letters("lists"),
	}, batch.Options{Queue: "submitted"})
	var documents []event.Document
	for i := range 10_000 {
		documents = append(documents, event.Document{Account: "devstoreaccount1", Container: "documents", Path: fmt.Sprintf("folder/%06d.pdf", i), ETag: "0x8DC0FFEE"})
	}
	for b.Loop() {
		if _, created, err := s.Submit(context.Background(), event.BatchSubmit{Documents: documents}); err != nil || !created {
			b.Fatal(created, err)
		}
	}
}
