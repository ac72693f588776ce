package azfunctest

import (
	"log/slog"
	"time"
)

// EventKind names something that the host did or saw.
type EventKind string

// The kinds of events.
const (
	HandlerStarted    EventKind = "handler started"     // PID
	HandlerNotStarted EventKind = "handler not started" // Err; the host does not try again
	HandlerReady      EventKind = "handler ready"       // PID
	HandlerNotReady   EventKind = "handler not ready"   // PID; killed, and counted as an error
	HandlerExited     EventKind = "handler exited"      // PID, Exit
	HandlerKilled     EventKind = "handler killed"      // PID, Text says why
	HandlerLine       EventKind = "handler line"        // Level, Text
	FunctionDropped   EventKind = "function dropped"    // Function, Err
	Invoked           EventKind = "invoked"             // Function, Invocation, Message, Attempt
	Succeeded         EventKind = "succeeded"           // the same
	Failed            EventKind = "failed"              // the same, Err
	TimedOut          EventKind = "timed out"           // the same
	FunctionLog       EventKind = "function log"        // Function, Invocation, Text: an entry of Logs
	MessageDeleted    EventKind = "message deleted"     // Queue, Message
	MessageReleased   EventKind = "message released"    // Queue, Message, Attempt
	MessageRenewed    EventKind = "message renewed"     // Queue, Message
	MessagePoisoned   EventKind = "message poisoned"    // Queue (the poison queue), Message, Attempt
	MessageStuck      EventKind = "message stuck"       // Queue, Message: there is no poison queue for it
	QueueTrouble      EventKind = "queue trouble"       // Queue, Err
	HostStopped       EventKind = "host stopped"        // Err: why it stopped itself, or nil
)

// Event is something that happened; its Kind says which fields are set.
type Event struct {
	Time       time.Time
	Kind       EventKind
	Function   string
	Invocation string
	Queue      string
	Message    string // id of the queue message
	Attempt    int    // its dequeue count
	PID        int
	Exit       int
	Level      slog.Level
	Text       string
	Err        error
}

// levels of the events that are worth more or less than information.
var levels = map[EventKind]slog.Level{
	HandlerNotStarted: slog.LevelError, HandlerNotReady: slog.LevelError, FunctionDropped: slog.LevelError,
	Failed: slog.LevelError, TimedOut: slog.LevelError, MessagePoisoned: slog.LevelWarn, MessageStuck: slog.LevelWarn,
	QueueTrouble: slog.LevelWarn, MessageRenewed: slog.LevelDebug, MessageDeleted: slog.LevelDebug,
}

func (h *Host) emit(e Event) {
	e.Time = time.Now()
	if h.opt.Observe != nil {
		h.opt.Observe(e)
	}
	level := levels[e.Kind]
	if e.Kind == HandlerLine {
		h.opt.Log.Log(h.ctx, e.Level, e.Text, "category", "Host.Function.Console")
		return
	}
	h.opt.Log.LogAttrs(h.ctx, level, string(e.Kind), e.attrs()...)
}

func (e Event) attrs() []slog.Attr {
	var attrs []slog.Attr
	text := func(name, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(name, value))
		}
	}
	number := func(name string, value int) {
		if value != 0 {
			attrs = append(attrs, slog.Int(name, value))
		}
	}
	text("function", e.Function)
	text("invocation", e.Invocation)
	text("queue", e.Queue)
	text("message", e.Message)
	number("attempt", e.Attempt)
	number("pid", e.PID)
	text("text", e.Text)
	if e.Kind == HandlerExited {
		attrs = append(attrs, slog.Int("exit", e.Exit))
	}
	if e.Err != nil {
		text("error", e.Err.Error())
	}
	return attrs
}
