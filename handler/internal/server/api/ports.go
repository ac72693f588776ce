package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Options are the parts of the API. A nil part answers 501.
type Options struct {
	Version   string
	Documents Documents
	Batches   Batches
	Converter Converter
	Health    Health
	Stats     Stats
	Metrics   http.Handler  // in the text format of Prometheus
	Decoder   event.Decoder // which accounts, containers and tokenizers a request may name
	MaxUpload int64         // bytes of a file in POST /api/convert; default 32 MiB
}

// Documents reads and changes documents' records and results. Faults: fault.NotFound, fault.Conflict, fault.Storage ...
type Documents interface {
	List(ctx context.Context, query Query) (DocumentPage, error)
	Find(ctx context.Context, id job.ID) (Document, error)
	// Markdown opens the published document.md; the caller closes it.
	Markdown(ctx context.Context, id job.ID) (io.ReadCloser, error)
	// Chunks gives published chunks after a continuation, at most limit.
	Chunks(ctx context.Context, id job.ID, after string, limit int) (ChunkPage, error)
	// Retry puts a failed, cancelled or poisoned document back, with other limits where they are set.
	Retry(ctx context.Context, id job.ID, limits job.Limits) (Document, error)
	// Cancel stops a document; by is who asked, empty when unknown.
	Cancel(ctx context.Context, id job.ID, by string) (Document, error)
	// Delete removes results and record. The file stays, and this version of it is not converted again.
	Delete(ctx context.Context, id job.ID) error
}

// Batches makes, reads and changes batches.
type Batches interface {
	// Submit makes a batch and returns at once; the documents are found later. created is false when the key was used before.
	Submit(ctx context.Context, submit event.BatchSubmit) (batch Batch, created bool, err error)
	List(ctx context.Context, after string, limit int) (BatchPage, error)
	Find(ctx context.Context, id string) (Batch, error)
	Documents(ctx context.Context, id string, query Query) (DocumentPage, error)
	// Cancel stops a batch; by is who asked, empty when unknown.
	Cancel(ctx context.Context, id, by string) (Batch, error)
	// Retry tries documents in the given states again; none means all of event.RetryStates.
	Retry(ctx context.Context, id string, states []string) (Batch, error)
	Activity(ctx context.Context, id, after string, limit int) (ActivityPage, error)
}

// Converter converts a file that came in a request.
type Converter interface {
	Convert(ctx context.Context, upload Upload) (Conversion, error)
}

// Health tells whether the instance can work. It answers quickly and names no accounts, hosts or paths: everybody may ask.
type Health interface {
	Check(ctx context.Context) HealthReport
}

// Stats counts.
type Stats interface {
	Read(ctx context.Context) (StatsReport, error)
}

// Query selects documents.
type Query struct {
	State  string    // one state, or "" for all
	Format string    // one format, or "" for all
	Since  time.Time // changed at or after
	After  string    // continuation: Next of the page before
	Limit  int       // 1 to 1000
}

// Upload is a file to convert at once.
type Upload struct {
	Name      string
	MediaType string
	Body      io.Reader
	Size      int64 // bytes, known before
	Options   job.Options
}

// Conversion is the answer to an Upload.
type Conversion struct {
	ID       job.ID            `json:"id"`
	Done     bool              `json:"done"` // false: it goes on, look at the document
	Result   *job.Result       `json:"result,omitempty"`
	Markdown string            `json:"markdown,omitempty"`
	Chunks   []json.RawMessage `json:"chunks,omitempty"`
}

// Document is a document's record.
type Document struct {
	ID          job.ID        `json:"id"`
	Source      job.Source    `json:"source"`
	State       string        `json:"state"`
	Generation  int64         `json:"generation"`
	Published   int64         `json:"published,omitempty"` // the generation that readers see; 0 when there are no results
	Attempt     int           `json:"attempt"`
	Retries     int           `json:"retries,omitempty"`
	Cause       *Cause        `json:"cause,omitempty"` // why it failed, was cancelled or poisoned
	Progress    *job.Progress `json:"progress,omitempty"`
	Attempts    []Attempt     `json:"attempts,omitempty"` // newest last; left out of lists
	Options     job.Options   `json:"options"`
	Limits      event.Limits  `json:"limits"`
	Format      string        `json:"format,omitempty"`
	Outside     *job.Outside  `json:"outside,omitempty"` // the outside converter that read it first
	Title       string        `json:"title,omitempty"`
	Language    string        `json:"language,omitempty"`
	Counts      job.Counts    `json:"counts,omitzero"`
	Warnings    []job.Warning `json:"warnings,omitempty"`
	Changes     *Changes      `json:"changes,omitempty"` // of the chunks, at the last publication
	Cached      bool          `json:"cached,omitempty"`  // results of the same bytes and options were reused
	ContentHash string        `json:"contentHash,omitempty"`
	Version     string        `json:"version,omitempty"` // of decant
	BatchID     string        `json:"batchId,omitempty"`
	Parent      job.ID        `json:"parent,omitempty"`
	Children    []job.ID      `json:"children,omitempty"`
	Queued      time.Time     `json:"queued,omitzero"`
	Started     time.Time     `json:"started,omitzero"`
	Finished    time.Time     `json:"finished,omitzero"`
	Updated     time.Time     `json:"updated"`
}

