package cosmos

import (
	"context"
	"net/http"
	"slices"
	"time"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
)

// lostTries is how often a request is sent whose answer did not come or was a server's error.
const lostTries = 6

// mayBeLost are the statuses after which nobody knows whether a write was done. 449 is "retry with".
var mayBeLost = []int{
	0, http.StatusRequestTimeout, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, 449,
}

// again sends a request until it is answered. The SDK does so for reads only, since it cannot know whether a write may be
// done twice; ours may: each is bound to an ETag and names itself, so that resolve recognizes one that was done.
func again[T any](ctx context.Context, send func() (T, error)) (answer T, err error) {
	for try := range lostTries {
		if answer, err = send(); err == nil || ctx.Err() != nil || !slices.Contains(mayBeLost, account.Status(err)) {
			return answer, err
		}
		if pause(ctx, 50*time.Millisecond<<try) != nil {
			break
		}
	}
	return answer, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return fault.From(context.Cause(ctx))
	case <-time.After(d):
		return nil
	}
}
