package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/fault"
)

// work is what one function does with an invocation: it gives a line for the function's log.
type work func(ctx context.Context, inv *azfunc.Invocation) (string, error)

// envelope makes a route of a function: it decodes, does the work within the deadline, and answers as the host needs it.
func (s *Server) envelope(function string, do work) echo.HandlerFunc {
	return func(c echo.Context) error {
		inv, err := azfunc.Decode(c.Request())
		if err != nil {
			return fault.New(fault.BadRequest, "This address takes invocations of the Functions host only.", err)
		}
		inv.Function = function
		line, err := s.within(c.Request().Context(), inv, do)
		log := s.opt.Log.With("function", function, "invocation", inv.ID)
		status := statusFor(err)
		switch {
		case err == nil:
			log.Info(line)
		case fault.KindOf(err) == fault.Internal:
			log.Error(line, "kind", fault.Internal, "error", err.Error())
		default:
			log.Info(line, "kind", fault.KindOf(err), "error", err.Error(), "again", status != http.StatusOK)
		}
		if err != nil {
			line = fmt.Sprintf("%s: %s", line, ProblemOf(err).Error())
		}
		return azfunc.Answer{Logs: []string{line}}.Write(c.Response(), status)
	}
}

// statusFor tells the host what to do with the message: 200 to forget it, anything else to bring it back.
func statusFor(err error) int {
	if err == nil || !fault.Retryable(err) {
		return http.StatusOK
	}
	return fault.Lookup(fault.KindOf(err)).Status
}

// errDeadline is the cause with which an invocation's context ends at our own deadline. The document did nothing wrong, it
// waited perhaps: whoever asks context.Cause gets a fault that brings the message back, not fault.Timeout.
var errDeadline = fault.New(fault.Interrupted, "The invocation's time was over before the work was done; it will be done again.", context.DeadlineExceeded)

type result struct {
	line string
	err  error
}

// within does the work within the deadline. The host says nothing when it gives an invocation up: at functionTimeout it
// kills the whole process, and every other document with it. So the work is told to stop before, and if it does not
// return it is left behind and the host gets an answer nevertheless.
func (s *Server) within(parent context.Context, inv *azfunc.Invocation, do work) (string, error) {
	ctx, cancel := context.WithTimeoutCause(parent, s.opt.Deadline, errDeadline)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				s.opt.Log.Error("panic in an invocation", "invocation", inv.ID, "error", fmt.Sprint(r), "stack", string(debug.Stack()))
				done <- result{inv.Function, fault.New(fault.Internal, "", fmt.Errorf("panic: %v", r))}
			}
		}()
		line, err := do(ctx, inv)
		done <- result{line, ours(ctx, err)}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.line, r.err
	case <-time.After(s.opt.Settle):
		return inv.Function, fault.New(fault.Interrupted, "The work did not stop at its deadline and was left behind.", ctx.Err())
	}
}

// ours makes sure that our own deadline, or the host hanging up, is never taken for a verdict on the document: only an
// error with a kind is one.
func ours(ctx context.Context, err error) error {
	var known *fault.Error
	if err == nil || ctx.Err() == nil || errors.As(err, &known) {
		return err
	}
	if cause := context.Cause(ctx); errors.As(cause, &known) {
		return known
	}
	return fault.New(fault.Interrupted, "", err)
}
