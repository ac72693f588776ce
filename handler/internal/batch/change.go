package batch

import (
	"context"
	"slices"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Cancel stops a batch: nothing of it starts any more, what runs is ended, what is done stays. A message does the rest.
// Who did it is recorded; by may be empty. Cancelling twice is the same; fault.Conflict when the batch has ended otherwise.
func (s *Service) Cancel(ctx context.Context, id, by string) (Head, error) {
	first := false
	h, err := s.updateHead(ctx, id, func(h *Head) (bool, error) {
		first = false
		switch {
		case h.State == Cancelling, h.State == Cancelled:
			return false, nil
		case h.State.Terminal():
			return false, fault.Newf(fault.Conflict, "The batch is %s already; there is nothing to cancel.", h.State)
		}
		h.State, h.CancelledBy, first = Cancelling, by, true
		return true, nil
	})
	if err != nil || h.State == Cancelled {
		return h, err
	}
	if first {
		if by != "" {
			by = " by " + by
		}
		s.note(ctx, id, "cancelling", "The batch is being cancelled"+by+".", "")
	}
	return h, s.send(ctx, s.opt.Queue, &event.BatchCancel{BatchID: id}, 0)
}

// cancel ends the members that are still to come, for one slice of time; then a message goes on.
func (s *Service) cancel(ctx context.Context, id string) error {
	h, err := s.Cancelling(ctx, id)
	if err != nil || h.State != Cancelling {
		return ended(err)
	}
	return s.walk(ctx, id, unfinished, &event.BatchCancel{BatchID: id}, func(m Member) error {
		r, err := s.Ledger.Cancel(ctx, m.DocumentID, h.CancelledBy)
		switch fault.KindOf(err) {
		case "":
			m = memberOf(r)
		case fault.NotFound: // its record is not written yet, and will not be
			m.State = ledger.Cancelled
		case fault.Conflict:
			if r.State.Terminal() {
				m = memberOf(r)
				break
			}
			return nil // its results are being published; Announce notes the end
		default:
			return err
		}
		return s.Store.SetMember(ctx, id, m)
	})
}

// Cancelling brings a batch to that state when a message asks for it.
func (s *Service) Cancelling(ctx context.Context, id string) (Head, error) {
	return s.updateHead(ctx, id, func(h *Head) (bool, error) {
		changed := !h.State.Terminal() && h.State != Cancelling
		if changed {
			h.State = Cancelling
		}
		return changed, nil
	})
}

// retryable are the states that Retry may name.
var retryable = []ledger.State{ledger.Failed, ledger.Cancelled, ledger.Poisoned}

// Retry tries the documents of an ended batch again that failed, were cancelled or poisoned; states may name fewer.
// A message does it. fault.Conflict while the batch is at work, or after too many retries.
func (s *Service) Retry(ctx context.Context, id string, states []string) (Head, error) {
	wanted, err := parseStates(states)
	if err != nil {
		return Head{}, err
	}
	h, err := s.reopen(ctx, id, wanted)
	if err != nil {
		return h, err
	}
	names := make([]string, len(wanted))
	for i, state := range wanted {
		names[i] = string(state)
	}
	return h, s.send(ctx, s.opt.Queue, &event.BatchRetry{BatchID: id, States: names}, 0)
}

func parseStates(states []string) ([]ledger.State, error) {
	if len(states) == 0 {
		return retryable, nil
	}
	var list []ledger.State
	for _, name := range states {
		if !slices.Contains(retryable, ledger.State(name)) {
			return nil, fault.Newf(fault.BadRequest, "Documents in state %q cannot be tried again; only failed, cancelled and poisoned ones can.", name)
		}
		list = append(list, ledger.State(name))
	}
	return list, nil
}

// reopen takes an ended batch back into work, if it may be tried again.
func (s *Service) reopen(ctx context.Context, id string, states []ledger.State) (Head, error) {
	h, err := s.updateHead(ctx, id, func(h *Head) (bool, error) {
		allowed := h.Submit.MaxRetries
		if allowed <= 0 {
			allowed = DefaultRetries
		}
		switch {
		case !h.State.Terminal():
			return false, fault.Newf(fault.Conflict, "The batch is %s; it can be tried again when it has ended.", h.State)
		case h.Retries >= allowed:
			return false, fault.Newf(fault.Conflict, "The batch was tried again %d times already. Submit the documents as a new batch.", h.Retries)
		}
		h.State, h.Retries, h.Webhook, h.Kept = Running, h.Retries+1, Webhook{}, 0
		for state, n := range h.Ended {
			if !slices.Contains(states, state) {
				h.Kept += n
			}
		}
		h.Started, h.Finished, h.Ended = s.now(), time.Time{}, nil
		return true, nil
	})
	if err == nil {
		s.note(ctx, id, "retried", "Documents of the batch are tried again.", "")
	}
	return h, err
}

// retry puts members back in the queue, for one slice of time; then a message goes on. A message that came without
// Retry reopens the batch itself.
func (s *Service) retry(ctx context.Context, id string, names []string) error {
	states, err := parseStates(names)
	if err != nil {
		return err
	}
	h, err := s.Store.Head(ctx, id)
	if err == nil && h.State.Terminal() {
		h, err = s.reopen(ctx, id, states)
	}
	if err != nil {
		return err
	}
	if h.State != Running {
		return nil
	}
	return s.walk(ctx, id, states, &event.BatchRetry{BatchID: id, States: names}, func(m Member) error {
		r, err := s.Ledger.Retry(ctx, m.DocumentID, job.Limits{})
		switch fault.KindOf(err) {
		case "":
		case fault.Conflict: // it is at work already, or may not be tried again
			if r.State == m.State {
				return errKeep
			}
		case fault.NotFound:
			m.State = ledger.Gone
			return s.Store.SetMember(ctx, id, m)
		default:
			return err
		}
		if r.State == ledger.Queued {
			j := r.Job()
			j.BatchID = id
			if err := s.send(ctx, s.queueOf(h), &event.Convert{Job: j}, 0); err != nil {
				return err
			}
		}
		return s.Store.SetMember(ctx, id, memberOf(r))
	})
}
