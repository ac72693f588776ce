package batch

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Store keeps batches. Faults: fault.NotFound, fault.Conflict (it exists, or has another ETag), fault.Storage.
type Store interface {
	CreateHead(ctx context.Context, h Head) (Head, error)
	Head(ctx context.Context, id string) (Head, error)
	ReplaceHead(ctx context.Context, h Head) (Head, error)
	// Heads lists batches; with open only those that have not ended or whose webhook is pending.
	Heads(ctx context.Context, open bool, after string, limit int) (list []Head, next string, err error)
	// AddMembers writes members that are not there yet, and leaves those that are.
	AddMembers(ctx context.Context, id string, members []Member) error
	// SetMember writes a member whole.
	SetMember(ctx context.Context, id string, m Member) error
	// Members lists members in the order of their ids; no states means all.
	Members(ctx context.Context, id string, states []ledger.State, after string, limit int) (list []Member, next string, err error)
	// Count tells how many members are in a state, or how many there are when it is empty.
	Count(ctx context.Context, id string, state ledger.State) (int, error)
	// Log adds to the batch's log.
	Log(ctx context.Context, id string, a Activity) error
	// Activity reads the log, newest first, before the id given ("" begins at the newest).
	Activity(ctx context.Context, id, before string, limit int) ([]Activity, error)
}

// Queue takes messages.
type Queue interface {
	Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error
}

// Lister finds the source files below a prefix, page by page.
type Lister interface {
	List(ctx context.Context, container, prefix, cursor string, limit int) (list []job.Source, next string, err error)
}

// Lists keeps the documents that a batch named one by one: they may be more than an item can hold.
type Lists interface {
	Save(ctx context.Context, name string, text []byte) error
	Read(ctx context.Context, name string) ([]byte, error)
}

// Ports are what a Service works with.
type Ports struct {
	Store  Store
	Ledger *ledger.Ledger
	Queue  Queue
	Lister Lister
	Lists  Lists
	HTTP   *http.Client // for webhooks; nil is a careful one
	Log    *slog.Logger // may be nil
}

// Options are a Service's settings.
type Options struct {
	Queue     string        // of documents of normal priority, and of batch messages
	Bulk      string        // of documents of bulk priority
	Completed string        // queue that is told of ended batches; empty tells nobody
	Secret    job.Secret    // signs webhooks; without one there are none
	Page      int           // documents of one step of the fan-out; default 100
	Slice     time.Duration // how long one message works before it passes on; default 1 minute
	Now       func() time.Time
}
