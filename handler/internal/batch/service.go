package batch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Service does everything about batches. It is safe for concurrent use, also by several processes on one Store.
type Service struct {
	Ports
	opt   Options
	notes atomic.Uint64 // orders log entries of the same moment
	looks looks
}

// New makes a Service. All ports but HTTP and Log must be set.
func New(ports Ports, opt Options) *Service {
	if ports.HTTP == nil {
		ports.HTTP = carefulClient()
	}
	if ports.Log == nil {
		ports.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Page <= 0 {
		opt.Page = 100
	}
	if opt.Slice <= 0 {
		opt.Slice = time.Minute
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Service{Ports: ports, opt: opt}
}

func (s *Service) now() time.Time { return s.opt.Now().UTC() }

// Submit makes a batch and returns at once; a message finds its documents. created is false when the key made it before.
func (s *Service) Submit(ctx context.Context, submit event.BatchSubmit) (h Head, created bool, err error) {
	if submit.Webhook != "" && s.opt.Secret == "" {
		return h, false, fault.New(fault.BadRequest, "webhook: this installation has no secret to sign its calls with. Set DECANT_WEBHOOK_SECRET.", nil)
	}
	h = Head{ID: idOf(submit), State: Submitted, Created: s.now(), Listed: len(submit.Documents)}
	if h.Digest, err = digestOf(submit); err != nil {
		return h, false, err
	}
	documents := submit.Documents
	h.Submit, h.Submit.Documents, h.Submit.BatchID = submit, nil, h.ID
	if len(documents) > 0 {
		text, err := json.Marshal(documents)
		if err != nil {
			return h, false, err
		}
		if err := s.Lists.Save(ctx, listName(h), text); err != nil {
			return h, false, err
		}
	}
	h, err = s.Store.CreateHead(ctx, h)
	if created = err == nil; fault.KindOf(err) == fault.Conflict {
		h, err = s.known(ctx, h)
	}
	if err != nil || !created && h.State != Submitted {
		return h, created, err
	}
	// A second try of the same request sends the message again: the first may have died before it.
	if created {
		s.note(ctx, h.ID, "submitted", "The batch was submitted.", "")
	}
	return h, created, s.send(ctx, s.opt.Queue, &event.BatchExpand{BatchID: h.ID}, h.Submit.NotBefore.Sub(s.now()))
}

// known gives the batch that has the id already, if it was asked for in the same words.
func (s *Service) known(ctx context.Context, asked Head) (Head, error) {
	h, err := s.Store.Head(ctx, asked.ID)
	if err == nil && h.Digest != "" && h.Digest != asked.Digest {
		return h, fault.New(fault.Conflict, "The key was used for another batch before; this one was not made. Choose a key of its own for each batch.", nil)
	}
	return h, err
}

func digestOf(submit event.BatchSubmit) (string, error) {
	text, err := json.Marshal(submit)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12]), err
}

func listName(h Head) string {
	if h.Digest == "" {
		return ".batches/" + h.ID + ".json"
	}
	return ".batches/" + h.ID + "-" + h.Digest + ".json"
}

// idOf gives a batch its id: the sender's, or one made from the sender's key, or a new one.
func idOf(submit event.BatchSubmit) string {
	switch {
	case submit.BatchID != "":
		return submit.BatchID
	case submit.Key != "":
		sum := sha256.Sum256([]byte(submit.Key))
		return "b" + hex.EncodeToString(sum[:12])
	}
	return "b" + rand.Text()
}

// Handle does what a message about a batch asks for. It may be repeated.
func (s *Service) Handle(ctx context.Context, message event.Message) error {
	switch m := message.(type) {
	case *event.BatchSubmit:
		_, _, err := s.Submit(ctx, *m)
		return err
	case *event.BatchExpand:
		return s.expand(ctx, m.BatchID, m.Cursor)
	case *event.BatchRetry:
		return s.retry(ctx, m.BatchID, m.States)
	case *event.BatchCancel:
		return s.cancel(ctx, m.BatchID)
	}
	return fault.Newf(fault.BadMessage, "A message of type %T is not about batches.", message)
}

// send puts a message on a queue.
func (s *Service) send(ctx context.Context, queue string, m event.Message, delay time.Duration) error {
	text, err := event.Marshal(m)
	if err != nil {
		return err
	}
	return s.Queue.Enqueue(ctx, queue, text, max(delay, 0))
}

