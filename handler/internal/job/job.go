package job

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"time"
)

// ID identifies a document: a hash of where it lies, never of its base name.
// It is "d" and 32 hexadecimal digits; the letter keeps it from being valid base64, which the Functions host would decode.
type ID string

// Source says where a document lies.
type Source struct {
	Account   string `json:"account,omitempty"`   // storage account; empty on a laptop
	Container string `json:"container,omitempty"` // blob container; empty for a plain file
	Path      string `json:"path"`                // blob name or file path, slashes; for an attachment parent path + "!/" + its own path
	ETag      string `json:"etag,omitempty"`      // without quotes
	Sequencer string `json:"sequencer,omitempty"` // Event Grid's order of events on one blob; hexadecimal, compare padded to equal length
	Size      int64  `json:"size"`                // bytes; -1 when unknown
	MediaType string `json:"mediaType,omitempty"` // as declared by the uploader: a hint, never trusted
	Parent    ID     `json:"parent,omitempty"`    // the document that this one was attached to or packed in
}

// ID is the document's identity, the same on every machine.
func (s Source) ID() ID {
	h := sha256.New()
	for _, part := range []string{s.Account, s.Container, s.Path} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return ID("d" + hex.EncodeToString(h.Sum(nil)[:16]))
}

// Name is the base name, for people and for guessing the format.
func (s Source) Name() string { return path.Base(s.Path) }

// Job is one document to convert.
type Job struct {
	ID       ID        `json:"id"`
	Source   Source    `json:"source"`
	Options  Options   `json:"options"`
	Limits   Limits    `json:"limits"`
	BatchID  string    `json:"batchId,omitempty"`
	Attempt  int       `json:"attempt,omitempty"` // 1 for the first try
	Message  string    `json:"-"`                 // id of the queue message that asks for it; with Attempt it tells deliveries apart
	Depth    int       `json:"depth,omitempty"`   // 0 for a document of its own, 1 for its attachment, and so on
	Enqueued time.Time `json:"enqueued,omitzero"` // when the message was put on the queue, if known
	NotAfter time.Time `json:"notAfter,omitzero"` // give up after this moment, if set
}

// Request is what a converter gets: a job, the document as a file, and an empty directory for the results.
// The caller owns both and removes them; the converter writes below OutDir only.
type Request struct {
	Job      Job            `json:"job"`
	Input    string         `json:"input"`  // path of a regular file
	OutDir   string         `json:"outDir"` // path of an existing empty directory
	Alone    bool           `json:"alone"`  // run it alone on the instance, with the whole memory budget
	Progress func(Progress) `json:"-"`      // may be nil; called from one goroutine at a time

	// Outside is the part of an outside converter in it: to the converter's own child what is to be done, and with Made set, to ours,
	// what was done. Nil when there is none.
	Outside *Outside `json:"outside,omitempty"`
	// Made is the path of what the outside converter made of Input; it is read in the place of Input.
	Made string `json:"made,omitempty"`
}

// Progress is the last sign of life of a conversion.
type Progress struct {
	Stage string `json:"stage"`           // detect, outside, parse, render, chunk, write
	Page  int    `json:"page,omitempty"`  // page, sheet, slide or member that is being worked on, from 1
	Pages int    `json:"pages,omitempty"` // how many there are, 0 when unknown
}
