package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// Queue takes messages.
type Queue interface {
	Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error
}

// Notes keeps where the run before stopped.
type Notes interface {
	Save(ctx context.Context, name string, text []byte) error
	Read(ctx context.Context, name string) ([]byte, error)
}

// Rescue records and removes messages of the poison queue that were put there before a moment, at most limit, and tells
// how many: azure/queue's TakeOlder with deadletter's Poison.
type Rescue func(ctx context.Context, before time.Time, limit int) (int, error)

// Ports are what a Sweeper works with. Results, Batches, Rescue and Log may be nil.
type Ports struct {
	Ledger   *ledger.Ledger
	Pipeline *pipeline.Pipeline
	Queue    Queue
	Lister   batch.Lister
	Notes    Notes
	Results  pipeline.Results
	Batches  *batch.Service
	Rescue   Rescue
	Log      *slog.Logger
}

// Options are a Sweeper's settings. The zero value is the usual ones.
type Options struct {
	Queue     string                       // that documents go back to
	Container string                       // of source files
	Work      int                          // documents looked at in each part of a run; default 500
	Waiting   time.Duration                // after which a queued document gets a new message; default 24 hours
	Defaults  func(src job.Source) job.Job // the job for a file that no event announced; nil is one with default options
	Now       func() time.Time
}

// Report says what one run did.
type Report struct {
	Expired    int `json:"expired"`    // running without a lease, put back
	Reminded   int `json:"reminded"`   // queued for too long, sent again
	Found      int `json:"found"`      // files that no event announced
	Cleaned    int `json:"cleaned"`    // deleted documents whose results were still there
	Pruned     int `json:"pruned"`     // result files of generations that nobody reads
	Orphans    int `json:"orphans"`    // result files of documents of which the ledger knows nothing, removed
	Redone     int `json:"redone"`     // documents that are done but have no manifest, sent again
	Reconciled int `json:"reconciled"` // open batches looked at
	Rescued    int `json:"rescued"`    // poison messages about to expire
}

// Sweeper does it.
type Sweeper struct {
	Ports
	opt Options
}

