package batchtest

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"testing"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/mem"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/pipeline/pipelinetest"
)

const account = "testaccount"

// bench is a whole service in memory but for the store of batches.
type bench struct {
	*batch.Service
	files     *mem.Files
	queue     *breakingQueue
	pipeline  *pipeline.Pipeline
	ledger    *ledger.Ledger
	converter *pipelinetest.Converter
	decoder   event.Decoder
	clock     time.Time
}

// breakingQueue fails after a number of messages, as when the instance is killed in the middle of a fan-out.
type breakingQueue struct {
	mem.Queue
	left int // messages until it breaks; negative never
}

var errKilled = errors.New("killed")

func (q *breakingQueue) Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error {
	if q.left == 0 {
		return fault.New(fault.Storage, "", errKilled)
	}
	q.left--
	return q.Queue.Enqueue(ctx, queue, message, delay)
}

func newBench(t *testing.T, store batch.Store, client *http.Client) *bench {
	b := &bench{files: &mem.Files{}, queue: &breakingQueue{left: -1}, converter: &pipelinetest.Converter{}, clock: time.Now().UTC()}
	now := func() time.Time { return b.clock }
	b.ledger = ledger.New(&mem.Store{}, ledger.Options{Version: "v1", Now: now})
	b.Service = batch.New(batch.Ports{
		Store: store, Ledger: b.ledger, Queue: b.queue, Lister: b.files, Lists: &mem.Letters{}, HTTP: client,
	}, batch.Options{Queue: "conversions", Bulk: "conversions-bulk", Completed: "conversions-completed", Secret: "secret", Page: 10, Now: now})
	b.pipeline = pipeline.New(pipeline.Ports{
		Ledger: b.ledger, Fetcher: b.files, Converter: b.converter, Sink: &mem.Sink{}, Announcer: b.Service,
	}, pipeline.Options{TempDir: t.TempDir()})
	b.decoder = event.Decoder{Accounts: []event.Account{{Name: account, Endpoint: "https://" + account + ".blob.core.windows.net"}}}
	return b
}

func (b *bench) upload(path, text string) job.Source {
	return b.files.Upload(job.Source{Account: account, Container: "documents", Path: path}, []byte(text))
}

// run handles messages until the queues are empty, at most limit, and tells how many it handled.
func (b *bench) run(t *testing.T, limit int) (handled int) {
	t.Helper()
	for ; handled < limit; handled++ {
		text := b.queue.Take("conversions")
		if text == nil {
			text = b.queue.Take("conversions-bulk")
		}
		if text == nil {
			return handled
		}
		b.handle(t, text)
	}
	return handled
}

// handle does what the server does with a message; what may be mended comes back.
func (b *bench) handle(t *testing.T, text []byte) {
	t.Helper()
	message, err := b.decoder.Decode(base64.StdEncoding.EncodeToString(text))
	if err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	if m, ok := message.(*event.Convert); ok {
		_, err = b.pipeline.Handle(t.Context(), m.Job)
	} else {
		err = b.Service.Handle(t.Context(), message)
	}
	if fault.Retryable(err) {
		b.queue.left = -1
		if err := b.queue.Queue.Enqueue(t.Context(), "conversions", text, 0); err != nil {
			t.Error(err)
		}
	}
}
