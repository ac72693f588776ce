package queue

import (
	"context"
	"encoding/json"

	"decant/handler/internal/pipeline"
)

// Announcer puts a message on a queue for every finished document: a pipeline.Announcer.
type Announcer struct {
	client *Client
	queue  string
}

var _ pipeline.Announcer = (*Announcer)(nil)

// Announcer announces on a queue, usually conversions-completed.
func (c *Client) Announcer(queue string) *Announcer { return &Announcer{client: c, queue: queue} }

// Announce implements pipeline.Announcer.
func (a *Announcer) Announce(ctx context.Context, done pipeline.Completed) error {
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return a.client.Enqueue(ctx, a.queue, text, 0)
}
