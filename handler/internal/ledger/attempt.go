package ledger

import (
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Bounds of what a record keeps about its attempts, so that it stays far below the 2 MB of a Cosmos item.
const (
	MaxAttempts = 20
	maxStderr   = 4 * 1024 // bytes of the tail of standard error
)

// Attempt is one try to convert a document.
type Attempt struct {
	Number     int        `json:"number"` // from 1, since it was last queued
	Generation int64      `json:"generation"`
	Owner      string     `json:"owner,omitempty"`
	ETag       string     `json:"etag,omitempty"` // of the file that was tried
	Alone      bool       `json:"alone,omitempty"`
	Started    time.Time  `json:"started"`
	Ended      time.Time  `json:"ended,omitzero"`
	Outcome    Outcome    `json:"outcome"`
	Kind       fault.Kind `json:"kind,omitempty"`
	Message    string     `json:"message,omitempty"`
	PeakMemory int64      `json:"peakMemory,omitempty"` // bytes
	Seconds    float64    `json:"seconds,omitempty"`    // wall clock of the conversion
	Stage      string     `json:"stage,omitempty"`      // last one that was reached
	Page       int        `json:"page,omitempty"`       // last one that was reached
	Stderr     string     `json:"stderr,omitempty"`     // its tail
	Outside    string     `json:"outside,omitempty"`    // the outside converter that had a part in it, with its version
}

// open starts an attempt at the end of the list and drops the oldest above MaxAttempts.
func (r *Record) open(a Attempt) {
	r.Attempts = append(r.Attempts, a)
	if extra := len(r.Attempts) - MaxAttempts; extra > 0 {
		r.Attempts = append([]Attempt(nil), r.Attempts[extra:]...)
	}
}

// close ends the running attempt, if there is one. usage may be nil.
func (r *Record) close(now time.Time, outcome Outcome, err error, usage *job.Usage) {
	if len(r.Attempts) == 0 {
		return
	}
	attempts := append([]Attempt(nil), r.Attempts...)
	a := &attempts[len(attempts)-1]
	if a.Outcome != Working {
		return
	}
	a.Outcome, a.Ended = outcome, now
	if err != nil {
		f := fault.From(err)
		a.Kind, a.Message = f.Kind, f.Message
	}
	if r.Progress != nil {
		a.Stage, a.Page = r.Progress.Stage, r.Progress.Page
	}
	if usage != nil {
		a.Outside = usage.Outside
		a.PeakMemory, a.Seconds, a.Stderr = usage.PeakMemory, usage.Wall.Seconds(), tail(usage.Stderr, maxStderr)
		if usage.Last.Stage != "" {
			a.Stage, a.Page = usage.Last.Stage, usage.Last.Page
		}
	}
	r.Attempts = attempts
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}
