package deadletter

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Filter selects what Redrive puts back. The zero value is every document that failed or was poisoned.
type Filter struct {
	Class  fault.Kind // one reason, or "" for all
	Since  time.Time  // ended at or after
	ID     job.ID     // one document
	Limits job.Limits // fields that are set replace the documents' own
	DryRun bool       // tell, but do nothing
	Limit  int        // at most; default 10,000
}

// Driven is what Redrive did with one document.
type Driven struct {
	DocumentID job.ID
	Path       string
	State      ledger.State // before
	Class      fault.Kind
	Err        error // why it was not put back
}

// Redrive puts failed and poisoned documents back on the queue. What could not be put back is told in its place.
func (b *Box) Redrive(ctx context.Context, f Filter) ([]Driven, error) {
	if f.Limit <= 0 {
		f.Limit = 10_000
	}
	var done []Driven
	records, err := b.find(ctx, f)
	for _, r := range records {
		d := Driven{DocumentID: r.DocumentID, Path: r.Source.Path, State: r.State}
		if r.Cause != nil {
			d.Class = r.Cause.Kind
		}
		if !f.DryRun {
			d.Err = b.putBack(ctx, r.DocumentID, f.Limits)
		}
		done = append(done, d)
	}
	return done, err
}

// find lists the documents that the filter selects, before any is changed.
func (b *Box) find(ctx context.Context, f Filter) ([]ledger.Record, error) {
	if f.ID != "" {
		r, err := b.Ledger.Find(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		return []ledger.Record{r}, nil
	}
	var list []ledger.Record
	for _, state := range []ledger.State{ledger.Poisoned, ledger.Failed} {
		q := ledger.Query{State: state, Since: f.Since, Limit: 1000}
		for {
			page, err := b.Ledger.List(ctx, q)
			if err != nil {
				return list, err
			}
			for _, r := range page.Records {
				if f.Class == "" || r.Cause != nil && r.Cause.Kind == f.Class {
					list = append(list, r)
				}
			}
			if q.After = page.Next; q.After == "" || len(list) >= f.Limit {
				break
			}
		}
	}
	return list[:min(len(list), f.Limit)], nil
}

func (b *Box) putBack(ctx context.Context, id job.ID, limits job.Limits) error {
	r, err := b.Ledger.Retry(ctx, id, limits)
	if err != nil {
		return err
	}
	text, err := event.Marshal(&event.Convert{Job: r.Job()})
	if err != nil {
		return err
	}
	if err := b.Queue.Enqueue(ctx, b.queue, text, 0); err != nil {
		return err
	}
	return b.forget(ctx, id)
}

// forget removes a document's letters: it is on its way again.
func (b *Box) forget(ctx context.Context, id job.ID) error {
	return b.each(ctx, func(name string) error {
		if strings.HasSuffix(name, "/"+string(id)+".json") {
			return b.Store.Remove(ctx, name)
		}
		return nil
	})
}

func (b *Box) each(ctx context.Context, visit func(name string) error) error {
	cursor := ""
	for {
		names, next, err := b.Store.List(ctx, "", cursor)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := visit(name); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

// Letters reads all letters, for people.
func (b *Box) Letters(ctx context.Context) (list []Letter, err error) {
	err = b.each(ctx, func(name string) error {
		text, err := b.Store.Read(ctx, name)
		if fault.KindOf(err) == fault.NotFound {
			return nil
		} else if err != nil {
			return err
		}
		var l Letter
		if json.Unmarshal(text, &l) == nil && l.ID != "" {
			list = append(list, l)
		}
		return nil
	})
	return list, err
}
