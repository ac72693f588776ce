package queue

import (
	"context"
	"errors"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
)

// ForHost gives the queues to the stand-in host of `decant local` and of the tests.
func (c *Client) ForHost() azfunctest.Queues { return hostQueues{c} }

// hostQueues translates types and errors.
type hostQueues struct{ *Client }

// Receive implements azfunctest.Queues.
func (h hostQueues) Receive(ctx context.Context, queue string, count int, hide time.Duration) ([]azfunctest.QueueMessage, error) {
	list, err := h.Client.Receive(ctx, queue, count, hide)
	messages := make([]azfunctest.QueueMessage, 0, len(list))
	for _, m := range list {
		messages = append(messages, azfunctest.QueueMessage(m))
	}
	return messages, hostError(err)
}

// Send implements azfunctest.Queues.
func (h hostQueues) Send(ctx context.Context, queue, text string) error {
	return hostError(h.Client.Send(ctx, queue, text))
}

// Hide implements azfunctest.Queues.
func (h hostQueues) Hide(ctx context.Context, queue, id, receipt string, hide time.Duration) (string, error) {
	receipt, err := h.Client.Hide(ctx, queue, id, receipt, hide)
	return receipt, hostError(err)
}

// Delete implements azfunctest.Queues.
func (h hostQueues) Delete(ctx context.Context, queue, id, receipt string) error {
	return hostError(h.Client.Delete(ctx, queue, id, receipt))
}

func hostError(err error) error {
	switch {
	case errors.Is(err, ErrNoQueue):
		return errors.Join(azfunctest.ErrNoQueue, err)
	case errors.Is(err, ErrReceipt):
		return errors.Join(azfunctest.ErrReceipt, err)
	}
	return err
}
