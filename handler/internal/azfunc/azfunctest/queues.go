package azfunctest

import (
	"context"
	"errors"
	"time"
)

// Queues is a storage queue service, as far as the host uses it.
type Queues interface {
	// Create makes a queue; that it exists already is no error.
	Create(ctx context.Context, queue string) error
	// Send puts a message on a queue. The text is stored as it is, without any encoding.
	Send(ctx context.Context, queue, text string) error
	// Receive takes at most count (1 to 32) messages and hides them. A queue that is not there gives ErrNoQueue.
	Receive(ctx context.Context, queue string, count int, hide time.Duration) ([]QueueMessage, error)
	// Hide hides a received message for that long from now on and gives its new receipt; ErrReceipt when somebody else has it.
	Hide(ctx context.Context, queue, id, receipt string, hide time.Duration) (string, error)
	// Delete removes a received message; ErrReceipt when somebody else has it, or had it.
	Delete(ctx context.Context, queue, id, receipt string) error
}

// QueueMessage is a message as a queue service gives it.
type QueueMessage struct {
	ID           string
	Receipt      string
	Text         string // as stored: usually base64
	DequeueCount int    // this delivery included
	Inserted     time.Time
	Expires      time.Time
	NextVisible  time.Time
}

// Errors that implementations of Queues return, possibly wrapped.
var (
	ErrNoQueue = errors.New("the queue does not exist")
	ErrReceipt = errors.New("the message was received again or deleted by somebody else")
)
