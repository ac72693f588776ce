package pipeline

import (
	"context"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// fail writes how the work ended, even when ctx has ended already, and gives the record and the fault.
func (p *Pipeline) fail(ctx context.Context, t *task, err error) (ledger.Record, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.opt.Settle)
	defer cancel()
	f := fault.From(err)
	p.Log.InfoContext(ctx, "document not converted", "document", t.job.ID, "kind", f.Kind, "error", err)
	record, failure := p.writeEnd(ctx, t, f)
	if failure != nil && !isOver(failure) {
		return record, fault.From(failure)
	}
	if failure == nil && record.State.Terminal() {
		p.announce(ctx, record)
	}
	return record, f
}

// writeEnd chooses the record's move by the kind of fault.
func (p *Pipeline) writeEnd(ctx context.Context, t *task, f *fault.Error) (ledger.Record, error) {
	switch {
	case f.Kind == fault.Cancelled, f.Kind == fault.LeaseLost:
		return p.Ledger.Load(ctx, t.job.ID) // the record says so already, or belongs to somebody else
	case f.Kind == fault.Gone:
		return p.Delete(ctx, t.job.Source)
	case f.Kind == fault.Stale:
		return t.claim.Release(ctx, ledger.Superseded, f, t.usage)
	case f.Kind == fault.Interrupted:
		return t.claim.Release(ctx, ledger.Interrupted, f, t.usage)
	case fault.Retryable(f):
		return t.claim.Release(ctx, ledger.Deferred, f, t.usage)
	}
	return t.claim.Finish(ctx, ledger.Conclusion{State: ledger.Failed, Err: f, Usage: t.usage, Hash: t.hash})
}