// note adds to the log; the log is for people, so that it cannot be written stops nothing.
func (s *Service) note(ctx context.Context, id, kind, message string, document job.ID) {
	now := s.now()
	name := fmt.Sprintf("%s-%06d-%s", now.Format("20060102T150405.000000000Z"), s.notes.Add(1)%1_000_000, rand.Text()[:4])
	entry := Activity{ID: name, Time: now, Kind: kind, Message: message, Document: document}
	if err := s.Store.Log(ctx, id, entry); err != nil {
		s.Ports.Log.WarnContext(ctx, "write batch log", "batch", id, "error", err)
	}
}

// updateHead changes a head as long as nobody else did at the same time. change tells whether there is anything to write.
func (s *Service) updateHead(ctx context.Context, id string, change func(h *Head) (bool, error)) (Head, error) {
	for range 16 {
		h, err := s.Store.Head(ctx, id)
		if err != nil {
			return h, err
		}
		if write, err := change(&h); err != nil || !write {
			return h, err
		}
		written, err := s.Store.ReplaceHead(ctx, h)
		if fault.KindOf(err) != fault.Conflict {
			return written, err
		}
	}
	return Head{}, fault.New(fault.Busy, "", nil)
}

// Find gives a batch with what is derived from its members.
func (s *Service) Find(ctx context.Context, id string) (Progress, error) {
	h, err := s.Store.Head(ctx, id)
	if err != nil {
		return Progress{}, err
	}
	p := Progress{Head: h}
	if p.Total, p.Counts, err = s.count(ctx, id); err != nil {
		return p, err
	}
	p.derive(s.now())
	p.Recent, err = s.Store.Activity(ctx, id, "", 20)
	return p, err
}

// List gives a page of batches with their progress. Members are counted of those only that have not ended.
func (s *Service) List(ctx context.Context, after string, limit int) ([]Progress, string, error) {
	heads, next, err := s.Store.Heads(ctx, false, after, limit)
	if err != nil {
		return nil, "", err
	}
	list := make([]Progress, len(heads))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(parallel)
	for i, h := range heads {
		work.Go(func() (err error) {
			list[i], err = s.progress(ctx, h)
			return err
		})
	}
	return list, next, work.Wait()
}

// progress is a batch's for a list: derived from its members, or from the counts that were written when it ended.
func (s *Service) progress(ctx context.Context, h Head) (p Progress, err error) {
	p = Progress{Head: h, Counts: h.Ended}
	if h.Ended != nil {
		for _, n := range h.Ended {
			p.Total += n
		}
	} else if p.Total, p.Counts, err = s.count(ctx, h.ID); err != nil {
		return p, err
	}
	p.derive(s.now())
	return p, nil
}

// derive fills in what follows from the counts.
func (p *Progress) derive(now time.Time) {
	for state, n := range p.Counts {
		if state.Terminal() {
			p.Done += n
		}
	}
	p.estimate(now)
}

// countOrder are the states from the usual to the rare: once all members are found nothing more is asked.
var countOrder = []ledger.State{
	ledger.Succeeded, ledger.Running, ledger.Queued, ledger.Failed, ledger.Empty, ledger.Cancelled, ledger.Gone, ledger.Poisoned,
}

// count counts a batch's members by state. They move while they are counted: whoever is in no other state counts as queued,
// so that the counts always add up to the total.
func (s *Service) count(ctx context.Context, id string) (total int, counts map[ledger.State]int, err error) {
	counts = map[ledger.State]int{}
	if total, err = s.Store.Count(ctx, id, ""); err != nil {
		return 0, nil, err
	}
	left := total
	for _, state := range countOrder {
		if left == 0 {
			break
		}
		n, err := s.Store.Count(ctx, id, state)
		if err != nil {
			return 0, nil, err
		}
		if n = min(n, left); n > 0 {
			counts[state] = n
		}
		left -= n
	}
	if left > 0 {
		counts[ledger.Queued] += left
	}
	return total, counts, nil
}

// estimate derives rate and end from what is done so far.
func (p *Progress) estimate(now time.Time) {
	until := now
	if !p.Finished.IsZero() {
		until = p.Finished
	}
	minutes, done := until.Sub(p.Started).Minutes(), p.Done-p.Kept
	if p.Started.IsZero() || minutes <= 0 || done <= 0 {
		return
	}
	p.PerMinute = float64(done) / minutes
	if !p.State.Terminal() && p.Expanded {
		left := float64(p.Total-p.Done) / p.PerMinute
		p.EstimatedEnd = now.Add(time.Duration(left * float64(time.Minute)))
	}
}
