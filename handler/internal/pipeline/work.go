package pipeline

import (
	"context"
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

	dir    string // temporary, removed at the end
	file   string // the document, in dir
	out    string // its results, in dir
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
	if err := t.makeDirs(p.opt.TempDir); err != nil {
		return ledger.Record{}, err
	}
	defer os.RemoveAll(t.dir)
	if err := t.input(ctx, t); err != nil {
		return ledger.Record{}, err
	}
	// A password is tried, whatever results there are of the same bytes: it may be wrong.
	redo := p.opt.Redo || t.job.Options.Password != ""
	if record, done, err := p.adopt(ctx, t); (done || err != nil) && !redo {
		return record, err
	}
	if redo || !p.reuse(ctx, t) {
		if err := p.convert(ctx, t); err != nil {
			return ledger.Record{}, err
		}
	}
	members, err := p.members(ctx, t)
	if err != nil {
		return ledger.Record{}, err
	}
	return p.publish(ctx, t, members)
}

func (t *task) makeDirs(temp string) error {
	dir, err := os.MkdirTemp(temp, "decant-")
	if err != nil {
		return fault.New(fault.LimitDisk, "There is no room or right to write temporary files. Free disk space, or set the temporary directory.", err)
	}
	t.dir, t.file, t.out = dir, filepath.Join(dir, "input"), filepath.Join(dir, "out")
	return os.Mkdir(t.out, 0o700)
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
		Job: t.job, Input: t.file, OutDir: t.out, Alone: alone,
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
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Mkdir(dir, 0o700)
}
