package queue

import (
	"context"
	"time"
)

// TakeOlder handles and removes messages that were put on a queue before a moment, at most limit, and tells how many.
// Messages that are younger are left alone.
func (c *Client) TakeOlder(ctx context.Context, queue string, before time.Time, limit int, handle func(Message) error) (int, error) {
	taken := 0
	for taken < limit {
		first, err := c.Peek(ctx, queue)
		if err != nil || len(first) == 0 || !first[0].Inserted.Before(before) {
			return taken, err
		}
		list, err := c.Receive(ctx, queue, 1, 5*time.Minute)
		if err != nil || len(list) == 0 {
			return taken, err
		}
		m := list[0]
		if !m.Inserted.Before(before) { // another one took the old one meanwhile
			_, err := c.Hide(ctx, queue, m.ID, m.Receipt, 0)
			return taken, err
		}
		if err := handle(m); err != nil {
			return taken, err
		}
		if err := c.Delete(ctx, queue, m.ID, m.Receipt); err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}
