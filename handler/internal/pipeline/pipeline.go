package pipeline

import (
	"context"
	"log/slog"
	"os"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Pipeline takes documents on their journey. It is safe for concurrent use.
type Pipeline struct {
	Ports
	opt     Options
	benches benches
}

// New makes a Pipeline. Ledger, Fetcher, Converter and Sink must be set.
func New(ports Ports, opt Options) *Pipeline {
	if opt.TempDir == "" {
		opt.TempDir = os.TempDir()
	}
	if opt.Poll <= 0 {
		opt.Poll = time.Second
	}
	if opt.Settle <= 0 {
		opt.Settle = 15 * time.Second
	}
	if ports.Log == nil {
		ports.Log = slog.New(slog.DiscardHandler)
	}
	return &Pipeline{Ports: ports, opt: opt, benches: benches{temp: opt.TempDir, reuse: opt.Reuse, shared: opt.Shared}}
}

// Handle converts one document, or finds that there is nothing to do.
//
// A nil error means that results are published. Otherwise the error is a fault with the reason, which is in the record
// too where there is one; fault.Retryable tells whether the message should come back. fault.Duplicate comes with the
// record that made the job unnecessary.
func (p *Pipeline) Handle(ctx context.Context, j job.Job) (ledger.Record, error) {
	j, err := p.prepare(ctx, j)
	if err != nil {
		return p.neverStarted(ctx, j, err)
	}
	o := ledger.ClaimOptions{Again: p.opt.Again || p.opt.Redo, Redo: p.opt.Redo, Current: func(ctx context.Context) (bool, error) { return p.isCurrent(ctx, j.Source) }}
	claim, record, err := p.claim(ctx, j, o)
	if p.resultsMissing(ctx, record, err) {
		o.Redo = true
		claim, record, err = p.claim(ctx, j, o)
	}
	if err != nil {
		p.announceAgain(ctx, j, record, err)
		return record, fault.From(err)
	}
	return p.work(ctx, &task{job: j, claim: claim, tree: newTree(j.Limits), input: p.fromSource})
}

// prepare fills in what the job leaves open. Without an ETag the file is looked at first, so that the record knows
// which version was converted.
func (p *Pipeline) prepare(ctx context.Context, j job.Job) (job.Job, error) {
	j.ID = j.Source.ID()
	j.Options = j.Options.Normalize()
	given := j.Limits
	j.Limits = given.For(j.Source.Size)
	if !j.NotAfter.IsZero() && time.Now().After(j.NotAfter) {
		return j, fault.New(fault.Cancelled, "The document was not started before its time ran out.", nil)
	}
	if j.Source.ETag != "" || j.Source.Parent != "" {
		return j, nil
	}
	now, err := p.Fetcher.Stat(ctx, j.Source)
	if err != nil {
		return j, err
	}
	j.Source.ETag, j.Source.Size = now.ETag, now.Size
	j.Limits = given.For(now.Size)
	if j.Source.MediaType == "" {
		j.Source.MediaType = now.MediaType
	}
	return j, nil
}

// neverStarted records what is known of a job that could not be claimed.
func (p *Pipeline) neverStarted(ctx context.Context, j job.Job, err error) (ledger.Record, error) {
	f := fault.From(err)
	var record ledger.Record
	var failure error
	switch f.Kind {
	case fault.Gone:
		record, failure = p.Delete(ctx, j.Source)
	case fault.Cancelled:
		if record, failure = p.Ledger.Cancel(ctx, j.ID, ""); failure == nil {
			p.announce(ctx, record)
		}
	}
	if failure != nil && fault.KindOf(failure) != fault.NotFound && fault.KindOf(failure) != fault.Conflict {
		return record, fault.From(failure)
	}
	return record, f
}

// isCurrent tells whether the source's version is what lies there now.
func (p *Pipeline) isCurrent(ctx context.Context, src job.Source) (bool, error) {
	now, err := p.Fetcher.Stat(ctx, src)
	if err != nil {
		return false, err
	}
	return src.ETag == "" || now.ETag == src.ETag, nil
}

// resultsMissing tells whether a document counts as done although somebody removed its results.
func (p *Pipeline) resultsMissing(ctx context.Context, r ledger.Record, err error) bool {
	if fault.KindOf(err) != fault.Duplicate || !r.State.Readable() {
		return false
	}
	_, err = p.Sink.Manifest(ctx, r.Source)
	return fault.KindOf(err) == fault.NotFound
}

// announce tells others about a finished document. The record is what counts, so a failure is only logged.
func (p *Pipeline) announce(ctx context.Context, r ledger.Record) {
	if p.Announcer == nil {
		return
	}
	if err := p.Announcer.Announce(ctx, CompletedOf(r)); err != nil {
		p.Log.WarnContext(ctx, "announce completed document", "document", r.DocumentID, "error", err)
	}
}

// announceAgain mends an announcement that may have been lost when an instance died after the record was written:
// the message came back, and the document is done.
func (p *Pipeline) announceAgain(ctx context.Context, j job.Job, r ledger.Record, err error) {
	if j.Attempt > 1 && fault.KindOf(err) == fault.Duplicate && r.State.Terminal() {
		p.announce(ctx, r)
	}
}
