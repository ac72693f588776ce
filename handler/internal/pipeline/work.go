package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// task is one claimed document on its way.
type task struct {
	job   job.Job
	claim *ledger.Claim
	tree  *tree // the budget that it shares with the documents inside it
	input func(ctx context.Context, t *task) error

	bench  bench  // its temporary folder
	out    string // its results: in bench, or in the sink's own place
	placed bool   // out is the sink's
	hash   string // sha256 of the file
	result job.Result
	usage  *job.Usage // of the last conversion
	cached bool
	found  Manifest // what was published when the work began, if anything
	unread unread
	last   lastProgress
}

// work does everything between the claim and the record's end.
func (p *Pipeline) work(ctx context.Context, t *task) (ledger.Record, error) {
	held, release := p.hold(ctx, t)
	defer release()
	record, err := p.steps(held, t)
	if err == nil {
		return record, nil
	}
	return p.fail(ctx, t, trueCause(held, err))
}

// steps is the journey itself.
func (p *Pipeline) steps(ctx context.Context, t *task) (ledger.Record, error) {
	var err error
	if t.bench, err = p.benches.take(); err != nil {
		return ledger.Record{}, err
	}
	defer p.benches.giveBack(t.bench)
	if err := t.input(ctx, t); err != nil {
		return ledger.Record{}, err
	}
	// A password is tried, whatever results there are of the same bytes: it may be wrong.
	redo := p.opt.Redo || t.job.Options.Password != ""
	if record, done, err := p.adopt(ctx, t); (done || err != nil) && !redo {
		return record, err
	}
	target := Target{Source: t.job.Source, Generation: t.claim.Record().Generation}
	if err := p.makeOut(ctx, t, target); err != nil {
		return ledger.Record{}, err
	}
	defer p.abandon(ctx, t, target)
	if redo || !p.reuse(ctx, t) {
		if err := p.convert(ctx, t); err != nil {
			return ledger.Record{}, err
		}
	}
	members, err := p.members(ctx, t)
	if err != nil {
		return ledger.Record{}, err
	}
	return p.publish(ctx, t, target, members)
}

// makeOut makes the folder for the results, where they will stay if the sink has room for them there. Not so in shared processes:
// what lives on after a document must not be able to write to what is published.
func (p *Pipeline) makeOut(ctx context.Context, t *task, target Target) (err error) {
	if shop, ok := p.Sink.(Workshop); ok && !p.opt.Shared {
		t.placed = true
		t.out, err = shop.Workplace(ctx, target)
		return err
	}
	t.out = t.bench.out
	return os.Mkdir(t.out, 0o700)
}

// abandon removes results that were not published.
func (p *Pipeline) abandon(ctx context.Context, t *task, target Target) {
	if !t.placed {
		return
	}
	err := p.Sink.(Workshop).Abandon(context.WithoutCancel(ctx), target)
	p.warn(ctx, "remove unpublished results", t.claim.Record(), err)
}

// convert runs the converter; after a memory or crash fault once more, alone.
func (p *Pipeline) convert(ctx context.Context, t *task) error {
	err := p.convertOnce(ctx, t, false)
	if err == nil || ctx.Err() != nil || !fault.Lookup(fault.KindOf(err)).Escalates {
		return err
	}
	if err := t.claim.Escalate(ctx, err, *t.usage); err != nil {
		return err
	}
	if err := emptyDir(t.out); err != nil {
		return err
	}
	return p.convertOnce(ctx, t, true)
}

func (p *Pipeline) convertOnce(ctx context.Context, t *task, alone bool) error {
	result, usage, err := p.Converter.Convert(ctx, job.Request{
		Job: t.job, Input: t.bench.input, OutDir: t.out, Alone: alone,
		Progress: func(last job.Progress) { t.progress(p, last) },
	})
	t.usage = &usage
	if err != nil {
		return err
	}
	result.ContentHash = t.hash
	result.Fingerprint = t.job.Options.Fingerprint(p.Ledger.Version())
	if result.Version == "" {
		result.Version = p.Ledger.Version()
	}
	t.result = result
	return nil
}

func emptyDir(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}
