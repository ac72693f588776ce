package fault

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Kind names one way in which a document, a request or the service can fail.
// Its text is stable: it is stored in records, shown in /api and accepted by `decant redrive --class`.
type Kind string

// The kinds. What each means for retries, HTTP, exit codes and words is in table.go.
const (
	Unsupported  Kind = "unsupported_format"
	Empty        Kind = "empty_file"
	Encrypted    Kind = "encrypted"
	Corrupt      Kind = "corrupt"
	TooLarge     Kind = "too_large"
	TooManyPages Kind = "too_many_pages"
	LimitRatio   Kind = "limit_ratio"  // an archive member that unpacks to far more than it stores
	LimitDepth   Kind = "limit_depth"  // archives in archives in archives
	LimitOutput  Kind = "limit_output" // more output than the job may write
	LimitDisk    Kind = "limit_disk"   // more temporary disk than the job may use
	Timeout      Kind = "timeout"
	NoProgress   Kind = "no_progress"
	Memory       Kind = "memory"
	Crash        Kind = "crash"
	Sandbox      Kind = "sandbox_unavailable"

	Interrupted Kind = "interrupted" // our own shutdown, or the host's
	Busy        Kind = "busy"
	Storage     Kind = "storage_unavailable"
	Throttled   Kind = "throttled"
	LeaseLost   Kind = "lease_lost"

	Cancelled  Kind = "cancelled"
	Gone       Kind = "blob_gone"
	Stale      Kind = "stale_event"
	Duplicate  Kind = "duplicate"
	BadMessage Kind = "bad_message"
	BadRequest Kind = "bad_request"
	NotFound   Kind = "not_found"
	Conflict   Kind = "conflict"
	Denied     Kind = "permission_denied"

	Internal Kind = "internal"
)

// Error is a failure with a kind for programs, a sentence for people and a cause for the log.
// The sentence says what happened, why, and what to do; it never contains a path of this machine, a key or a stack.
type Error struct {
	Kind    Kind
	Message string
	Err     error
}

// New makes an Error. An empty message takes the kind's standard words.
func New(kind Kind, message string, err error) *Error {
	if message == "" {
		message = Lookup(kind).Words
	}
	return &Error{Kind: kind, Message: message, Err: err}
}

// Newf is New with a formatted message and no cause.
func Newf(kind Kind, format string, args ...any) *Error {
	return New(kind, fmt.Sprintf(format, args...), nil)
}

func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Kind) + ": " + e.Message
	}
	return string(e.Kind) + ": " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, fault.New(kind, "", nil)) true for every error of that kind.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Err == nil && t.Kind == e.Kind
}

// From gives err as an *Error: itself if it has a kind, a cancelled or expired context translated, anything else as Internal.
// From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, "", err)
	case errors.Is(err, context.Canceled):
		return New(Interrupted, "", err)
	case errors.Is(err, syscall.ENOSPC):
		return New(Storage, "There is no room left on the disk. Make room, or choose another folder for the results (--out) or for temporary files (TMPDIR).", err)
	}
	return New(Internal, "", err)
}

// KindOf is the kind of err, or "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}
