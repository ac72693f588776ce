package queue

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/v2"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/v2/queueerror"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// MaxText is how long a message's text may be, in bytes, encoded.
const MaxText = 64 * 1024

// Errors that Receive, Hide and Delete return, wrapped.
var (
	ErrNoQueue = errors.New("there is no such queue")
	ErrReceipt = errors.New("somebody else has the message, or it is gone")
)

// Options say where the storage account is and how to sign in: with ConnectionString, or with Account and the app's identity.
type Options struct {
	ConnectionString job.Secret
	Account          string // name
	Endpoint         string // of its queue service; default https://<Account>.queue.core.windows.net
	Transport        policy.Transporter
}

// Client is one storage account's queue service.
type Client struct{ service *azqueue.ServiceClient }

// New makes a client. It does not connect.
func New(o Options) (*Client, error) {
	if o.Transport == nil {
		o.Transport = account.Transport
	}
	settings := &azqueue.ClientOptions{ClientOptions: policy.ClientOptions{
		Retry: account.Retries(), Transport: o.Transport, PerCallPolicies: []policy.Policy{textKeeper{}},
	}}
	if o.ConnectionString != "" {
		service, err := azqueue.NewServiceClientFromConnectionString(account.Expand(string(o.ConnectionString)), settings)
		return &Client{service: service}, account.Fault(err)
	}
	credential, err := account.Credential()
	if err != nil {
		return nil, err
	}
	if o.Endpoint == "" {
		o.Endpoint = "https://" + o.Account + ".queue.core.windows.net"
	}
	service, err := azqueue.NewServiceClient(o.Endpoint, credential, settings)
	return &Client{service: service}, account.Fault(err)
}

// Create makes a queue; that it exists already is no error.
func (c *Client) Create(ctx context.Context, queue string) error {
	_, err := c.service.CreateQueue(ctx, queue, nil)
	if queueerror.HasCode(err, queueerror.QueueAlreadyExists) {
		return nil
	}
	return account.Fault(err)
}

// Enqueue puts a message on a queue, base64 as the Functions host expects it, to be seen after delay. It never expires.
// A dropped answer may make it come twice. fault.TooLarge when it does not fit.
func (c *Client) Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error {
	text := base64.StdEncoding.EncodeToString(message)
	if len(text) > MaxText {
		return fault.Newf(fault.TooLarge, "A queue message of %d bytes does not fit; at most %d do.", len(message), MaxText*3/4)
	}
	return c.put(ctx, queue, text, delay)
}

// Send puts a message on a queue. The text is stored as it is, without any encoding.
func (c *Client) Send(ctx context.Context, queue, text string) error {
	return c.put(ctx, queue, text, 0)
}

func (c *Client) put(ctx context.Context, queue, text string, delay time.Duration) error {
	forever, hidden := int32(-1), int32(min(delay, 7*24*time.Hour)/time.Second)
	_, err := c.service.NewQueueClient(queue).EnqueueMessage(ctx, text, &azqueue.EnqueueMessageOptions{TimeToLive: &forever, VisibilityTimeout: &hidden})
	return queueFault(err)
}

// Message is a message as the service gives it.
type Message struct {
	ID           string
	Receipt      string
	Text         string // as stored: usually base64
	DequeueCount int    // this delivery included
	Inserted     time.Time
	Expires      time.Time
	NextVisible  time.Time
}

// Body is the message's text without base64; a text that is not base64 is its own body.
func (m Message) Body() []byte {
	if body, err := base64.StdEncoding.DecodeString(m.Text); err == nil {
		return body
	}
	return []byte(m.Text)
}

// Receive takes at most count (1 to 32) messages and hides them. A queue that is not there gives ErrNoQueue.
func (c *Client) Receive(ctx context.Context, queue string, count int, hide time.Duration) ([]Message, error) {
	number, hidden := int32(min(max(count, 1), 32)), int32(hide/time.Second)
	r, err := c.service.NewQueueClient(queue).DequeueMessages(ctx, &azqueue.DequeueMessagesOptions{NumberOfMessages: &number, VisibilityTimeout: &hidden})
	if err != nil {
		return nil, queueFault(err)
	}
	list := make([]Message, 0, len(r.Messages))
	for _, m := range r.Messages {
		list = append(list, Message{
			ID: value(m.MessageID), Receipt: value(m.PopReceipt), Text: value(m.MessageText), DequeueCount: int(value(m.DequeueCount)),
			Inserted: value(m.InsertionTime), Expires: value(m.ExpirationTime), NextVisible: value(m.TimeNextVisible),
		})
	}
	return list, nil
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Hide hides a received message for that long from now on and gives its new receipt; ErrReceipt when somebody else has it.
func (c *Client) Hide(ctx context.Context, queue, id, receipt string, hide time.Duration) (string, error) {
	hidden := int32(hide / time.Second)
	r, err := c.service.NewQueueClient(queue).UpdateMessage(keepText(ctx), id, receipt, "", &azqueue.UpdateMessageOptions{VisibilityTimeout: &hidden})
	if err != nil {
		return "", queueFault(err)
	}
	return value(r.PopReceipt), nil
}

// Delete removes a received message; ErrReceipt when somebody else has it, or had it.
func (c *Client) Delete(ctx context.Context, queue, id, receipt string) error {
	_, err := c.service.NewQueueClient(queue).DeleteMessage(ctx, id, receipt, nil)
	return queueFault(err)
}

// Length is about how many messages a queue has, hidden ones included.
func (c *Client) Length(ctx context.Context, queue string) (int64, error) {
	p, err := c.service.NewQueueClient(queue).GetProperties(ctx, nil)
	return value(p.ApproximateMessagesCount), queueFault(err)
}

// Peek looks at the first messages, at most 32, without taking them.
func (c *Client) Peek(ctx context.Context, queue string) ([]Message, error) {
	number := int32(32)
	r, err := c.service.NewQueueClient(queue).PeekMessages(ctx, &azqueue.PeekMessagesOptions{NumberOfMessages: &number})
	if err != nil {
		return nil, queueFault(err)
	}
	list := make([]Message, 0, len(r.Messages))
	for _, m := range r.Messages {
		list = append(list, Message{
			ID: value(m.MessageID), Text: value(m.MessageText), DequeueCount: int(value(m.DequeueCount)),
			Inserted: value(m.InsertionTime), Expires: value(m.ExpirationTime),
		})
	}
	return list, nil
}

// queueFault names the two refusals that callers decide on.
func queueFault(err error) error {
	switch {
	case err == nil:
		return nil
	case queueerror.HasCode(err, queueerror.QueueNotFound, queueerror.QueueBeingDeleted):
		return fault.New(fault.NotFound, "There is no such queue. Create it, or check the queue names in the settings.", errors.Join(ErrNoQueue, err))
	case queueerror.HasCode(err, queueerror.PopReceiptMismatch, queueerror.MessageNotFound):
		return fault.New(fault.LeaseLost, "", errors.Join(ErrReceipt, err))
	}
	return account.Fault(err)
}
