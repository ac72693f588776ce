package app

import (
	"context"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/server/api"
)

// batches is the API's view of batches.
type batches struct{ cloud *cloud }

var _ api.Batches = (*batches)(nil)

func (b *batches) Submit(ctx context.Context, submit event.BatchSubmit) (api.Batch, bool, error) {
	head, created, err := b.cloud.batches.Submit(ctx, submit)
	return batchOf(batch.Progress{Head: head}), created, err
}

func (b *batches) List(ctx context.Context, after string, limit int) (api.BatchPage, error) {
	list, next, err := b.cloud.batches.List(ctx, after, limit)
	page := api.BatchPage{Batches: make([]api.Batch, len(list)), Next: next}
	for i, p := range list {
		page.Batches[i] = batchOf(p)
	}
	return page, err
}

func (b *batches) Find(ctx context.Context, id string) (api.Batch, error) {
	progress, err := b.cloud.batches.Find(ctx, id)
	return batchOf(progress), err
}

// Documents gives the members as documents: what the batch knows of them. GET /api/documents/{id} has the rest.
func (b *batches) Documents(ctx context.Context, id string, q api.Query) (api.DocumentPage, error) {
	if _, err := b.cloud.batches.Store.Head(ctx, id); err != nil {
		return api.DocumentPage{}, err
	}
	var states []ledger.State
	if q.State != "" {
		states = []ledger.State{ledger.State(q.State)}
	}
	members, next, err := b.cloud.batches.Store.Members(ctx, id, states, q.After, q.Limit)
	page := api.DocumentPage{Documents: make([]api.Document, 0, len(members)), Next: next}
	for _, m := range members {
		r, err := b.cloud.ledger.Load(ctx, m.DocumentID)
		if fault.KindOf(err) == fault.NotFound {
			r, err = ledger.Record{DocumentID: m.DocumentID, State: m.State, BatchID: id}, nil
			r.Source.Path = m.Path
		}
		if err != nil {
			return page, err
		}
		d := documentOf(r)
		d.Attempts = nil
		page.Documents = append(page.Documents, d)
	}
	return page, err
}

func (b *batches) Cancel(ctx context.Context, id, by string) (api.Batch, error) {
	if _, err := b.cloud.batches.Cancel(ctx, id, by); err != nil {
		return api.Batch{}, err
	}
	return b.Find(ctx, id)
}

func (b *batches) Retry(ctx context.Context, id string, states []string) (api.Batch, error) {
	if _, err := b.cloud.batches.Retry(ctx, id, states); err != nil {
		return api.Batch{}, err
	}
	return b.Find(ctx, id)
}

func (b *batches) Activity(ctx context.Context, id, after string, limit int) (api.ActivityPage, error) {
	if _, err := b.cloud.batches.Store.Head(ctx, id); err != nil {
		return api.ActivityPage{}, err
	}
	entries, err := b.cloud.batches.Store.Activity(ctx, id, after, limit)
	page := api.ActivityPage{Activity: activityOf(entries)}
	if len(entries) == limit {
		page.Next = entries[limit-1].ID
	}
	return page, err
}

func batchOf(p batch.Progress) api.Batch {
	counts := map[string]int{}
	for state, n := range p.Counts {
		if n > 0 {
			counts[string(state)] = n
		}
	}
	s := p.Submit
	return api.Batch{
		ID: p.ID, Name: s.Name, State: string(p.State), Percent: p.Percent(), Total: p.Total, Expanding: !p.Expanded && !p.State.Terminal(),
		Counts: counts, PerMinute: p.PerMinute, EstimatedEnd: p.EstimatedEnd, Priority: priorityOf(s), Options: s.Options, Limits: s.Limits,
		Metadata: s.Metadata, Retries: p.Retries, NotBefore: s.NotBefore, Expires: s.Expires, Created: p.Created, Finished: p.Finished, CancelledBy: p.CancelledBy,
		Activity: activityOf(p.Recent),
	}
}

func priorityOf(s event.BatchSubmit) string {
	if s.Priority == "" {
		return "bulk"
	}
	return s.Priority
}

func activityOf(entries []batch.Activity) []api.Activity {
	list := make([]api.Activity, len(entries))
	for i, a := range entries {
		list[i] = api.Activity{Time: a.Time, Kind: a.Kind, Message: a.Message, Document: a.Document}
	}
	return list
}

// announcers tell everybody who wants to know that a document is finished: others through the queue, and its batch.
func (c *cloud) announcers() pipeline.Announcer {
	return pipeline.Announcers{c.queues.Announcer(c.settings.Completed), c.batches}
}
