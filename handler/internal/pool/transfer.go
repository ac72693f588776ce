package pool

import (
	"context"

	"decant/handler/internal/fault"
)

// Transfer waits for a slot for a download or an upload, apart from those for conversions. After a nil error, release must be
// called once.
func (p *Pool) Transfer(ctx context.Context) (release func(), err error) {
	select {
	case p.transfers <- struct{}{}:
		return func() { <-p.transfers }, nil
	case <-ctx.Done():
		return nil, fault.From(context.Cause(ctx))
	}
}
