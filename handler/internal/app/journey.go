package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/server"
)

// journey is what the server's routes do: it joins the pipeline with the settings and the dead letters.
type journey struct {
	pipeline *pipeline.Pipeline
	cloud    *cloud
	options  job.Options
	limits   job.Limits
	log      *slog.Logger
}

var _ server.Journey = (*journey)(nil)

// Convert takes a document on its journey. What the message leaves open is as the settings say.
func (j *journey) Convert(ctx context.Context, work job.Job) error {
	work.Options, work.Limits = withDefaults(work.Options, j.options), work.Limits.Or(j.limits)
	record, err := j.pipeline.Handle(ctx, work)
	j.log.Info("document", "document", record.DocumentID, "path", work.Source.Path, "state", record.State, "fault", fault.KindOf(err))
	return err
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
	return j.keep(ctx, letter, letter.Reason, "")
}

// Poison records a message that the host gave up on: in the document's record where it names one, and as a dead letter.
func (j *journey) Poison(ctx context.Context, letter server.Letter) error {
	if letter.Reason != nil {
		return j.keep(ctx, letter, letter.Reason, "")
	}
	convert, ok := letter.Message.(*event.Convert)
	if !ok {
		return j.keep(ctx, letter, nil, "")
	}
	gaveUp := fault.New(fault.Internal, "The host gave the message up after all its deliveries failed. The attempts in this record say why.", nil)
	record, err := j.cloud.ledger.Poison(ctx, convert.Job, gaveUp)
	if err != nil {
		return err
	}
	return j.keep(ctx, letter, gaveUp, record.DocumentID)
}

// Sweep is for the timer.
func (j *journey) Sweep(ctx context.Context, _ azfunc.Timer) error { return ctx.Err() }

// deadLetter is a message that ended unread or unfinished, with its context, as it lies in the dead-letter container.
type deadLetter struct {
	Queue      string        `json:"queue"`
	Body       string        `json:"body"`
	MessageID  string        `json:"messageId,omitempty"`
	Attempt    int           `json:"attempt,omitempty"`
	Inserted   time.Time     `json:"inserted,omitzero"`
	Kept       time.Time     `json:"kept"`
	DocumentID job.ID        `json:"documentId,omitempty"`
	Cause      *ledger.Cause `json:"cause,omitempty"`
}

func (j *journey) keep(ctx context.Context, letter server.Letter, reason error, id job.ID) error {
	now := time.Now().UTC()
	text, err := json.MarshalIndent(deadLetter{
		Queue: letter.Queue, Body: letter.Body, MessageID: letter.ID, Attempt: letter.Attempt, Inserted: letter.Inserted,
		Kept: now, DocumentID: id, Cause: ledger.CauseOf(reason),
	}, "", "  ")
	if err != nil {
		return err
	}
	name := now.Format("2006/01/02/") + letter.Queue + "-" + letterName(letter)
	return j.cloud.letters.Save(ctx, name+".json", text)
}

// letterName is the same for the same message, so that a repeated delivery does not make a second letter.
func letterName(letter server.Letter) string {
	if letter.ID != "" {
		return letter.ID
	}
	return string(job.Source{Path: letter.Body}.ID())
}

// withDefaults fills in what a message's options leave open.
func withDefaults(o, settings job.Options) job.Options {
	inherit(&o.MaxTokens, settings.MaxTokens)
	inherit(&o.Overlap, settings.Overlap)
	inherit(&o.Tokenizer, settings.Tokenizer)
	inherit(&o.Strategy, settings.Strategy)
	return o
}
