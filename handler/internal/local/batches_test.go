package local_test

import (
	"testing"

	"decant/handler/internal/batch"
	"decant/handler/internal/batch/batchtest"
	"decant/handler/internal/local"
)

func TestBatches(t *testing.T) {
	batchtest.Suite(t, func(t *testing.T) batch.Store { return local.NewBatches(t.TempDir()) })
}
