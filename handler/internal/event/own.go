package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/lazyregexp"
)

// Schema is the version of decant's own messages.
const Schema = "decant/1"

// The kinds of decant's own messages.
const (
	KindConvert     = "convert"
	KindDelete      = "delete"
	KindBatchSubmit = "batch.submit"
	KindBatchExpand = "batch.expand"
	KindBatchRetry  = "batch.retry"
	KindBatchCancel = "batch.cancel"
)

// wire is decant's own message. No member may have a name of azfunc.ReservedNames.
type wire struct {
	Schema   string       `json:"schema"`
	Kind     string       `json:"kind"`
	Document *Document    `json:"document,omitempty"`
	Options  job.Options  `json:"options,omitzero"`
	Limits   Limits       `json:"limits,omitzero"`
	Batch    string       `json:"batch,omitempty"`
	Depth    int          `json:"depth,omitempty"`
	NotAfter time.Time    `json:"notAfter,omitzero"`
	Submit   *BatchSubmit `json:"submit,omitempty"`
	Cursor   string       `json:"cursor,omitempty"`
	States   []string     `json:"states,omitempty"`
}

// Document says where a document lies: by URL, or by container and path.
type Document struct {
	URL       string `json:"url,omitempty"`
	Account   string `json:"account,omitempty"` // may be left out when the app has one account only
	Container string `json:"container,omitempty"`
	Path      string `json:"path,omitempty"`
	ETag      string `json:"etag,omitempty"`
	Sequencer string `json:"sequencer,omitempty"`
	Size      *int64 `json:"size,omitempty"` // bytes; absent when unknown
	MediaType string `json:"mediaType,omitempty"`
	Parent    job.ID `json:"parent,omitempty"`
}

func (d *Decoder) own(object []byte) (Message, error) {
	var w wire
	if err := strict(object, &w); err != nil {
		return nil, bad("The decant message is not readable: "+JSONProblem(err)+". docs/messages.md lists its members.", err)
	}
	if w.Schema != Schema {
		return nil, bad(fmt.Sprintf("Messages of schema %.40q are not understood; send %s.", w.Schema, Schema), nil)
	}
	read, known := kinds[w.Kind]
	if !known {
		return nil, bad(fmt.Sprintf("Messages of kind %.40q are not understood.", w.Kind), nil)
	}
	return read(d, &w)
}

var kinds = map[string]func(*Decoder, *wire) (Message, error){
	KindConvert:     (*Decoder).ownConvert,
	KindDelete:      (*Decoder).ownDelete,
	KindBatchSubmit: (*Decoder).ownSubmit,
	KindBatchExpand: withBatch(func(w *wire) Message { return &BatchExpand{w.Batch, w.Cursor} }),
	KindBatchCancel: withBatch(func(w *wire) Message { return &BatchCancel{w.Batch} }),
	KindBatchRetry: func(d *Decoder, w *wire) (Message, error) {
		for _, state := range w.States {
			if !slices.Contains(RetryStates, state) {
				return nil, bad(fmt.Sprintf("Documents in state %.40q are not tried again; the states are %v.", state, RetryStates), nil)
			}
		}
		return withBatch(func(w *wire) Message { return &BatchRetry{w.Batch, w.States} })(d, w)
	},
}

// RetryStates are the states from which a document may be tried again.
var RetryStates = []string{"failed", "cancelled", "poisoned"}

func (d *Decoder) ownConvert(w *wire) (Message, error) {
	source, err := d.source(w.Document)
	if err != nil {
		return nil, err
	}
	if w.Batch != "" && !validBatch(w.Batch) {
		return nil, badBatch(w.Batch)
	}
	if err := d.CheckOptions(w.Options); err != nil {
		return nil, bad("options: "+fault.From(err).Message, err)
	}
	if err := w.Limits.Check(); err != nil {
		return nil, bad(fault.From(err).Message, err)
	}
	if !d.watches(source.Container) {
		return &Ignored{source, fmt.Sprintf("container %q is not watched", source.Container)}, nil
	}
	return &Convert{Job: job.Job{
		ID: source.ID(), Source: source, Options: w.Options, Limits: w.Limits.Job(),
		BatchID: w.Batch, Depth: max(w.Depth, 0), NotAfter: w.NotAfter,
	}}, nil
}

func (d *Decoder) ownDelete(w *wire) (Message, error) {
	source, err := d.source(w.Document)
	if err != nil {
		return nil, err
	}
	return &Delete{Source: source}, nil
}

func (d *Decoder) ownSubmit(w *wire) (Message, error) {
	if w.Submit == nil {
		return nil, bad("The message asks for a batch but has no member \"submit\".", nil)
	}
	if w.Batch != "" && !validBatch(w.Batch) {
		return nil, badBatch(w.Batch)
	}
	submit := *w.Submit
	submit.BatchID = w.Batch
	if err := d.Check(&submit); err != nil {
		return nil, bad(fault.From(err).Message, err)
	}
	return &submit, nil
}

func withBatch(build func(*wire) Message) func(*Decoder, *wire) (Message, error) {
	return func(_ *Decoder, w *wire) (Message, error) {
		if !validBatch(w.Batch) {
			return nil, badBatch(w.Batch)
		}
		return build(w), nil
	}
}

var batchID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func validBatch(id string) bool { return batchID.MatchString(id) }

func badBatch(id string) error {
	return bad(fmt.Sprintf("%.80q is not the id of a batch.", id), nil)
}

// Source turns a Document into a job.Source, with the same checks as Decode; the error is of kind fault.BadMessage.
func (d *Decoder) Source(doc Document) (job.Source, error) { return d.source(&doc) }

func (d *Decoder) source(doc *Document) (job.Source, error) {
	if doc == nil {
		return job.Source{}, bad("The message has no member \"document\".", nil)
	}
	source := job.Source{Account: doc.Account, Container: doc.Container, Path: doc.Path}
	if doc.URL != "" {
		var err error
		if source, err = d.locate(doc.URL); err != nil {
			return job.Source{}, err
		}
	}
	if source.Account == "" && len(d.Accounts) == 1 {
		source.Account = d.Accounts[0].Name
	}
	if !d.knows(source.Account) {
		return job.Source{}, bad(fmt.Sprintf("%.80q is not a storage account of this app.", source.Account), nil)
	}
	if err := checkPlace(source); err != nil {
		return job.Source{}, err
	}
	source.ETag, source.Sequencer = cleanETag(doc.ETag), doc.Sequencer
	source.MediaType, source.Parent = doc.MediaType, doc.Parent
	source.Size = -1
	if doc.Size != nil && *doc.Size >= 0 {
		source.Size = *doc.Size
	}
	return source, nil
}

// strict unmarshals one JSON value without members that are not known, and nothing after it.
func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("something follows the JSON object")
	}
	return nil
}

// Members lists the top-level members of decant's own messages.
func Members() []string {
	var names []string
	for field := range reflect.TypeFor[wire]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
