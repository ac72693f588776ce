package ledger

import (
	"context"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// MaxRetries is how often people may put one document back before they must upload it again.
const MaxRetries = 20

// Enqueue notes that a message for the job is about to be put on a queue. It changes nothing when the same version is
// already queued, running or done with the same options, or was removed by a person and no batch names it; fresh tells whether a
// message is needed.
func (l *Ledger) Enqueue(ctx context.Context, j job.Job) (r Record, fresh bool, err error) {
	r = Record{DocumentID: j.Source.ID(), Updated: l.now()}
	l.queue(&r, j)
	if r, err = l.store.Create(ctx, r); fault.KindOf(err) != fault.Conflict { // most are new
		return r, true, err
	}
	r, err = l.update(ctx, j.Source.ID(), func(r *Record) error {
		order := Compare(j.Source, r.Source)
		sameWork := r.Fingerprint == "" || r.Fingerprint == j.Options.Fingerprint(l.opt.Version)
		fresh = r.State == "" || order != Same || !sameWork || (r.State.Terminal() && !r.State.Readable())
		if r.Removed && order == Same && j.BatchID == "" {
			fresh = false
		}
		if !fresh || l.Held(r) || order == Older {
			return errUnchanged
		}
		l.queue(r, j)
		return nil
	})
	return r, fresh, err
}

func (l *Ledger) queue(r *Record, j job.Job) {
	now := l.now()
	r.close(now, Interrupted, nil, nil)
	r.Source = mergeSource(j.Source, r.Source, Compare(j.Source, r.Source) != Same)
	r.Options, r.Limits, r.Depth, r.Parent = j.Options, j.Limits, j.Depth, j.Source.Parent
	r.Fingerprint = j.Options.Fingerprint(l.opt.Version)
	if j.BatchID != "" {
		r.BatchID = j.BatchID
	}
	r.State, r.Attempt, r.Queued, r.Finished = Queued, 0, now, time.Time{}
	r.Lease, r.Sealed, r.Progress, r.Cause, r.Cleanup, r.Removed = nil, false, nil, nil, false, false
}

// removedWords are for whoever comes with a version of a file that was removed.
const removedWords = "The document was removed, and this version of its file is not converted again. Upload the file anew, or name it in a batch."

// Remove notes that a person wants nothing kept of a document whose file stays; whoever works on it has lost it. What is left is
// which version of the file that was, so that events and the sweeper leave that very version alone. The caller removes results
// and chunks, then calls Cleaned. fault.NotFound when there is no such document.
func (l *Ledger) Remove(ctx context.Context, id job.ID) (Record, error) {
	return l.update(ctx, id, func(r *Record) error {
		switch {
		case r.State == "":
			return notFound()
		case r.Removed:
			return errUnchanged
		}
		*r = Record{
			DocumentID: r.DocumentID, Source: r.Source, Generation: r.Generation + 1, Children: r.Children, BatchID: r.BatchID, ETag: r.ETag,
			State: Gone, Removed: true, Cleanup: true, Cause: CauseOf(fault.New(fault.Gone, removedWords, nil)), Finished: l.now(),
		}
		return nil
	})
}

// Cancel stops a document that is queued or running, and records who did; by may be empty. Cancelling twice gives the same answer.
// fault.Conflict when it is done, or its results are being published; fault.NotFound when there is no such document.
func (l *Ledger) Cancel(ctx context.Context, id job.ID, by string) (Record, error) {
	return l.update(ctx, id, func(r *Record) error {
		switch {
		case r.State == "", r.Removed:
			return notFound()
		case r.State == Cancelled:
			return errUnchanged
		case r.State.Terminal():
			return fault.Newf(fault.Conflict, "The document is %s already; there is nothing to cancel.", r.State)
		case r.Sealed && l.Held(r):
			return fault.New(fault.Conflict, "The document is finished but for its last write; there is nothing to cancel.", nil)
		}
		err := fault.New(fault.Cancelled, "", nil)
		r.close(l.now(), Outcome(Cancelled), err, nil)
		r.State, r.Lease, r.Sealed, r.Progress = Cancelled, nil, false, nil
		r.Cause, r.Finished = CauseOf(err), l.now()
		r.Cause.By = by
		return nil
	})
}

// Retry puts a document that failed, was cancelled or poisoned back in the queue, with other limits where they are set.
// The caller puts its Job on a queue. fault.Conflict when it is in another state or was put back MaxRetries times.
func (l *Ledger) Retry(ctx context.Context, id job.ID, limits job.Limits) (Record, error) {
	return l.update(ctx, id, func(r *Record) error {
		switch {
		case r.State == "", r.Removed:
			return notFound()
		case r.State != Failed && r.State != Cancelled && r.State != Poisoned:
			return fault.Newf(fault.Conflict, "The document is %s; only failed, cancelled and poisoned ones can be retried.", r.State)
		case r.Retries >= MaxRetries:
			return fault.Newf(fault.Conflict, "The document was retried %d times already. Upload it again.", r.Retries)
		}
		r.Retries++
		r.State, r.Attempt, r.Queued, r.Finished, r.Cause = Queued, 0, l.now(), time.Time{}, nil
		r.Limits = overlay(r.Limits, limits)
		return nil
	})
}

// overlay takes the fields that are set in change.
func overlay(limits, change job.Limits) job.Limits {
	if change.Memory > 0 {
		limits.Memory = change.Memory
	}
	if change.Timeout > 0 {
		limits.Timeout = change.Timeout
	}
	if change.NoProgress > 0 {
		limits.NoProgress = change.NoProgress
	}
	if change.Pages > 0 {
		limits.Pages = change.Pages
	}
	if change.Input > 0 {
		limits.Input = change.Input
	}
	if change.Output > 0 {
		limits.Output = change.Output
	}
	if change.Disk > 0 {
		limits.Disk = change.Disk
	}
	return limits
}

// Poison notes that the host gave up a document's message. It works whatever is known of the document, and never undoes
// an end that was reached meanwhile: the record as it is comes back.
func (l *Ledger) Poison(ctx context.Context, j job.Job, cause error) (Record, error) {
	return l.update(ctx, j.Source.ID(), func(r *Record) error {
		late := r.State != "" && Compare(j.Source, r.Source) == Older
		if late || l.Held(r) || (r.State.Terminal() && r.State != Failed) {
			return errUnchanged
		}
		if r.State == "" {
			l.queue(r, j)
			r.State = ""
		}
		r.close(l.now(), Outcome(Poisoned), cause, nil)
		known := r.Cause
		r.State, r.Lease, r.Sealed, r.Progress = Poisoned, nil, false, nil
		r.Cause, r.Finished = CauseOf(cause), l.now()
		if known != nil {
			r.Cause = known // what our own code saw says more than "the host gave up"
		}
		return nil
	})
}

// MarkGone notes that the file was deleted, with the delete event's sequencer; whoever works on it has lost it.
// The caller removes results and chunks, then calls Cleaned. fault.Stale when a newer upload is known already.
func (l *Ledger) MarkGone(ctx context.Context, src job.Source) (Record, error) {
	return l.update(ctx, src.ID(), func(r *Record) error {
		if r.State != "" && src.Sequencer != "" && r.Source.Sequencer != "" && compareSequencers(src.Sequencer, r.Source.Sequencer) == Older {
			return fault.New(fault.Stale, "", nil)
		}
		if r.State == Gone {
			return errUnchanged
		}
		r.close(l.now(), Outcome(Gone), fault.New(fault.Gone, "", nil), nil)
		if r.State == "" {
			r.Source = src
		}
		if src.Sequencer != "" {
			r.Source.Sequencer = src.Sequencer
		}
		r.Generation++
		r.State, r.Lease, r.Sealed, r.Progress, r.Cleanup = Gone, nil, false, nil, true
		r.Cause, r.Finished = CauseOf(fault.New(fault.Gone, "", nil)), l.now()
		return nil
	})
}

// Cleaned notes that nothing of a gone document is left: its chunk items go with this write. Where somebody else cleaned up at the
// same time, or the file came back meanwhile, the record as it is then comes back.
func (l *Ledger) Cleaned(ctx context.Context, r Record) (Record, error) {
	for range maxConflicts {
		written, err := l.cleaned(ctx, r)
		if fault.KindOf(err) != fault.Conflict {
			return written, err
		}
		if r, err = l.store.Load(ctx, r.DocumentID); err != nil || !r.Cleanup {
			return r, err
		}
	}
	return r, fault.New(fault.Busy, "Too many others are changing this document's record at the same time. Try again later.", nil)
}

func (l *Ledger) cleaned(ctx context.Context, r Record) (Record, error) {
	change := ChunkChange{}
	for c, err := range l.store.ChunkStamps(ctx, r.DocumentID) {
		if err != nil {
			return r, err
		}
		change.Remove = append(change.Remove, c.ID)
	}
	after := r
	after.Cleanup, after.Published, after.Children, after.Updated = false, 0, nil, l.now()
	after.Counts, after.Changes = job.Counts{}, nil
	return l.store.Commit(ctx, r, after, change)
}

// Forget removes a document's record and chunks. The caller has removed its results.
func (l *Ledger) Forget(ctx context.Context, r Record) error { return l.store.Delete(ctx, r) }

func notFound() error { return fault.New(fault.NotFound, "", nil) }

// Expire takes a document back to the queue whose worker let its lease run out. due is false when there is nothing to do.
// The caller puts its Job on a queue.
func (l *Ledger) Expire(ctx context.Context, id job.ID) (r Record, due bool, err error) {
	r, err = l.update(ctx, id, func(r *Record) error {
		if due = r.State == Running && !l.Held(r); !due {
			return errUnchanged
		}
		r.close(l.now(), Interrupted, fault.New(fault.Interrupted, "The worker disappeared: its lease ran out.", nil), nil)
		r.State, r.Lease, r.Sealed, r.Progress, r.Queued = Queued, nil, false, nil, l.now()
		return nil
	})
	return r, due, err
}

// Remind notes that a new message is sent for a document that has waited since before. due is false when it has not.
func (l *Ledger) Remind(ctx context.Context, id job.ID, before time.Time) (r Record, due bool, err error) {
	r, err = l.update(ctx, id, func(r *Record) error {
		if due = r.State == Queued && r.Updated.Before(before); !due {
			return errUnchanged
		}
		return nil
	})
	return r, due, err
}
