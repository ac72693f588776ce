package ledger

import (
	"context"

	"decant/handler/internal/job"
)

// Conclusion is how a claim ends for good.
type Conclusion struct {
	State    State       // Succeeded, Empty, Failed, Cancelled or Gone
	Err      error       // why, for the last three
	Result   *job.Result // when published
	Usage    *job.Usage  // of the last conversion; nil when there was none
	Changes  *Changes    // of the chunks
	Children []job.ID    // attachments that are documents now
	Cached   bool        // the results are another conversion's
	// Published is the generation that readers see from now on; 0 means this claim's own.
	Published int64
	Chunks    ChunkChange // to be stored together with the record
	Hash      string      // of the content, when it was read but there is no result
}

// Finish writes the end of the work, with its chunks, and gives the claim up.
// fault.Cancelled, fault.Gone and fault.LeaseLost mean that it did not count.
func (c *Claim) Finish(ctx context.Context, end Conclusion) (Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mustMove(Running, end.State)
	before := c.record
	for range maxConflicts {
		after := before
		c.conclude(&after, end)
		end.Chunks.Touch = c.extend
		written, err := c.ledger.store.Commit(ctx, before, after, end.Chunks)
		if err == nil {
			c.record = written
			return written, nil
		}
		if before, err = c.reload(ctx, err); err != nil {
			return before, err
		}
	}
	return before, c.replace(ctx, func(*Record) {})
}

func (c *Claim) conclude(r *Record, end Conclusion) {
	now := c.ledger.now()
	r.close(now, Outcome(end.State), end.Err, end.Usage)
	r.State, r.Lease, r.Sealed, r.Progress = end.State, nil, false, nil
	r.Cause = CauseOf(end.Err)
	r.Finished, r.Updated = now, now
	r.Cached = end.Cached
	if end.Hash != "" {
		r.ContentHash = end.Hash
	}
	if !end.State.Readable() {
		return
	}
	r.Published = end.Published
	if r.Published == 0 {
		r.Published = r.Generation
	}
	r.Changes, r.Children = end.Changes, end.Children
	if res := end.Result; res != nil {
		r.ContentHash, r.Version, r.Format = res.ContentHash, res.Version, res.Format
		r.Outside = res.Outside
		r.Title, r.Language, r.Counts, r.Warnings = res.Title, res.Language, res.Counts, res.Warnings
	}
}

// Release gives the document back to the queue: deferred, interrupted or superseded. err says why and may be nil.
func (c *Claim) Release(ctx context.Context, outcome Outcome, err error, usage *job.Usage) (Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	failure := c.replace(ctx, func(r *Record) {
		r.close(c.ledger.now(), outcome, err, usage)
		r.State, r.Lease, r.Sealed, r.Progress = Queued, nil, false, nil
		r.Cause = CauseOf(err)
	})
	return c.record, failure
}

// extend renews the lease in a record.
func (c *Claim) extend(r Record) Record {
	lease := *r.Lease
	lease.Expires = c.ledger.now().Add(c.ledger.opt.Lease)
	r.Lease = &lease
	return r
}