// Cause is why a document or an attempt ended as it did.
type Cause struct {
	Kind    fault.Kind `json:"kind"`
	Message string     `json:"message"`
	By      string     `json:"by,omitempty"` // who cancelled, as far as is known
}

// Attempt is one try.
type Attempt struct {
	Number     int       `json:"number"`
	Outcome    string    `json:"outcome"`
	Alone      bool      `json:"alone,omitempty"`
	Cause      *Cause    `json:"cause,omitempty"`
	Started    time.Time `json:"started,omitzero"`
	Ended      time.Time `json:"ended,omitzero"`
	Seconds    float64   `json:"seconds,omitempty"`
	PeakMemory int64     `json:"peakMemory,omitempty"` // bytes
	Stage      string    `json:"stage,omitempty"`      // the last one reached
	Page       int       `json:"page,omitempty"`       // the last one reached
	Stderr     string    `json:"stderr,omitempty"`     // the tail of what the conversion said before it died
	Outside    string    `json:"outside,omitempty"`    // the outside converter that had a part in it, with its version
}

// Changes says what became of the chunks.
type Changes struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
}

// Pages of lists: Next continues, and is absent at the end.
type (
	DocumentPage struct {
		Documents []Document `json:"documents"`
		Next      string     `json:"next,omitempty"`
	}
	ChunkPage struct {
		Chunks []json.RawMessage `json:"chunks"`
		Next   string            `json:"next,omitempty"`
	}
	BatchPage struct {
		Batches []Batch `json:"batches"`
		Next    string  `json:"next,omitempty"`
	}
	ActivityPage struct {
		Activity []Activity `json:"activity"`
		Next     string     `json:"next,omitempty"`
	}
)

// Batch is a batch and how far it is.
type Batch struct {
	ID           string            `json:"id"`
	Name         string            `json:"name,omitempty"`
	State        string            `json:"state"`
	Percent      float64           `json:"percent"`
	Total        int               `json:"total"`
	Expanding    bool              `json:"expanding,omitempty"` // documents are still being found: Total grows
	Counts       map[string]int    `json:"counts"`              // by state of the documents
	PerMinute    float64           `json:"perMinute,omitempty"`
	EstimatedEnd time.Time         `json:"estimatedEnd,omitzero"`
	Priority     string            `json:"priority"`
	Options      job.Options       `json:"options,omitzero"`
	Limits       event.Limits      `json:"limits,omitzero"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	Retries      int               `json:"retries,omitempty"`
	NotBefore    time.Time         `json:"notBefore,omitzero"`
	Expires      time.Time         `json:"expires,omitzero"`
	Created      time.Time         `json:"created"`
	Finished     time.Time         `json:"finished,omitzero"`
	CancelledBy  string            `json:"cancelledBy,omitempty"`
	Activity     []Activity        `json:"activity,omitempty"` // the newest; left out of lists
}

// Activity is something that happened to a batch.
type Activity struct {
	Time     time.Time `json:"time"`
	Kind     string    `json:"kind"`
	Message  string    `json:"message"`
	Document job.ID    `json:"document,omitempty"`
}

// HealthReport says whether the instance works. Status 503 goes with a report that is not OK.
type HealthReport struct {
	OK      bool            `json:"ok"`
	Version string          `json:"version"`
	Locks   []string        `json:"locks"`            // the sandbox locks that hold
	Checks  map[string]bool `json:"checks,omitempty"` // storage, ledger, queue: can it be reached
	Pool    *Pool           `json:"pool,omitempty"`
}

// Pool is how busy the instance is. Memory is in bytes.
type Pool struct {
	Slots        int   `json:"slots"`
	Running      int   `json:"running"`
	Waiting      int   `json:"waiting"`
	MemoryBudget int64 `json:"memoryBudget"`
	MemoryUsed   int64 `json:"memoryUsed"`
	Draining     bool  `json:"draining,omitempty"`
}

// StatsReport counts what this instance did since it started, and what waits.
type StatsReport struct {
	Since     time.Time        `json:"since"`
	Documents map[string]int64 `json:"documents"`        // finished here, by state
	Faults    map[string]int64 `json:"faults"`           // by kind
	Formats   map[string]int64 `json:"formats"`          // by format
	Queues    map[string]int64 `json:"queues,omitempty"` // approximate number of messages
	Detail    json.RawMessage  `json:"detail"`           // sizing, utilisation, wait and run times by format, peak memory, deaths by cause
	Pool      *Pool            `json:"pool,omitempty"`
}
