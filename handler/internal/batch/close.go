package batch

import (
	"context"
	"encoding/json"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

var _ pipeline.Announcer = (*Service)(nil)

// Announce hears of a finished document and notes it in its batch. It is a pipeline.Announcer.
func (s *Service) Announce(ctx context.Context, done pipeline.Completed) error {
	if done.BatchID == "" || done.Parent != "" {
		return nil
	}
	m := Member{DocumentID: done.DocumentID, Path: done.Path, State: done.State, Finished: done.Finished}
	if done.Cause != nil {
		m.Kind = done.Cause.Kind
	}
	if err := s.Store.SetMember(ctx, done.BatchID, m); err != nil {
		return err
	}
	if done.State == ledger.Failed {
		s.note(ctx, done.BatchID, "document_failed", string(m.Kind)+": "+done.Path, done.DocumentID)
	}
	return s.closeLater(ctx, done.BatchID)
}

// unfinished are the states of members that are still to come.
var unfinished = []ledger.State{ledger.Queued, ledger.Running}

// close ends a batch when nothing of it is left to do. Many may try at once; the head's ETag lets one.
func (s *Service) close(ctx context.Context, id string) error {
	_, err := s.closeUnless(ctx, id)
	return err
}

// closeUnless is close, and tells how many members were still to come, manyLeft at most; 0 when that was not looked at.
func (s *Service) closeUnless(ctx context.Context, id string) (left int, err error) {
	h, err := s.Store.Head(ctx, id)
	if err != nil || h.State.Terminal() {
		return 0, ended(err)
	}
	if !h.Expanded && h.State != Cancelling {
		return 0, nil
	}
	members, _, err := s.Store.Members(ctx, id, unfinished, "", manyLeft)
	if err != nil || len(members) > 0 {
		return len(members), err
	}
	return 0, s.end(ctx, h)
}

// end writes the end of a batch whose members have all ended, and tells of it.
func (s *Service) end(ctx context.Context, h Head) error {
	id := h.ID
	_, counts, err := s.count(ctx, id)
	if err != nil {
		return err
	}
	end, won := s.verdict(h, counts), false
	h, err = s.updateHead(ctx, id, func(h *Head) (bool, error) {
		won = !h.State.Terminal()
		h.State, h.Finished, h.Ended = end, s.now(), counts
		h.Webhook = Webhook{Pending: h.Submit.Webhook != "", Next: s.now()}
		return won, nil
	})
	if err != nil || !won {
		return err
	}
	s.note(ctx, id, string(end), "The batch ended: "+string(end)+".", "")
	return s.tell(ctx, h)
}

// verdict is how a batch ends by what became of its members.
func (s *Service) verdict(h Head, count map[ledger.State]int) State {
	good, bad := 0, 0
	for state, n := range count {
		if state.Readable() {
			good += n
		} else {
			bad += n
		}
	}
	expired := !h.Submit.Expires.IsZero() && s.now().After(h.Submit.Expires) && count[ledger.Cancelled] > 0
	switch {
	case h.State == Cancelling:
		return Cancelled
	case expired:
		return Expired
	case good == 0:
		return Failed
	case bad > 0:
		return PartiallyFailed
	}
	return Succeeded
}

// EndedSchema names the form of the messages and webhooks about ended batches.
const EndedSchema = "decant.batch/1"

// Ended is what others hear about an ended batch.
type Ended struct {
	Schema   string               `json:"schema"`
	BatchID  string               `json:"batchId"`
	Name     string               `json:"name,omitempty"`
	State    State                `json:"state"`
	Total    int                  `json:"total"`
	Counts   map[ledger.State]int `json:"counts"`
	Metadata map[string]string    `json:"metadata,omitempty"`
	Created  string               `json:"created"`
	Finished string               `json:"finished"`
}

// ended makes the message about a batch.
func (s *Service) endedMessage(ctx context.Context, id string) ([]byte, error) {
	p, err := s.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	return json.Marshal(Ended{
		Schema: EndedSchema, BatchID: id, Name: p.Submit.Name, State: p.State, Total: p.Total, Counts: p.Counts, Metadata: p.Submit.Metadata,
		Created: p.Created.Format("2006-01-02T15:04:05.000Z"), Finished: p.Finished.Format("2006-01-02T15:04:05.000Z"),
	})
}

// tell announces an ended batch on the queue and at its webhook.
func (s *Service) tell(ctx context.Context, h Head) error {
	text, err := s.endedMessage(ctx, h.ID)
	if err != nil {
		return err
	}
	if s.opt.Completed != "" {
		if err := s.Queue.Enqueue(ctx, s.opt.Completed, text, 0); err != nil {
			return err
		}
	}
	if h.Webhook.Pending {
		return s.call(ctx, h, text)
	}
	return nil
}

// Reconcile mends a batch that lost a message: members whose documents ended without its hearing of it, an end that
// nobody noticed, a webhook that was not reached. It looks at no more than limit members.
func (s *Service) Reconcile(ctx context.Context, id string, limit int) error {
	h, err := s.Store.Head(ctx, id)
	if err != nil {
		return ended(err)
	}
	if h.State.Terminal() {
		return s.callAgain(ctx, h)
	}
	members, _, err := s.Store.Members(ctx, id, unfinished, "", limit)
	if err != nil {
		return err
	}
	for _, m := range members {
		r, err := s.Ledger.Load(ctx, m.DocumentID)
		switch {
		case fault.KindOf(err) == fault.NotFound:
			m.State = ledger.Gone
		case err != nil:
			return err
		case r.State == m.State:
			continue
		default:
			m = memberOf(r)
		}
		if err := s.Store.SetMember(ctx, id, m); err != nil {
			return err
		}
	}
	return s.close(ctx, id)
}
