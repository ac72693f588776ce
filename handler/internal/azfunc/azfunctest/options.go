package azfunctest

import (
	"errors"
	"log/slog"
	"os"
	"time"
)

// ErrUnsupported is in the chain of every refusal of something that the real host can do and this one cannot.
var ErrUnsupported = errors.New("the stand-in host cannot do this")

// Options say what to run and how.
type Options struct {
	Dir     string       // the app folder, as `func start` would be run in
	Environ []string     // environment of the host, inherited by the handler; nil means os.Environ
	Queues  Queues       // required when a function has a queue trigger
	Log     *slog.Logger // nil: nothing is logged
	Observe func(Event)  // nil, or called for everything that happens; must not block; called from many goroutines

	Address     string // of the HTTP front; default 127.0.0.1:0
	FunctionKey string // required of callers where authLevel is not anonymous; empty: no keys are checked, as under `func start`
	RunTimers   bool   // run each timer once when the handler is ready
	NoSchedule  bool   // never run timers by their schedule

	Times Times
}

// Times are what the real host has fixed; tests shorten them. Zero means the host's own value.
type Times struct {
	Lease       time.Duration // 10 minutes: how long a received message is hidden; renewed at half of it
	Probe       time.Duration // 25 ms: between two readiness probes
	Grace       time.Duration // 2 s: from functionTimeout to the kill
	ErrorWindow time.Duration // 30 minutes: a longer time between two crashes forgets the earlier ones
	StopWait    time.Duration // 10 s: how long Stop waits for running messages
	ClientExtra time.Duration // 1 minute: what the HTTP client waits beyond functionTimeout
	MinPoll     time.Duration // 100 ms: shortest pause between two looks at an empty queue
}

func (o Options) withDefaults() Options {
	set := func(field *time.Duration, value time.Duration) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&o.Times.Lease, 10*time.Minute)
	set(&o.Times.Probe, 25*time.Millisecond)
	set(&o.Times.Grace, 2*time.Second)
	set(&o.Times.ErrorWindow, 30*time.Minute)
	set(&o.Times.StopWait, 10*time.Second)
	set(&o.Times.ClientExtra, time.Minute)
	set(&o.Times.MinPoll, 100*time.Millisecond)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	return o
}
