package server

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/fault"
)

// Problem is an error as people and programs get it: RFC 9457 problem details, application/problem+json.
// Its Detail never holds a path of this machine, a key or a stack: it is the sentence of a fault, not its cause.
type Problem struct {
	Type       string `json:"type"`  // urn:decant:problem:<kind>
	Title      string `json:"title"` // words of the status
	Status     int    `json:"status"`
	Detail     string `json:"detail"`
	Kind       string `json:"kind"`                 // fault.Kind, or not_offered, no_route, method_not_allowed
	Invocation string `json:"invocation,omitempty"` // find the log lines by it
}

// ProblemType is the media type of a Problem.
const ProblemType = "application/problem+json"

func (p *Problem) Error() string { return p.Kind + ": " + p.Detail }

// NewProblem makes a Problem of a kind that is not a fault's.
func NewProblem(status int, kind, detail string) *Problem {
	return &Problem{Type: "urn:decant:problem:" + kind, Title: http.StatusText(status), Status: status, Detail: detail, Kind: kind}
}

// NotOffered is the answer where an optional part was not given to the server.
func NotOffered(what string) *Problem {
	return NewProblem(http.StatusNotImplemented, "not_offered", "This installation does not offer "+what+".")
}

var notFound = NewProblem(http.StatusNotFound, "no_route", "There is nothing at this address. GET /api/openapi.json lists what there is.")

// ProblemOf turns any error into a Problem.
func ProblemOf(err error) *Problem {
	var problem *Problem
	if errors.As(err, &problem) {
		clone := *problem
		return &clone
	}
	var web *echo.HTTPError
	if errors.As(err, &web) {
		return problemOfStatus(web.Code)
	}
	f := fault.From(err)
	row := fault.Lookup(f.Kind)
	status := row.Status
	if status < http.StatusBadRequest {
		status = http.StatusConflict // fault.Duplicate is a success for the host, but not for who asked
	}
	detail := f.Message
	if f.Kind == fault.Internal {
		detail = row.Words // whatever went wrong inside is for the log only
	}
	return NewProblem(status, string(f.Kind), detail)
}

// problemOfStatus words what echo itself refuses.
func problemOfStatus(status int) *Problem {
	switch status {
	case http.StatusNotFound:
		return notFound
	case http.StatusMethodNotAllowed:
		return NewProblem(status, "method_not_allowed", "This address does not take this method.")
	case http.StatusRequestEntityTooLarge:
		return NewProblem(status, string(fault.TooLarge), "The request is larger than what can be taken in one request. Upload the file to the container instead.")
	case http.StatusInternalServerError:
		return NewProblem(status, string(fault.Internal), fault.Lookup(fault.Internal).Words)
	}
	if status >= http.StatusInternalServerError {
		return NewProblem(status, string(fault.Busy), fault.Lookup(fault.Busy).Words)
	}
	return NewProblem(status, string(fault.BadRequest), fault.Lookup(fault.BadRequest).Words)
}

// fail is echo's error handler: every error of every route ends here.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	problem := *ProblemOf(err)
	problem.Invocation = c.Request().Header.Get(azfunc.HeaderInvocationID)
	c.Response().Header().Set(echo.HeaderContentType, ProblemType)
	if problem.Status == http.StatusServiceUnavailable {
		c.Response().Header().Set("Retry-After", "5")
	}
	if err := c.JSON(problem.Status, &problem); err != nil {
		s.opt.Log.Info("answer not delivered", "error", err.Error())
	}
}
