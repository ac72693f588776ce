package azure_test

import (
	"context"
	"testing"

	"decant/handler/internal/azure/cosmos"
	"decant/handler/internal/batch"
	"decant/handler/internal/batch/batchtest"
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