// New makes a Sweeper.
func New(ports Ports, opt Options) *Sweeper {
	if ports.Log == nil {
		ports.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Work <= 0 {
		opt.Work = 500
	}
	if opt.Waiting <= 0 {
		opt.Waiting = 24 * time.Hour
	}
	if opt.Defaults == nil {
		opt.Defaults = func(src job.Source) job.Job { return job.Job{Source: src} }
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Sweeper{Ports: ports, opt: opt}
}

// notesName is where the state between runs is kept.
const notesName = ".sweep.json"

// state is what is kept between runs.
type state struct {
	Cursor string    `json:"cursor,omitempty"` // in the listing of source files
	Pruned time.Time `json:"pruned,omitzero"`  // records changed before were looked at for old results
	Result string    `json:"result,omitempty"` // cursor in the listing of result files
}

// Run does one run. A part that fails does not keep the others from theirs.
func (s *Sweeper) Run(ctx context.Context) (Report, error) {
	var report Report
	var kept state
	if text, err := s.Notes.Read(ctx, notesName); err == nil {
		if json.Unmarshal(text, &kept) != nil {
			kept = state{}
		}
	}
	var failures []error
	for _, part := range []func(context.Context, *state, *Report) error{
		s.expired, s.waiting, s.gone, s.unannounced, s.old, s.orphans, s.batches, s.poisoned,
	} {
		if ctx.Err() != nil {
			break
		}
		failures = append(failures, part(ctx, &kept, &report))
	}
	if text, err := json.Marshal(kept); err == nil {
		failures = append(failures, s.Notes.Save(context.WithoutCancel(ctx), notesName, text))
	}
	s.Log.InfoContext(ctx, "swept", "report", report)
	return report, errors.Join(failures...)
}

// records visits at most Work records of a query.
func (s *Sweeper) records(ctx context.Context, q ledger.Query, visit func(ledger.Record) error) error {
	q.Limit = min(s.opt.Work, 100)
	for seen := 0; seen < s.opt.Work; {
		page, err := s.Ledger.List(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range page.Records {
			seen++
			if err := visit(r); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == "" {
			return nil
		}
	}
	return nil
}

func (s *Sweeper) send(ctx context.Context, j job.Job) error {
	text, err := event.Marshal(&event.Convert{Job: j})
	if err != nil {
		return err
	}
	return s.Queue.Enqueue(ctx, s.opt.Queue, text, 0)
}

// expired puts documents back whose worker vanished.
func (s *Sweeper) expired(ctx context.Context, _ *state, report *Report) error {
	return s.records(ctx, ledger.Query{State: ledger.Running}, func(r ledger.Record) error {
		if s.Ledger.Held(&r) || r.Source.Parent != "" { // an attachment comes back with its parent
			return nil
		}
		r, due, err := s.Ledger.Expire(ctx, r.DocumentID)
		if err != nil || !due {
			return err
		}
		report.Expired++
		return s.send(ctx, r.Job())
	})
}

// waiting sends messages again for documents that have been queued for very long.
func (s *Sweeper) waiting(ctx context.Context, _ *state, report *Report) error {
	before := s.opt.Now().Add(-s.opt.Waiting)
	return s.records(ctx, ledger.Query{State: ledger.Queued, Before: before}, func(r ledger.Record) error {
		r, due, err := s.Ledger.Remind(ctx, r.DocumentID, before)
		if err != nil || !due {
			return err
		}
		report.Reminded++
		return s.send(ctx, r.Job())
	})
}

// gone cleans up after deleted documents.
func (s *Sweeper) gone(ctx context.Context, _ *state, report *Report) error {
	return s.records(ctx, ledger.Query{State: ledger.Gone, Cleanup: true}, func(r ledger.Record) error {
		if _, err := s.Pipeline.Clean(ctx, r); err != nil {
			return err
		}
		report.Cleaned++
		return nil
	})
}

// unannounced queues files of which the ledger knows nothing, or another version, a page of the listing a run.
func (s *Sweeper) unannounced(ctx context.Context, kept *state, report *Report) error {
	list, next, err := s.Lister.List(ctx, s.opt.Container, "", kept.Cursor, s.opt.Work)
	if err != nil {
		kept.Cursor = ""
		return err
	}
	for _, src := range list {
		r, err := s.Ledger.Load(ctx, src.ID())
		switch {
		case fault.KindOf(err) == fault.NotFound:
		case err != nil:
			return err
		case r.Source.ETag == src.ETag && (r.State != ledger.Gone || r.Removed), s.Ledger.Held(&r):
			continue
		}
		j := s.opt.Defaults(src)
		if _, fresh, err := s.Ledger.Enqueue(ctx, j); err != nil || !fresh {
			if err != nil {
				return err
			}
			continue
		}
		report.Found++
		if err := s.send(ctx, j); err != nil {
			return err
		}
	}
	kept.Cursor = next
	return nil
}

// old removes result files of generations that were given up or replaced, of documents that changed since the run before, and
// sends those again that are done but have no results.
func (s *Sweeper) old(ctx context.Context, kept *state, report *Report) error {
	began := s.opt.Now()
	err := s.records(ctx, ledger.Query{Since: kept.Pruned}, func(r ledger.Record) error {
		if !r.State.Terminal() || r.Generation < 1 {
			return nil
		}
		if redone, err := s.redo(ctx, r, report); redone || err != nil {
			return err
		}
		removed, err := s.Pipeline.Sink.Prune(ctx, r.Source, r.Generation+1)
		report.Pruned += removed
		return err
	})
	if err == nil {
		kept.Pruned = began
	}
	return err
}

// batches looks after batches that have not ended or whose webhook was not reached.
func (s *Sweeper) batches(ctx context.Context, _ *state, report *Report) error {
	if s.Batches == nil {
		return nil
	}
	for cursor := ""; report.Reconciled < s.opt.Work; {
		open, next, err := s.Batches.Store.Heads(ctx, true, cursor, 100)
		if err != nil {
			return err
		}
		for _, h := range open {
			if err := s.Batches.Reconcile(ctx, h.ID, s.opt.Work); err != nil {
				return err
			}
			report.Reconciled++
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	return nil
}

// rescueAfter is the age at which a poison message is saved: it expires at seven days.
const rescueAfter = 6 * 24 * time.Hour

func (s *Sweeper) poisoned(ctx context.Context, _ *state, report *Report) error {
	if s.Rescue == nil {
		return nil
	}
	n, err := s.Rescue(ctx, s.opt.Now().Add(-rescueAfter), 32)
	report.Rescued = n
	return err
}
