package pipeline

import (
	"context"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// claim takes the document for this process. Where somebody else holds it and leaving would be wrong, it waits for a verdict
// first (docs/decisions/dead-or-alive.md).
func (p *Pipeline) claim(ctx context.Context, j job.Job, o ledger.ClaimOptions) (*ledger.Claim, ledger.Record, error) {
	began := time.Now()
	var first ledger.Record
	for {
		claim, r, err := p.Ledger.Claim(ctx, j, o)
		if !p.waits(j, first, r, err) || time.Since(began) > p.patience() {
			return claim, r, err
		}
		if first.Lease == nil {
			first = r
			if p.opt.Waiting != nil {
				p.opt.Waiting(j, r)
			}
		}
		if err := p.pause(ctx, r); err != nil {
			return nil, r, err
		}
	}
}

// waits tells whether a refused claim is to be tried again soon.
func (p *Pipeline) waits(j job.Job, first, now ledger.Record, err error) bool {
	kind := fault.KindOf(err)
	switch {
	case now.State != ledger.Running || now.Lease == nil, kind != fault.Duplicate && kind != fault.Busy:
		return false
	case p.opt.Outwait > 0, kind == fault.Busy:
		return true
	}
	return now.Lease.Redelivered(j) && !showsLife(first, now)
}

// showsLife tells whether the worker that held the document at first has renewed its lease since.
func showsLife(first, now ledger.Record) bool {
	return first.Lease != nil && first.Generation == now.Generation && now.Lease.Expires.After(first.Lease.Expires)
}

// patience is how long a claim waits for others: a dead worker's lease is over by then.
func (p *Pipeline) patience() time.Duration {
	return max(p.Ledger.Lease()+p.opt.Poll, p.opt.Outwait)
}

// pause waits until it is worth while to look at the record again.
func (p *Pipeline) pause(ctx context.Context, r ledger.Record) error {
	step := min(p.opt.Poll, p.Ledger.Lease()/8)
	pause := max(step, min(8*step, time.Until(r.Lease.Expires)))
	if p.opt.Outwait > 0 { // somebody sits and waits
		pause = step
	}
	look := time.NewTimer(pause)
	defer look.Stop()
	select {
	case <-look.C:
		return nil
	case <-ctx.Done():
		return fault.New(fault.Interrupted, "", context.Cause(ctx))
	}
}
