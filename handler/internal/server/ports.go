package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/job"
)

// Journey is what happens to the messages and timers of the host.
//
// An error whose kind is retryable (fault.Retryable) makes the host bring the message back; a permanent one has been
// recorded by the journey when it is returned, and ends the message. All methods must return soon after ctx ends.
type Journey interface {
	// Convert takes a document on its journey. Job.Attempt is the delivery's number, 0 when unknown.
	Convert(ctx context.Context, job job.Job) error
	// Delete removes what is known of a document whose file was deleted.
	Delete(ctx context.Context, source job.Source) error
	// Reject records a message that nobody can read, so that it is not tried again.
	Reject(ctx context.Context, letter Letter) error
	// Poison records a message that the host gave up on.
	Poison(ctx context.Context, letter Letter) error
	// Sweep finds what fell between.
	Sweep(ctx context.Context, timer azfunc.Timer) error
}

// Commands handles the messages about batches: *event.BatchSubmit, *event.BatchExpand, *event.BatchRetry, *event.BatchCancel.
// Errors count as in Journey.
type Commands interface {
	Handle(ctx context.Context, message event.Message) error
}

// Letter is a queue message that ends unread or unfinished.
type Letter struct {
	Queue    string        // which function got it: convert, convert_bulk, poison
	Body     string        // as the queue had it
	Message  event.Message // what it asks for; nil when it cannot be read
	Reason   error         // why it is rejected; for Poison only set when it cannot be read
	ID       string        // of the queue message; empty when the host's metadata was overridden
	Attempt  int           // delivery number, 0 when unknown
	Inserted time.Time     // when it was put on the queue, zero when unknown
}

// key tells messages apart and is the same at each delivery of one: its id. The id of an Event Grid event hides that of its
// message; then it is the event's with the time at which the message was put on the queue, since the same event comes twice.
func (l Letter) key() string {
	m, ok := l.Message.(*event.Convert)
	if l.ID != "" || !ok || m.EventID == "" {
		return l.ID
	}
	return m.EventID + "/" + l.Inserted.UTC().Format(time.RFC3339)
}

// Mount adds routes below the route prefix, as server/api does.
type Mount interface {
	Routes(group *echo.Group)
}

// Options are what a Server is made of.
type Options struct {
	Version  string
	Log      *slog.Logger  // required; azfunc.NewLogHandler gives the right streams
	Decoder  event.Decoder // which accounts and containers messages may speak of
	Journey  Journey       // required
	Commands Commands      // nil: messages about batches are rejected
	API      Mount         // nil: every path below the prefix answers 404
	Prefix   string        // the host's route prefix, without slashes (azfunc.RoutePrefix); empty is an error
	Bindings Bindings      // names of the bindings in function.json; zero means the usual ones
	Deadline time.Duration // of one invocation; must lie below the host's functionTimeout. Default 25 minutes
	Settle   time.Duration // how long after the deadline the journey may take to return before it is left behind. Default 20 seconds
	APITime  time.Duration // of one request under the prefix; the front end of Azure cuts at 230 seconds. Default 200 seconds
}

// Bindings are the names that function.json gives the triggers.
type Bindings struct{ Queue, Timer string }

func (o Options) withDefaults() Options {
	if o.Deadline <= 0 {
		o.Deadline = 25 * time.Minute
	}
	if o.Settle <= 0 {
		o.Settle = 20 * time.Second
	}
	if o.APITime <= 0 {
		o.APITime = 200 * time.Second
	}
	if o.Bindings.Queue == "" {
		o.Bindings.Queue = "message"
	}
	if o.Bindings.Timer == "" {
		o.Bindings.Timer = "timer"
	}
	return o
}
