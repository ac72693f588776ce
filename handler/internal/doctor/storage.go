package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"
	"time"

	"decant/handler/internal/fault"
)

// Container is a blob container: azure/blob's Letters.
type Container interface {
	Save(ctx context.Context, name string, text []byte) error
	Read(ctx context.Context, name string) ([]byte, error)
	Remove(ctx context.Context, name string) error
}

// Blobs writes, reads and deletes a scratch blob in a container.
func Blobs(name string, c Container) Check {
	return Check{"container " + name, func(ctx context.Context) Finding {
		scratch, text := ".decant-doctor/"+rand.Text(), []byte("decant doctor")
		if err := c.Save(ctx, scratch, text); err != nil {
			return storageFailed("write a blob", "Storage Blob Data Owner or Contributor", err)
		}
		got, err := c.Read(ctx, scratch)
		if err == nil && !bytes.Equal(got, text) {
			return failed("Report this.", "a blob was read back as something else")
		}
		if err == nil {
			err = c.Remove(ctx, scratch)
		}
		if err != nil {
			return storageFailed("read and delete a blob", "Storage Blob Data Owner or Contributor", err)
		}
		return fine("written, read, deleted")
	}}
}

// Lister lists a container: azure/blob's Letters.
type Lister interface {
	List(ctx context.Context, prefix, cursor string) (names []string, next string, err error)
}

// Listable only looks into a container: in the documents container a scratch blob would start a conversion.
func Listable(name string, l Lister) Check {
	return Check{"container " + name, func(ctx context.Context) Finding {
		if _, _, err := l.List(ctx, ".decant-doctor/", ""); err != nil {
			return storageFailed("list a container", "Storage Blob Data Owner or Contributor", err)
		}
		return fine("listed")
	}}
}

// storageFailed says what an error of a service means for whoever runs decant.
func storageFailed(what, role string, err error) Finding {
	switch fault.KindOf(err) {
	case fault.Denied:
		return failed("Give the identity the role "+role+" on the account and wait up to ten minutes for it to spread; with a firewall, come from inside the network.",
			"not allowed to %s: %v", what, err)
	case fault.NotFound:
		return failed("Deploy infra/main.bicep again, or check the names in the settings.", "there is nothing to %s: %v", what, err)
	}
	return failed("Check the endpoint in the settings, DNS and private endpoints, and AZURE_TOKEN_CREDENTIALS outside Azure.", "could not %s: %v", what, err)
}

// Message is a message of a queue.
type Message struct {
	ID, Receipt string
	Text        string // as stored
	Inserted    time.Time
}

// Queues is a storage account's queue service.
type Queues interface {
	Create(ctx context.Context, queue string) error
	Enqueue(ctx context.Context, queue string, message []byte, delay time.Duration) error
	Receive(ctx context.Context, queue string, count int, hide time.Duration) ([]Message, error)
	Peek(ctx context.Context, queue string) ([]Message, error)
	Hide(ctx context.Context, queue, id, receipt string, hide time.Duration) (string, error)
	Delete(ctx context.Context, queue, id, receipt string) error
	Length(ctx context.Context, queue string) (int64, error)
}

// ScratchQueue is the queue that doctor tries its operations on. It stays, empty.
const ScratchQueue = "decant-doctor"

// QueueRoles sends, receives, hides (Update Message, which the role Message Processor lacks) and deletes a message, and looks
// at its encoding and at the service's clock.
func QueueRoles(q Queues, now func() time.Time) Check {
	return Check{"queue operations", func(ctx context.Context) Finding {
		const role = "Storage Queue Data Contributor"
		body := []byte(rand.Text())
		if err := q.Create(ctx, ScratchQueue); err != nil {
			return storageFailed("make a queue", role, err)
		}
		sent := now()
		if err := q.Enqueue(ctx, ScratchQueue, body, 0); err != nil {
			return storageFailed("send a message", role, err)
		}
		m, err := receive(ctx, q, body)
		if err != nil {
			return storageFailed("receive a message", role, err)
		}
		if m.Receipt, err = q.Hide(ctx, ScratchQueue, m.ID, m.Receipt, time.Minute); err != nil {
			return storageFailed("renew a message's lease (Update Message)", role, err)
		}
		if err := q.Delete(ctx, ScratchQueue, m.ID, m.Receipt); err != nil {
			return storageFailed("delete a message", role, err)
		}
		if skew := m.Inserted.Sub(sent).Abs(); skew > maxSkew {
			return Finding{Level: Advice, Text: "this machine's clock and the service's differ by " + skew.Round(time.Second).String(), Do: "Set the clock; leases and signatures depend on it."}
		}
		return fine("sent, received, renewed, deleted; base64; clocks agree")
	}}
}

// maxSkew is how far two clocks may differ, time on the way included.
const maxSkew = 30 * time.Second

// receive takes messages until the one with body comes; what an earlier run left is deleted.
func receive(ctx context.Context, q Queues, body []byte) (Message, error) {
	want := base64.StdEncoding.EncodeToString(body)
	for {
		list, err := q.Receive(ctx, ScratchQueue, 32, time.Minute)
		if err != nil {
			return Message{}, err
		}
		for _, m := range list {
			if m.Text == want {
				return m, nil
			}
			if err := q.Delete(ctx, ScratchQueue, m.ID, m.Receipt); err != nil {
				return Message{}, err
			}
		}
		if err := ctx.Err(); err != nil {
			return Message{}, err
		}
	}
}

// Queue looks at a queue that must be there: its length, its age, whether its messages are base64. Messages in a poison queue are advice.
func Queue(q Queues, name string, poison bool, now func() time.Time) Check {
	return Check{"queue " + name, func(ctx context.Context) Finding {
		length, err := q.Length(ctx, name)
		if err != nil {
			return storageFailed("read the queue "+name, "Storage Queue Data Contributor", err)
		}
		list, err := q.Peek(ctx, name)
		if err != nil {
			return storageFailed("look into the queue "+name, "Storage Queue Data Contributor", err)
		}
		for _, m := range list {
			if _, err := base64.StdEncoding.DecodeString(m.Text); err != nil {
				return Finding{Level: Advice, Text: "a message is not base64: the host will move it to the poison queue unread", Do: "Whoever sends it must encode it."}
			}
		}
		if poison && length > 0 {
			return Finding{Level: Advice, Text: fmt.Sprintf("about %d messages, which the poison function should have taken", length), Do: "See whether the app runs, then decant redrive."}
		}
		return fine("about %d messages, the oldest visible one %s old", length, oldest(list, now()).Round(time.Second))
	}}
}

func oldest(list []Message, now time.Time) (age time.Duration) {
	for _, m := range list {
		age = max(age, now.Sub(m.Inserted))
	}
	return age
}

// LogQueues writes one line for each queue: its length, and how long the oldest message at its head has waited. A queue that cannot
// be read is left out, with a line that says so.
func LogQueues(ctx context.Context, q Queues, names []string, now time.Time, log *slog.Logger) {
	for _, name := range names {
		length, err := q.Length(ctx, name)
		var list []Message
		if err == nil {
			list, err = q.Peek(ctx, name)
		}
		if err != nil {
			log.Info("queue unread", "queue", name, "error", err.Error())
			continue
		}
		log.Info("queue", "queue", name, "length", length, "oldestSeconds", int64(oldest(list, now)/time.Second))
	}
}
