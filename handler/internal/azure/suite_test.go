package azure_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"testing"

	"decant/handler/internal/azure/blob"
	"decant/handler/internal/azure/cosmos"
	"decant/handler/internal/emulator"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline/pipelinetest"
)

// storage and database are the emulators that all tests of the package share; nil when they are not installed.
var (
	storage  *emulator.Storage
	database *emulator.Cosmos
)

func TestMain(m *testing.M) { os.Exit(withEmulators(m)) }

func withEmulators(m *testing.M) int {
	var err error
	storage, err = emulator.StartStorage(context.Background(), emulator.Options{})
	if errors.Is(err, emulator.ErrMissing) {
		return m.Run()
	}
	if err == nil {
		defer storage.Stop()
		database, err = emulator.StartCosmos(context.Background(), emulator.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer database.Stop()
	return m.Run()
}

func needEmulators(t testing.TB) {
	t.Helper()
	if database == nil {
		t.Skip(emulator.ErrMissing)
	}
}

var names atomic.Int64

// unique makes a name for a container, queue or database of one test.
func unique(prefix string) string { return fmt.Sprintf("%s-%d-%d", prefix, os.Getpid(), names.Add(1)) }

func TestSuite(t *testing.T) {
	needEmulators(t)
	pipelinetest.Suite(t, func(t *testing.T) pipelinetest.Backend { return backend(t, http.DefaultClient, http.DefaultClient) })
}

// backend makes fresh adapters whose requests go through the given clients.
func backend(t testing.TB, toStorage, toCosmos *http.Client) pipelinetest.Backend {
	t.Helper()
	blobs, err := blob.New(blob.Options{ConnectionString: job.Secret(storage.ConnectionString()), Transport: toStorage})
	if err != nil {
		t.Fatal(err)
	}
	db, err := cosmos.New(cosmos.Options{ConnectionString: job.Secret(database.ConnectionString()), Database: unique("decant"), Transport: toCosmos})
	if err != nil {
		t.Fatal(err)
	}
	converted := unique("converted")
	if err := errors.Join(blobs.Ensure(t.Context(), "documents", converted), db.Ensure(t.Context())); err != nil {
		t.Fatal(err)
	}
	files, results := blobs.Files(), blobs.Sink(converted)
	return pipelinetest.Backend{
		Store: db.Store(), Sink: results, Cache: results, Fetcher: files,
		Upload: func(t testing.TB, src job.Source, body []byte) job.Source {
			t.Helper()
			src, err := files.Upload(t.Context(), src, bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			src.Sequencer = fmt.Sprintf("%020x", names.Add(1))
			return src
		},
		Remove: func(t testing.TB, src job.Source) job.Source {
			t.Helper()
			if err := files.Remove(t.Context(), src); err != nil {
				t.Fatal(err)
			}
			src.Sequencer = fmt.Sprintf("%020x", names.Add(1))
			return src
		},
	}
}
