package mem_test

import (
	"testing"

	"decant/handler/internal/batch"
	"decant/handler/internal/batch/batchtest"
	"decant/handler/internal/mem"
)

func TestBatches(t *testing.T) {
	batchtest.Suite(t, func(*testing.T) batch.Store { return &mem.Batches{} })
}
