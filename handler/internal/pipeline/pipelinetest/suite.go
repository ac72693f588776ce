package pipelinetest

import (
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// Backend is one set of adapters, empty.
type Backend struct {
	Store   ledger.Store
	Sink    pipeline.Sink
	Cache   pipeline.Cache
	Fetcher pipeline.Fetcher
	// Upload stores a file where Fetcher reads it, and gives the source as the event for it would.
	Upload func(t testing.TB, src job.Source, body []byte) job.Source
	// Remove deletes a file, and gives the source as the event for it would.
	Remove func(t testing.TB, src job.Source) job.Source
}

// Suite runs all tests; open gives a fresh Backend for each.
func Suite(t *testing.T, open func(t *testing.T) Backend) {
	for _, part := range []struct {
		name  string
		tests []test
	}{
		{"store", storeTests},
		{"sink", sinkTests},
		{"fetcher", fetcherTests},
		{"cache", cacheTests},
		{"journey", journeyTests},
	} {
		t.Run(part.name, func(t *testing.T) {
			for _, c := range part.tests {
				t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
			}
		})
	}
}

type test struct {
	name string
	run  func(t *testing.T, b Backend)
}
