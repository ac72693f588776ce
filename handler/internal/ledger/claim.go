package ledger

import (
	"context"
	"sync"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// ClaimOptions change how Claim decides.
type ClaimOptions struct {
	// Current tells whether the event's version is what lies there now. It is asked when neither ETags nor sequencers
	// tell which of two versions is newer. Nil counts as yes.
	Current func(context.Context) (bool, error)
	// Again claims documents that failed, were cancelled or poisoned, although nothing asked for it but this job.
	Again bool
	// Redo claims documents that are done, too: their results are missing.
	Redo bool
	// Force claims whatever others hold: for an attachment, by the one who holds its parent.
	Force bool
}

// Claim is the right to work on a document until its lease expires. Its methods are safe for concurrent use.
// After Finish, Release, or a fault.LeaseLost or fault.Cancelled from any method, it is over.
type Claim struct {
	ledger *Ledger
	mu     sync.Mutex
	record Record
}

// Claim takes a job's document for this process. Faults say why there is nothing to do: fault.Duplicate (done, or another
// one is at it), fault.Stale (an older version), fault.Cancelled, fault.Gone, fault.Busy (come back later: others work on
// it with other options). The record that decided is returned with them.
func (l *Ledger) Claim(ctx context.Context, j job.Job, o ClaimOptions) (*Claim, Record, error) {
	r, err := l.update(ctx, j.Source.ID(), func(r *Record) error {
		if err := l.mayClaim(ctx, r, j, o); err != nil {
			return err
		}
		l.take(r, j)
		return nil
	})
	if err != nil {
		return nil, r, err
	}
	return &Claim{ledger: l, record: r}, r, nil
}

// mayClaim is the decision table: nil when the job may be worked on.
func (l *Ledger) mayClaim(ctx context.Context, r *Record, j job.Job, o ClaimOptions) error {
	if r.State == "" || o.Force {
		return nil
	}
	order, err := l.order(ctx, r, j, o)
	if err != nil {
		return err
	}
	sameWork := r.Fingerprint == "" || r.Fingerprint == j.Options.Fingerprint(l.opt.Version)
	switch {
	case order == Older:
		return fault.New(fault.Stale, "", nil)
	case order == Newer, r.State == Queued:
		return nil
	case r.Removed:
		return fault.New(fault.Gone, removedWords, nil)
	case r.State == Running && !l.Held(r):
		return nil
	case r.State == Running && !sameWork:
		return fault.New(fault.Busy, "The document is being converted with other options. This request waits for it.", nil)
	case r.State == Gone:
		return l.backAgain(ctx, o)
	case !r.State.Terminal():
		return fault.New(fault.Duplicate, "", nil)
	case !sameWork, o.Redo, o.Again && !r.State.Readable():
		return nil
	case r.State == Cancelled:
		return fault.New(fault.Cancelled, "", nil)
	}
	return fault.New(fault.Duplicate, "", nil)
}

// backAgain tells whether a file that counts as deleted lies there again, in the very version that was known.
func (l *Ledger) backAgain(ctx context.Context, o ClaimOptions) error {
	if o.Current != nil {
		current, err := o.Current(ctx)
		if err != nil || current {
			return err
		}
	}
	return fault.New(fault.Gone, "", nil)
}

// order is Compare, with a look at the file where that cannot tell.
func (l *Ledger) order(ctx context.Context, r *Record, j job.Job, o ClaimOptions) (Order, error) {
	order := Compare(j.Source, r.Source)
	if order != Unknown {
		return order, nil
	}
	if o.Current == nil {
		return Newer, nil
	}
	current, err := o.Current(ctx)
	switch {
	case err != nil:
		return Unknown, err
	case current:
		return Newer, nil
	}
	return Older, nil
}

// take writes this process's claim into the record.
func (l *Ledger) take(r *Record, j job.Job) {
	now := l.now()
	newVersion := r.State != "" && Compare(j.Source, r.Source) != Same
	switch {
	case newVersion:
		r.close(now, Superseded, nil, nil)
	default:
		r.close(now, Interrupted, nil, nil)
	}
	if newVersion || r.State != Running {
		r.Attempt = 0
	}
	r.Source = mergeSource(j.Source, r.Source, newVersion)
	r.Options, r.Limits, r.Depth, r.Parent = j.Options, j.Limits, j.Depth, j.Source.Parent
	r.Fingerprint = j.Options.Fingerprint(l.opt.Version)
	if j.BatchID != "" {
		r.BatchID = j.BatchID
	}
	if r.Queued.IsZero() || newVersion {
		r.Queued = j.Enqueued
	}
	r.State, r.Sealed, r.Cause, r.Progress, r.Cleanup, r.Removed = Running, false, nil, nil, false, false
	r.Generation++
	r.Attempt++
	r.Started, r.Finished = now, time.Time{}
	r.Lease = &Lease{Owner: l.opt.Owner, Expires: now.Add(l.opt.Lease), Message: j.Message, Delivery: j.Attempt}
	r.open(Attempt{Number: r.Attempt, Generation: r.Generation, Owner: l.opt.Owner, ETag: r.Source.ETag, Started: now, Outcome: Working})
}

// mergeSource takes the event's view of the file, and keeps what only the record knows about the same version.
func mergeSource(event, known job.Source, newVersion bool) job.Source {
	if newVersion {
		return event
	}
	if event.Sequencer == "" {
		event.Sequencer = known.Sequencer
	}
	if event.ETag == "" {
		event.ETag = known.ETag
	}
	return event
}
