package app

import (
	"context"
	"log/slog"
	"time"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/deadletter"
	"decant/handler/internal/doctor"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/server"
	"decant/handler/internal/sweep"
)

// journey is what the server's routes do: it joins the pipeline with the settings and the dead letters.
type journey struct {
	pipeline *pipeline.Pipeline
	cloud    *cloud
	sweeper  *sweep.Sweeper
	options  job.Options
	limits   job.Limits
	log      *slog.Logger
}

var _ server.Journey = (*journey)(nil)

// Convert takes a document on its journey. What the message leaves open is as the settings say.
func (j *journey) Convert(ctx context.Context, work job.Job) error {
	work.Options, work.Limits = withDefaults(work.Options, j.options), work.Limits.Or(j.limits)
	record, err := j.pipeline.Handle(ctx, work)
	j.log.Info("document", "document", record.DocumentID, "path", work.Source.Path, "state", record.State, "fault", fault.KindOf(err), "peakMemory", peakOf(record))
	return err
}

// peakOf is the memory of the latest attempt in bytes, 0 when nothing was converted.
func peakOf(r ledger.Record) int64 {
	if len(r.Attempts) == 0 {
		return 0
	}
	return r.Attempts[len(r.Attempts)-1].PeakMemory
}

// Delete removes what is known of a document whose file was deleted.
func (j *journey) Delete(ctx context.Context, source job.Source) error {
	_, err := j.pipeline.Delete(ctx, source)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	return err
}

// Reject keeps a message that nobody can read, with the reason.
func (j *journey) Reject(ctx context.Context, letter server.Letter) error {
	return j.cloud.box.Reject(ctx, messageOf(letter))
}

// Poison records a message that the host gave up on: in the document's record, and as a dead letter.
func (j *journey) Poison(ctx context.Context, letter server.Letter) error {
	err := j.cloud.box.Poison(ctx, messageOf(letter))
	if m, ok := letter.Message.(*event.Convert); ok && err == nil {
		j.log.Info("document", "document", m.Job.ID, "path", m.Job.Source.Path, "state", ledger.Poisoned, "fault", fault.Internal)
	}
	return err
}

// Sweep finds what fell between.
func (j *journey) Sweep(ctx context.Context, _ azfunc.Timer) error {
	doctor.LogQueues(ctx, doctorQueues{j.cloud.queues}, j.cloud.watched(), time.Now(), j.log)
	_, err := j.sweeper.Run(ctx)
	return err
}

func messageOf(l server.Letter) deadletter.Message {
	return deadletter.Message{ID: l.ID, Queue: l.Queue, Body: l.Body, Parsed: l.Message, Reason: l.Reason, Attempts: l.Attempt, Inserted: l.Inserted}
}

// withDefaults fills in what a message's options leave open.
func withDefaults(o, settings job.Options) job.Options {
	inherit(&o.MaxTokens, settings.MaxTokens)
	inherit(&o.Overlap, settings.Overlap)
	inherit(&o.Tokenizer, settings.Tokenizer)
	inherit(&o.Strategy, settings.Strategy)
	return o
}
