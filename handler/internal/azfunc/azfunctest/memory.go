package azfunctest

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// MemoryQueues is a queue service in memory. The zero value is ready; it is safe for concurrent use.
type MemoryQueues struct {
	mu     sync.Mutex
	queues map[string][]*QueueMessage
}

var _ Queues = (*MemoryQueues)(nil)

// defaultLife is how long a message lives that is sent without a time to live.
const defaultLife = 7 * 24 * time.Hour

// Create makes a queue.
func (m *MemoryQueues) Create(_ context.Context, queue string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.queues == nil {
		m.queues = map[string][]*QueueMessage{}
	}
	if _, ok := m.queues[queue]; !ok {
		m.queues[queue] = nil
	}
	return nil
}

// Send puts a message on a queue.
func (m *MemoryQueues) Send(_ context.Context, queue, text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, ok := m.queues[queue]
	if !ok {
		return fmt.Errorf("send to %s: %w", queue, ErrNoQueue)
	}
	now := time.Now()
	m.queues[queue] = append(list, &QueueMessage{ID: uuid.NewString(), Text: text, Inserted: now, Expires: now.Add(defaultLife), NextVisible: now})
	return nil
}

// Receive takes messages.
func (m *MemoryQueues) Receive(_ context.Context, queue string, count int, hide time.Duration) ([]QueueMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, ok := m.queues[queue]
	if !ok {
		return nil, fmt.Errorf("receive from %s: %w", queue, ErrNoQueue)
	}
	if count < 1 || count > 32 {
		return nil, fmt.Errorf("receive from %s: %d messages, 1 to 32 are possible", queue, count)
	}
	now := time.Now()
	var taken []QueueMessage
	for _, message := range list {
		if len(taken) < count && !message.NextVisible.After(now) {
			message.DequeueCount++
			message.Receipt, message.NextVisible = rand.Text(), now.Add(hide)
			taken = append(taken, *message)
		}
	}
	return taken, nil
}

// Hide hides a received message anew.
func (m *MemoryQueues) Hide(_ context.Context, queue, id, receipt string, hide time.Duration) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, err := m.find(queue, id, receipt)
	if err != nil {
		return "", err
	}
	message := m.queues[queue][i]
	message.Receipt, message.NextVisible = rand.Text(), time.Now().Add(hide)
	return message.Receipt, nil
}

// Delete removes a received message.
func (m *MemoryQueues) Delete(_ context.Context, queue, id, receipt string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, err := m.find(queue, id, receipt)
	if err != nil {
		return err
	}
	m.queues[queue] = slices.Delete(m.queues[queue], i, i+1)
	return nil
}

func (m *MemoryQueues) find(queue, id, receipt string) (int, error) {
	i := slices.IndexFunc(m.queues[queue], func(message *QueueMessage) bool { return message.ID == id && message.Receipt == receipt })
	if i < 0 {
		return 0, fmt.Errorf("message %s in %s: %w", id, queue, ErrReceipt)
	}
	return i, nil
}

// Messages gives what lies in a queue, hidden messages included, and whether the queue exists.
func (m *MemoryQueues) Messages(queue string) ([]QueueMessage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, ok := m.queues[queue]
	var all []QueueMessage
	for _, message := range list {
		all = append(all, *message)
	}
	return all, ok
}
