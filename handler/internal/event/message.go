package event

import (
	"time"

	"decant/handler/internal/job"
)

// Message is what a queue message asks for: *Convert, *Delete, *Ignored, *BatchSubmit, *BatchExpand, *BatchRetry or *BatchCancel.
type Message interface{ isMessage() }

// Convert asks for the conversion of one document.
type Convert struct {
	Job     job.Job
	EventID string    // of the storage event; the same for duplicates. Empty for decant's own messages
	Time    time.Time // of the storage event, if known
}

// Delete says that a document was deleted: its results and its record have to go.
type Delete struct {
	Source  job.Source
	EventID string
	Time    time.Time
}

// Ignored is a message that is right, but asks for nothing: an upload that is not finished, a container that is not watched.
type Ignored struct {
	Source job.Source
	Reason string // a sentence for the log
}

// BatchSubmit asks for the conversion of many documents as one batch: those listed, or all below a prefix that fit.
type BatchSubmit struct {
	BatchID    string            `json:"-"`                    // chosen by the sender; empty lets the receiver choose
	Key        string            `json:"key,omitempty"`        // the same key never makes a second batch
	Name       string            `json:"name,omitempty"`       // for people
	Documents  []Document        `json:"documents,omitempty"`  // either these,
	Container  string            `json:"container,omitempty"`  // or what lies in this container
	Prefix     string            `json:"prefix,omitempty"`     // below this prefix
	Include    []string          `json:"include,omitempty"`    // and fits one of these patterns (path.Match on the base name); none: all
	Exclude    []string          `json:"exclude,omitempty"`    // and none of these
	Priority   string            `json:"priority,omitempty"`   // "normal" or "bulk" (default)
	Options    job.Options       `json:"options,omitzero"`     // for every document
	Limits     Limits            `json:"limits,omitzero"`      // for every document
	Metadata   map[string]string `json:"metadata,omitempty"`   // kept with the batch, not looked at
	NotBefore  time.Time         `json:"notBefore,omitzero"`   // start no earlier
	Expires    time.Time         `json:"expires,omitzero"`     // start nothing after
	Webhook    string            `json:"webhook,omitempty"`    // https URL to be told when the batch ends
	MaxRetries int               `json:"maxRetries,omitempty"` // how often batch.retry may be asked for; 0: the default
}

// BatchExpand goes on with the fan-out of a batch where the last step stopped.
type BatchExpand struct {
	BatchID string
	Cursor  string // opaque; empty at the start
}

// BatchRetry asks for another try of a batch's documents.
type BatchRetry struct {
	BatchID string
	States  []string // of failed, cancelled, poisoned; none means all three
}

// BatchCancel asks that nothing of a batch starts any more and what runs is ended.
type BatchCancel struct{ BatchID string }

func (*Convert) isMessage()     {}
func (*Delete) isMessage()      {}
func (*Ignored) isMessage()     {}
func (*BatchSubmit) isMessage() {}
func (*BatchExpand) isMessage() {}
func (*BatchRetry) isMessage()  {}
func (*BatchCancel) isMessage() {}
