package azure_test

import (
	"testing"

	"decant/handler/internal/azure/cosmos"
	"decant/handler/internal/batch"
	"decant/handler/internal/batch/batchtest"
	"decant/handler/internal/job"
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

func batches(t *testing.T, p *proxy) batch.Store {
	t.Helper()
	db, err := cosmos.New(cosmos.Options{ConnectionString: job.Secret(database.ConnectionString()), Database: unique("batches"), Transport: p.client()})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db.Batches()
}
