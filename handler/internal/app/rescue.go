package app

import (
	"context"
	"errors"
	"time"

	"decant/handler/internal/azure/queue"
	"decant/handler/internal/deadletter"
)

// rescue records and removes messages of the poison queues that were put there before a moment, at most limit: storage drops
// a message after seven days, and with it the only trace of a document whose handler never saw it.
func (c *cloud) rescue(ctx context.Context, before time.Time, limit int) (int, error) {
	rescued := 0
	for _, name := range []string{c.settings.Conversions + poisonSuffix, c.settings.ConversionsBulk + poisonSuffix} {
		n, err := c.queues.TakeOlder(ctx, name, before, limit-rescued, func(m queue.Message) error { return c.bury(ctx, name, m) })
		if rescued += n; err != nil && !errors.Is(err, queue.ErrNoQueue) {
			return rescued, err
		}
	}
	return rescued, nil
}

// bury records one poison message as the function for poison would have.
func (c *cloud) bury(ctx context.Context, name string, m queue.Message) error {
	decoder := c.decoder()
	parsed, reason := decoder.Decode(string(m.Body()))
	return c.box.Poison(ctx, deadletter.Message{
		ID: m.ID, Queue: name, Body: string(m.Body()), Parsed: parsed, Reason: reason, Attempts: m.DequeueCount, Inserted: m.Inserted,
	})
}
