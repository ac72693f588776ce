package app

import (
	"context"
	"encoding/json"
	"io"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/server/api"
)

// documents is the API's view of ledger and results.
type documents struct {
	cloud    *cloud
	pipeline *pipeline.Pipeline
}

var _ api.Documents = (*documents)(nil)

func (d *documents) List(ctx context.Context, q api.Query) (api.DocumentPage, error) {
	page, err := d.cloud.ledger.List(ctx, ledger.Query{State: ledger.State(q.State), Format: q.Format, Since: q.Since, After: q.After, Limit: q.Limit, Kept: true})
	if err != nil {
		return api.DocumentPage{}, err
	}
	out := api.DocumentPage{Documents: make([]api.Document, len(page.Records)), Next: page.Next}
	for i, r := range page.Records {
		out.Documents[i] = documentOf(r)
	}
	return out, nil
}

func (d *documents) Find(ctx context.Context, id job.ID) (api.Document, error) {
	r, err := d.cloud.ledger.Find(ctx, id)
	return documentOf(r), err
}

func (d *documents) Markdown(ctx context.Context, id job.ID) (io.ReadCloser, error) {
	r, err := d.cloud.ledger.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	m, err := d.cloud.sink.Manifest(ctx, r.Source)
	if err != nil {
		return nil, err
	}
	f, ok := m.File(job.MarkdownFile)
	if !ok {
		return nil, fault.New(fault.NotFound, "The document was converted without Markdown. Convert it again with the output md.", nil)
	}
	return d.cloud.sink.Open(ctx, r.Source, f.Path)
}

func (d *documents) Chunks(ctx context.Context, id job.ID, after string, limit int) (api.ChunkPage, error) {
	if _, err := d.cloud.ledger.Find(ctx, id); err != nil {
		return api.ChunkPage{}, err
	}
	chunks, err := d.cloud.ledger.Store().Chunks(ctx, id, after, limit)
	if err != nil {
		return api.ChunkPage{}, err
	}
	page := api.ChunkPage{Chunks: make([]json.RawMessage, len(chunks))}
	for i, c := range chunks {
		page.Chunks[i] = c.Body
	}
	if len(chunks) == limit {
		page.Next = chunks[limit-1].ID
	}
	return page, nil
}

// Retry puts a document back: first the record, then the message.
func (d *documents) Retry(ctx context.Context, id job.ID, limits job.Limits) (api.Document, error) {
	r, err := d.cloud.ledger.Retry(ctx, id, limits)
	if err != nil {
		return api.Document{}, err
	}
	return documentOf(r), d.cloud.enqueue(ctx, &event.Convert{Job: r.Job()})
}

func (d *documents) Cancel(ctx context.Context, id job.ID, by string) (api.Document, error) {
	r, err := d.cloud.ledger.Cancel(ctx, id, by)
	return documentOf(r), err
}

func (d *documents) Delete(ctx context.Context, id job.ID) error { return d.pipeline.Discard(ctx, id) }

// enqueue puts a message of our own on the queue of conversions.
func (c *cloud) enqueue(ctx context.Context, m event.Message) error {
	text, err := event.Marshal(m)
	if err != nil {
		return err
	}
	return c.queues.Enqueue(ctx, c.settings.Conversions, text, 0)
}

// documentOf is a record as the API shows it.
func documentOf(r ledger.Record) api.Document {
	d := api.Document{
		ID: r.DocumentID, Source: r.Source, State: string(r.State), Generation: r.Generation, Published: r.Published,
		Attempt: r.Attempt, Retries: r.Retries, Progress: r.Progress, Options: r.Options, Limits: event.LimitsOf(r.Limits),
		Format: r.Format, Outside: r.Outside, Title: r.Title, Language: r.Language, Counts: r.Counts, Warnings: r.Warnings, Cached: r.Cached,
		ContentHash: r.ContentHash, Version: r.Version, BatchID: r.BatchID, Parent: r.Parent, Children: r.Children,
		Queued: r.Queued, Started: r.Started, Finished: r.Finished, Updated: r.Updated, Cause: causeOf(r.Cause),
	}
	if c := r.Changes; c != nil {
		d.Changes = &api.Changes{Added: c.Added, Changed: c.Changed, Removed: c.Removed, Unchanged: c.Unchanged}
	}
	for _, a := range r.Attempts {
		d.Attempts = append(d.Attempts, attemptOf(a))
	}
	return d
}

func causeOf(c *ledger.Cause) *api.Cause {
	if c == nil {
		return nil
	}
	return &api.Cause{Kind: c.Kind, Message: c.Message, By: c.By}
}

func attemptOf(a ledger.Attempt) api.Attempt {
	out := api.Attempt{
		Number: a.Number, Outcome: string(a.Outcome), Alone: a.Alone, Started: a.Started, Ended: a.Ended,
		Seconds: a.Seconds, PeakMemory: a.PeakMemory, Stage: a.Stage, Page: a.Page, Stderr: a.Stderr, Outside: a.Outside,
	}
	if a.Kind != "" {
		out.Cause = &api.Cause{Kind: a.Kind, Message: a.Message}
	}
	return out
}
