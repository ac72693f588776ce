package server

import (
	"context"
	"fmt"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
)

// convert is the function of both queues: whatever a message asks for is done, or recorded as unreadable at the first try.
func (s *Server) convert(ctx context.Context, inv *azfunc.Invocation) (string, error) {
	letter, err := s.open(inv)
	if err != nil {
		return "convert", err
	}
	if letter.Reason != nil {
		return s.reject(ctx, letter)
	}
	switch m := letter.Message.(type) {
	case *event.Convert:
		j := m.Job
		j.Attempt, j.Message = letter.Attempt, letter.key()
		if j.Enqueued.IsZero() {
			j.Enqueued = letter.Inserted
		}
		return fmt.Sprintf("convert %s %s/%s", j.ID, j.Source.Container, j.Source.Path), s.opt.Journey.Convert(ctx, j)
	case *event.Delete:
		return fmt.Sprintf("delete %s %s/%s", m.Source.ID(), m.Source.Container, m.Source.Path), s.opt.Journey.Delete(ctx, m.Source)
	case *event.Ignored:
		return fmt.Sprintf("ignore %s/%s: %s", m.Source.Container, m.Source.Path, m.Reason), nil
	}
	if s.opt.Commands == nil {
		letter.Reason = fault.New(fault.BadMessage, "This installation does not offer batches.", nil)
		return s.reject(ctx, letter)
	}
	return s.command(ctx, letter)
}

// command does what a message about batches asks for. One that can never be done, such as for a batch that is not there, is kept
// as a bad message is: nobody waits for an answer.
func (s *Server) command(ctx context.Context, letter Letter) (string, error) {
	line := fmt.Sprintf("batch command %T", letter.Message)
	err := s.opt.Commands.Handle(ctx, letter.Message)
	if err == nil || fault.Retryable(err) {
		return line, err
	}
	letter.Reason = err
	if failure := s.opt.Journey.Reject(ctx, letter); failure != nil {
		return line, failure
	}
	return line, err
}

// reject records a message that no later try can mend. Only when it cannot be recorded it comes back.
func (s *Server) reject(ctx context.Context, letter Letter) (string, error) {
	if err := s.opt.Journey.Reject(ctx, letter); err != nil {
		return "record a bad message", err
	}
	return "bad message", letter.Reason
}

// maxPoisonTries is how often a poison message comes back before it is let go. A queue whose name ends in -poison has no
// poison queue of its own: without this the host would bring the message back every ten minutes for as long as it lives.
const maxPoisonTries = 50

// poison records what the host gave up on. It does not fail because of the message; only while the record cannot be
// written the message comes back.
func (s *Server) poison(ctx context.Context, inv *azfunc.Invocation) (string, error) {
	letter, err := s.open(inv)
	if err != nil {
		return "poison", err
	}
	err = s.opt.Journey.Poison(ctx, letter)
	if err != nil && letter.Attempt >= maxPoisonTries {
		s.opt.Log.Error("a poison message is given up", "invocation", inv.ID, "message", letter.ID, "error", err.Error())
		return "give up a poison message", nil
	}
	return "record a poison message", err
}

// sweep is the timer function.
func (s *Server) sweep(ctx context.Context, inv *azfunc.Invocation) (string, error) {
	timer, err := inv.Timer(s.opt.Bindings.Timer)
	if err != nil {
		return "sweep", err
	}
	return "sweep", s.opt.Journey.Sweep(ctx, timer)
}

// open reads the queue message of an invocation. That it cannot be understood is in Letter.Reason, not in the error.
func (s *Server) open(inv *azfunc.Invocation) (Letter, error) {
	message, err := inv.Message(s.opt.Bindings.Queue)
	if err != nil {
		return Letter{}, fault.New(fault.Internal, "", err)
	}
	letter := Letter{
		Queue: inv.Function, Body: event.Plain(message.Text), ID: message.ID, Attempt: message.DequeueCount, Inserted: message.InsertionTime,
	}
	letter.Message, letter.Reason = s.opt.Decoder.Decode(message.Text)
	return letter, nil
}
