package pipeline

import (
	"context"
	"errors"
	"time"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// CompletedSchema names the form of the messages on the queue conversions-completed.
const CompletedSchema = "decant/completed/1"

// Completed is what others hear about a finished document. It is small; everything else is behind DocumentID and Manifest.
// It may come more than once: DocumentID and Generation tell repetitions.
type Completed struct {
	Schema      string          `json:"schema"`
	DocumentID  job.ID          `json:"documentId"`
	Generation  int64           `json:"generation"`
	State       ledger.State    `json:"state"`
	Account     string          `json:"account,omitempty"`
	Container   string          `json:"container,omitempty"`
	Path        string          `json:"path"`
	ETag        string          `json:"etag,omitempty"`
	BatchID     string          `json:"batchId,omitempty"`
	Parent      job.ID          `json:"parent,omitempty"`
	ContentHash string          `json:"contentHash,omitempty"`
	Format      string          `json:"format,omitempty"`
	Chunks      int             `json:"chunks"`
	Changes     *ledger.Changes `json:"changes,omitempty"`
	Cached      bool            `json:"cached,omitempty"`
	Cause       *ledger.Cause   `json:"cause,omitempty"`
	Finished    time.Time       `json:"finished"`
}

// CompletedOf makes the message for a record.
func CompletedOf(r ledger.Record) Completed {
	return Completed{
		Schema: CompletedSchema, DocumentID: r.DocumentID, Generation: r.Generation, State: r.State,
		Account: r.Source.Account, Container: r.Source.Container, Path: r.Source.Path, ETag: r.Source.ETag,
		BatchID: r.BatchID, Parent: r.Source.Parent, ContentHash: r.ContentHash, Format: r.Format,
		Chunks: r.Counts.Chunks, Changes: r.Changes, Cached: r.Cached, Cause: r.Cause, Finished: r.Finished,
	}
}

// Announcers tells several in turn.
type Announcers []Announcer

// Announce implements Announcer.
func (a Announcers) Announce(ctx context.Context, done Completed) error {
	var failures []error
	for _, announcer := range a {
		failures = append(failures, announcer.Announce(ctx, done))
	}
	return errors.Join(failures...)
}
