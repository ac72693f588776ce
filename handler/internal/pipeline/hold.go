package pipeline

import (
	"context"
	"sync/atomic"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// hold keeps the claim alive while the work runs, and ends the context it returns, with the reason as its cause, when the
// document was cancelled, deleted or taken over. release must be called once; it waits for the keeper.
func (p *Pipeline) hold(ctx context.Context, t *task) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	t.last.Store(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.keep(held, cancel, t)
	}()
	return held, func() {
		cancel(nil)
		<-done
	}
}

// keep looks at the record every Poll, which is how a cancel reaches this process, and renews the lease in good time.
func (p *Pipeline) keep(ctx context.Context, cancel context.CancelCauseFunc, t *task) {
	tick := time.NewTicker(min(p.opt.Poll, p.Ledger.Lease()/4))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var err error
		if t.claim.Expired(p.Ledger.Lease() * 2 / 3) {
			err = t.claim.Renew(ctx, t.last.Load())
		} else {
			err = t.claim.Check(ctx)
		}
		if over := isOver(err); over || t.claim.Expired(0) {
			if !over {
				err = fault.New(fault.LeaseLost, "The record of the document could not be renewed in time.", err)
			}
			cancel(err)
			return
		}
	}
}

// isOver tells whether an error of a claim means that it is lost; anything else may pass.
func isOver(err error) bool {
	switch fault.KindOf(err) {
	case fault.Cancelled, fault.Gone, fault.LeaseLost:
		return true
	}
	return false
}

// progress remembers the last sign of life and passes it on.
func (t *task) progress(p *Pipeline, last job.Progress) {
	t.last.Store(&last)
	if p.Watch != nil {
		p.Watch(t.job, last)
	}
}

type lastProgress = atomic.Pointer[job.Progress]

// trueCause finds why the work ended: what ended its context says more than what the steps made of it.
func trueCause(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	cause := context.Cause(ctx)
	if isOver(cause) {
		return cause
	}
	if kind := fault.KindOf(cause); kind == fault.Interrupted || kind == fault.Timeout {
		return fault.New(kind, "", err)
	}
	return err
}
