package deadletter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Store keeps letters by name.
type Store interface {
	Save(ctx context.Context, name string, text []byte) error
	Read(ctx context.Context, name string) ([]byte, error)
	Remove(ctx context.Context, name string) error
	List(ctx context.Context, prefix, cursor string) (names []string, next string, err error)
}

// Queue takes messages.
type Queue interface {
	Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error
}

// Ports are what a Box works with; Log may be nil.
type Ports struct {
	Store  Store
	Ledger *ledger.Ledger
	Queue  Queue
	Log    *slog.Logger
}

// Box keeps dead letters. It is safe for concurrent use.
type Box struct {
	Ports
	queue string // that letters go back to
	now   func() time.Time
}

// New makes a Box; queue is where Redrive puts messages, usually conversions.
func New(ports Ports, queue string) *Box {
	if ports.Log == nil {
		ports.Log = slog.New(slog.DiscardHandler)
	}
	return &Box{Ports: ports, queue: queue, now: time.Now}
}

// Message is a queue message that ends unread or unfinished.
type Message struct {
	ID       string // of the queue message; may be empty
	Queue    string // where it came from
	Body     string
	Parsed   event.Message // nil when it cannot be read
	Reason   error         // why it cannot be read; may be nil
	Attempts int           // deliveries
	Inserted time.Time
}

// Letter is a message as it is kept.
type Letter struct {
	ID         string     `json:"id"`
	Queue      string     `json:"queue,omitempty"`
	Body       string     `json:"body"`
	DocumentID job.ID     `json:"documentId,omitempty"`
	Class      fault.Kind `json:"class"`
	Message    string     `json:"message"`
	Attempts   int        `json:"attempts,omitempty"` // deliveries
	Inserted   time.Time  `json:"inserted,omitzero"`
	Received   time.Time  `json:"received"`
	// Last is the last attempt on the document, as far as our own code saw it.
	Last *ledger.Attempt `json:"last,omitempty"`
}

// Poison records a message that the host gave up on: in the document's record, and as a letter. It fails only when neither
// could be written, so that the message stays on its queue rather than being lost; it never fails because of the message.
func (b *Box) Poison(ctx context.Context, m Message) error {
	l := b.letter(m)
	err := b.record(ctx, m, &l)
	if err != nil {
		b.Log.ErrorContext(ctx, "record poison message", "document", l.DocumentID, "message", m.ID, "error", err)
	}
	return b.keep(ctx, l, err, l.DocumentID != "")
}

// Reject records a message that nobody can read, at its first delivery.
func (b *Box) Reject(ctx context.Context, m Message) error {
	return b.keep(ctx, b.letter(m), nil, false)
}

// letter says what the message itself tells.
func (b *Box) letter(m Message) Letter {
	l := Letter{ID: m.ID, Queue: m.Queue, Body: m.Body, Attempts: m.Attempts, Inserted: m.Inserted, Received: b.now().UTC()}
	reason := m.Reason
	switch {
	case reason == nil && m.Parsed == nil:
		reason = fault.New(fault.BadMessage, "", nil)
	case reason == nil:
		reason = fault.New(fault.Internal, "The host gave the message up: every delivery ended without an answer from decant, as when the instance dies. The log of the host has more.", nil)
	}
	f := fault.From(reason)
	l.Class, l.Message = f.Kind, f.Message
	if l.ID == "" {
		sum := sha256.Sum256([]byte(m.Body))
		l.ID = hex.EncodeToString(sum[:12])
	}
	return l
}

// record marks the document as poisoned, and takes from its record what our own code saw.
func (b *Box) record(ctx context.Context, m Message, l *Letter) error {
	convert, ok := m.Parsed.(*event.Convert)
	if !ok {
		return nil
	}
	l.DocumentID = convert.Job.Source.ID()
	r, err := b.Ledger.Poison(ctx, convert.Job, fault.New(l.Class, l.Message, nil))
	if err != nil {
		return err
	}
	if r.Cause != nil {
		l.Class, l.Message = r.Cause.Kind, r.Cause.Message
	}
	if n := len(r.Attempts); n > 0 {
		l.Last = &r.Attempts[n-1]
	}
	return nil
}

func (b *Box) keep(ctx context.Context, l Letter, recordFailed error, recorded bool) error {
	text, err := json.MarshalIndent(l, "", "  ")
	if err == nil {
		err = b.Store.Save(ctx, name(l), text)
	}
	if err == nil {
		return nil
	}
	b.Log.ErrorContext(ctx, "keep dead letter", "message", l.ID, "class", l.Class, "error", err)
	if recorded && recordFailed == nil {
		return nil
	}
	return fault.From(errors.Join(err, recordFailed))
}

func name(l Letter) string {
	id := l.ID
	if l.DocumentID != "" {
		id = string(l.DocumentID)
	}
	return l.Received.Format("2006-01-02") + "/" + id + ".json"
}
