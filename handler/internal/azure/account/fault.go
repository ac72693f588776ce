package account

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"decant/handler/internal/fault"
)

// kinds translates the services' statuses.
var kinds = map[int]fault.Kind{
	http.StatusUnauthorized:          fault.Storage, // a key or a role that is missing can be mended: the work comes back
	http.StatusForbidden:             fault.Storage,
	http.StatusNotFound:              fault.NotFound,
	http.StatusConflict:              fault.Conflict,
	http.StatusPreconditionFailed:    fault.Conflict,
	http.StatusRequestEntityTooLarge: fault.TooLarge,
	http.StatusTooManyRequests:       fault.Throttled,
	http.StatusBadRequest:            fault.Internal,
}

const notAllowed = "The identity or key may not use this storage. Check the connection string, or the roles of the app's identity."

// words replace the kinds' own, by status, where a service is meant and not a document.
var words = map[int]string{
	http.StatusUnauthorized:          notAllowed,
	http.StatusForbidden:             notAllowed,
	http.StatusRequestEntityTooLarge: "The service refused an item because it is too large.",
}

// Fault gives an error of the SDK its kind; nil stays nil, and what has a kind keeps it.
func Fault(err error) error {
	var known *fault.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.Storage, "", err)
	}
	status := Status(err)
	kind, ok := kinds[status]
	if !ok {
		kind = fault.Storage
	}
	return fault.New(kind, words[status], err)
}

// Status is the HTTP status of a service's refusal, 0 when there was no answer.
func Status(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}
