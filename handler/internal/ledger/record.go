package ledger

import (
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Record is what is known about one document. It is stored as one item, together with the document's chunk items.
type Record struct {
	DocumentID job.ID     `json:"documentId"`
	Source     job.Source `json:"source"` // as of the event that is being, or was last, worked on
	State      State      `json:"state"`

	Generation int64  `json:"generation"`          // counts claims; whoever holds an older one has lost it
	Published  int64  `json:"published,omitempty"` // generation that readers see; 0 when there is none
	Sealed     bool   `json:"sealed,omitempty"`    // results are being published: too late to cancel
	Lease      *Lease `json:"lease,omitempty"`     // while running
	Attempt    int    `json:"attempt"`             // tries since it was last queued, from 1
	Retries    int    `json:"retries,omitempty"`   // times that a person put it back
	Cleanup    bool   `json:"cleanup,omitempty"`   // gone, but its results may still lie around
	Removed    bool   `json:"removed,omitempty"`   // gone because a person wants nothing kept of it; the file may still be there

	Attempts []Attempt      `json:"attempts,omitempty"` // newest last, at most MaxAttempts
	Cause    *Cause         `json:"cause,omitempty"`    // why it failed, was cancelled or poisoned
	Progress *job.Progress  `json:"progress,omitempty"` // last sign of life while running
	Options  job.Options    `json:"options"`
	Limits   job.Limits     `json:"limits"`
	Metadata map[string]any `json:"metadata,omitempty"` // the user's own, from the batch

	ContentHash string        `json:"contentHash,omitempty"` // sha256 of the file, hexadecimal
	Fingerprint string        `json:"fingerprint,omitempty"` // job.Options.Fingerprint of the last conversion
	Version     string        `json:"version,omitempty"`     // of decant
	Format      string        `json:"format,omitempty"`
	Outside     *job.Outside  `json:"outside,omitempty"` // the outside converter that read it first
	Title       string        `json:"title,omitempty"`
	Language    string        `json:"language,omitempty"`
	Counts      job.Counts    `json:"counts,omitzero"`
	Warnings    []job.Warning `json:"warnings,omitempty"`
	Changes     *Changes      `json:"changes,omitempty"` // of the chunks, at the last publication
	Cached      bool          `json:"cached,omitempty"`  // results of the same bytes and options were reused

	BatchID  string   `json:"batchId,omitempty"`
	Parent   job.ID   `json:"parent,omitempty"`
	Children []job.ID `json:"children,omitempty"` // attachments that became documents of their own
	Depth    int      `json:"depth,omitempty"`

	Queued   time.Time `json:"queued,omitzero"`
	Started  time.Time `json:"started,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
	Updated  time.Time `json:"updated"`

	// ETag is the store's version of this record; Replace and Commit write only if it still holds.
	ETag string `json:"-"`
}

// Lease says who works on a document, and until when others keep away.
type Lease struct {
	Owner   string    `json:"owner"`
	Expires time.Time `json:"expires"`
	// The queue message that is worked on, and which delivery of it; empty for work that no message asked for.
	Message  string `json:"message,omitempty"`
	Delivery int    `json:"delivery,omitempty"`
}

// Redelivered tells whether a job comes from a later delivery of the message that the lease is held for. Then the worker is gone,
// as far as the queue knows, and nobody else will bring the document back.
func (l *Lease) Redelivered(j job.Job) bool {
	return l != nil && l.Message != "" && l.Message == j.Message && j.Attempt > l.Delivery
}

// Cause is a failure as it is stored.
type Cause struct {
	Kind    fault.Kind `json:"kind"`
	Message string     `json:"message"`      // for people
	By      string     `json:"by,omitempty"` // who cancelled, as far as is known
}

// CauseOf gives the cause to store for an error, nil for nil.
func CauseOf(err error) *Cause {
	if err == nil {
		return nil
	}
	f := fault.From(err)
	return &Cause{Kind: f.Kind, Message: f.Message}
}

// Changes says what a new generation changed in the document's chunks. A chunk's id follows from its text, so that a new text
// is a new item and the old one goes; where both happened between the same two chunks that stayed, they count as one Changed,
// and neither as Added nor as Removed.
type Changes struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
	Moved     int `json:"moved,omitempty"` // of the unchanged: same text, but another place in the document
}

// Alive tells whether somebody works on the document at the moment now.
func (r *Record) Alive(now time.Time) bool {
	return r.State == Running && r.Lease != nil && now.Before(r.Lease.Expires)
}

// Job rebuilds the job that would convert the document again.
func (r *Record) Job() job.Job {
	return job.Job{ID: r.DocumentID, Source: r.Source, Options: r.Options, Limits: r.Limits, BatchID: r.BatchID, Depth: r.Depth}
}
