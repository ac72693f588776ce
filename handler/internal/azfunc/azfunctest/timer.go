package azfunctest

import (
	"context"
	"time"
)

// runTimer fires a timer function by its schedule. Unlike the real host it keeps nothing between two starts, so
// nothing is ever past due.
func (h *Host) runTimer(f *function) {
	var last time.Time
	if h.opt.RunTimers || f.trigger.RunOnStartup {
		last = time.Now()
		if h.fire(h.listen, f, time.Time{}, false) != nil && h.listen.Err() != nil {
			return
		}
	}
	for !h.opt.NoSchedule {
		next := f.cron.next(time.Now().UTC())
		if next.IsZero() || !pause(h.listen, time.Until(next)) {
			return
		}
		_ = h.fire(h.ctx, f, last, false) // an error is told as an event; a timer has no retries
		last = next
	}
}

func (h *Host) fire(ctx context.Context, f *function, last time.Time, pastDue bool) error {
	next := f.cron.next(time.Now().UTC())
	return h.invoke(ctx, &invocation{function: f, body: timerEnvelope(f, last, next, pastDue)})
}
