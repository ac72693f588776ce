package ledger

import (
	"context"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Record gives the record as this claim last wrote it.
func (c *Claim) Record() Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record
}

// Check reads the record and tells whether the claim still holds: nil, or fault.Cancelled, fault.Gone, fault.LeaseLost.
func (c *Claim) Check(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.record.Lease == nil { // given up by Finish or Release
		return nil
	}
	r, err := c.ledger.store.Load(ctx, c.record.DocumentID)
	if err != nil {
		return lostIfMissing(err)
	}
	return c.holds(&r)
}

// Renew moves the lease's expiry to now plus the ledger's lease, and stores the last sign of life.
func (c *Claim) Renew(ctx context.Context, last *job.Progress) error {
	return c.write(ctx, func(r *Record) {
		if last != nil {
			r.Progress = last
		}
	})
}

// Seal says that results are about to be published: from now on it is too late to cancel.
func (c *Claim) Seal(ctx context.Context) error {
	return c.write(ctx, func(r *Record) { r.Sealed = true })
}

// Escalate closes the attempt that ended with err and opens the next one, alone, in the same claim.
func (c *Claim) Escalate(ctx context.Context, err error, usage job.Usage) error {
	return c.write(ctx, func(r *Record) {
		now := c.ledger.now()
		r.close(now, Escalated, err, &usage)
		r.Attempt++
		r.open(Attempt{Number: r.Attempt, Generation: r.Generation, Owner: r.Lease.Owner, ETag: r.Source.ETag,
			Alone: true, Started: now, Outcome: Working})
	})
}

// write changes the record while the claim holds, and renews its lease.
func (c *Claim) write(ctx context.Context, change func(*Record)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.record.Lease == nil { // given up by Finish or Release
		return nil
	}
	return c.replace(ctx, func(r *Record) {
		change(r)
		*r = c.extend(*r)
	})
}

// replace does one conditional write; when somebody else wrote first, it finds out what that means. The caller holds mu.
func (c *Claim) replace(ctx context.Context, change func(*Record)) error {
	r := c.record
	for range maxConflicts {
		change(&r)
		r.Updated = c.ledger.now()
		written, err := c.ledger.store.Replace(ctx, r)
		if err == nil {
			c.record = written
			return nil
		}
		if r, err = c.reload(ctx, err); err != nil {
			return err
		}
	}
	return fault.New(fault.Busy, "Too many others are changing this document's record at the same time. Try again later.", nil)
}

// reload reads the record after a conflict. It fails with err when that is something else, or when the claim is lost.
func (c *Claim) reload(ctx context.Context, err error) (Record, error) {
	if fault.KindOf(err) != fault.Conflict {
		return Record{}, lostIfMissing(err)
	}
	r, err := c.ledger.store.Load(ctx, c.record.DocumentID)
	if err != nil {
		return Record{}, lostIfMissing(err)
	}
	return r, c.holds(&r)
}

// holds tells from the stored record whether this claim is still the one.
func (c *Claim) holds(r *Record) error {
	switch {
	case r.State == Running && r.Generation == c.record.Generation:
		return nil
	case r.State == Cancelled && r.Generation == c.record.Generation:
		return fault.New(fault.Cancelled, "", nil)
	case r.State == Gone:
		return fault.New(fault.Gone, "", nil)
	}
	return fault.New(fault.LeaseLost, "", nil)
}

// lostIfMissing: a record that is not there any more was deleted by a person.
func lostIfMissing(err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return fault.New(fault.LeaseLost, "The document's record was deleted while it was being converted.", err)
	}
	return err
}

// Expired tells whether the lease, as this claim knows it, ends within margin: then others may have taken over.
func (c *Claim) Expired(margin time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record.Lease != nil && !c.ledger.now().Add(margin).Before(c.record.Lease.Expires)
}
