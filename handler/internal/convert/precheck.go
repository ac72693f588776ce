package convert

import (
	"context"
	"errors"
	"os"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
)

// Precheck says what req.Input is without converting it, and writes nothing. Result.Format and Result.Check hold the answer.
// The error is nil or a *fault.Error; a file that is empty or of no known format is a class, not an error.
func (c *Converter) Precheck(ctx context.Context, req job.Request) (job.Result, error) {
	r := run{converter: c, req: req, options: req.Job.Options.Normalize(), limits: req.Job.Limits.Normalize()}
	result, err := r.precheck(ctx)
	if err != nil {
		return job.Result{}, fault.From(err)
	}
	return result, nil
}

func (r *run) precheck(ctx context.Context) (job.Result, error) {
	input, err := os.Open(r.req.Input)
	if err != nil {
		return job.Result{}, openFault(err)
	}
	defer input.Close()
	err = r.measure(input)
	if errors.Is(err, fault.New(fault.Empty, "", nil)) {
		return job.Result{Check: &job.Check{Class: job.ClassEmpty}}, nil
	}
	if err != nil {
		return job.Result{}, err
	}
	r.progress("detect", 0, 0)
	r.readInput(input)
	found, err := r.detect()
	if errors.Is(err, fault.New(fault.Unsupported, "", nil)) {
		return job.Result{Check: &job.Check{Class: job.ClassUnsupported}}, nil
	}
	if err != nil {
		return job.Result{}, err
	}
	check, err := r.check(ctx, found.Format)
	return job.Result{Format: string(found.Format.Name), Check: &check}, err
}

// check asks the format. Its panic is a crash of this document.
func (r *run) check(ctx context.Context, f format.Format) (check job.Check, err error) {
	if f.Check == nil {
		return job.Check{Class: job.ClassOther}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = crash(p)
		}
	}()
	c, err := f.Check(ctx, r.formatInput("check"))
	return job.Check{Class: string(c.Class), Pages: c.Pages, Looked: c.Looked, Text: c.Text, Scanned: c.Scanned, Broken: c.Broken}, err
}
