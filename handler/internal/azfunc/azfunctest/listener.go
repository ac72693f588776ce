package azfunctest

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// listenQueue is the listener of one function (extension: QueueListener.cs): a new batch is fetched whenever no more than
// newBatchThreshold messages are running, so batchSize + newBatchThreshold run at most, and all of a batch start at once.
func (h *Host) listenQueue(f *function) {
	q := h.config.queues
	var running sync.WaitGroup
	defer running.Wait()
	slots := newGate(q.newBatchThreshold)
	idle := h.opt.Times.MinPoll
	for slots.await(h.listen) {
		batch, err := h.opt.Queues.Receive(h.listen, f.queue, q.batchSize, h.opt.Times.Lease)
		switch {
		case h.listen.Err() != nil:
			return
		case err != nil && !errors.Is(err, ErrNoQueue):
			h.emit(Event{Kind: QueueTrouble, Queue: f.queue, Err: err})
		}
		for _, message := range batch {
			slots.add(1)
			running.Go(func() {
				defer slots.add(-1)
				h.process(f, message)
			})
		}
		if len(batch) > 0 {
			idle = h.opt.Times.MinPoll
			continue
		}
		if !pause(h.listen, idle) {
			return
		}
		idle = h.nextIdle(idle)
	}
}

// nextIdle is the random exponential back-off of a queue that stays empty.
func (h *Host) nextIdle(idle time.Duration) time.Duration {
	grown := time.Duration(float64(idle) * (1.6 + 0.8*rand.Float64()))
	return max(min(grown, h.config.queues.maxPollingInterval), h.opt.Times.MinPoll)
}

// process takes one message to its end (extension: QueueProcessor.cs).
func (h *Host) process(f *function, m QueueMessage) {
	q := h.config.queues
	held := &holding{host: h, function: f, message: m, receipt: m.Receipt}
	if m.DequeueCount > q.maxDequeueCount {
		held.poison() // earlier attempts died with their host: the function is not called
		return
	}
	body := []byte(m.Text)
	if q.base64 {
		decoded, err := base64.StdEncoding.DecodeString(m.Text)
		if err != nil {
			held.poison() // not valid base64: the function is not called
			return
		}
		body = decoded
	}
	ctx, stop := context.WithCancel(h.ctx)
	var renewal sync.WaitGroup
	renewal.Go(func() { held.renew(ctx) })
	err := h.run(f, body, m)
	stop()
	renewal.Wait()
	switch {
	case h.ctx.Err() != nil: // the host is gone: the message stays hidden until its lease ends
	case err == nil:
		held.remove()
	case m.DequeueCount >= q.maxDequeueCount:
		held.poison()
	default:
		held.release(q.visibilityTimeout)
	}
}

func (h *Host) run(f *function, body []byte, m QueueMessage) error {
	i := &invocation{function: f, message: m.ID, attempt: m.DequeueCount}
	if !strings.EqualFold(f.trigger.DataType, "binary") && !utf8.Valid(body) {
		err := errors.New("binding failed: the message is not UTF-8") // the handler is never called
		h.emit(i.event(Failed, err))
		return err
	}
	i.body = queueEnvelope(f, body, m)
	return h.invoke(h.ctx, i)
}

// holding is a received message, with the receipt that counts now.
type holding struct {
	host     *Host
	function *function
	message  QueueMessage

	mu      sync.Mutex
	receipt string
}

func (d *holding) event(kind EventKind, queue string, err error) {
	d.host.emit(Event{Kind: kind, Queue: queue, Function: d.function.name, Message: d.message.ID, Attempt: d.message.DequeueCount, Err: err})
}

// renew hides the message anew at half of its lease, for as long as the invocation runs; after an error it tries again sooner.
func (d *holding) renew(ctx context.Context) {
	lease := d.host.opt.Times.Lease
	wait := lease / 2
	for pause(ctx, wait) {
		d.mu.Lock()
		receipt, err := d.host.opt.Queues.Hide(ctx, d.function.queue, d.message.ID, d.receipt, lease)
		if err == nil {
			d.receipt = receipt
		}
		d.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			wait = lease / 2
			d.event(MessageRenewed, d.function.queue, nil)
		case errors.Is(err, ErrReceipt):
			d.event(QueueTrouble, d.function.queue, err)
			return // somebody else has it now; the invocation goes on, and the work is done twice
		default:
			wait = max(wait/2, lease/10)
			d.event(QueueTrouble, d.function.queue, err)
		}
	}
}

// remove deletes the message. A receipt that does not fit any more is no error: somebody else took the message meanwhile.
func (d *holding) remove() {
	err := d.host.opt.Queues.Delete(d.host.ctx, d.function.queue, d.message.ID, d.receipt)
	if err != nil && !errors.Is(err, ErrReceipt) {
		d.event(QueueTrouble, d.function.queue, err)
		return
	}
	d.event(MessageDeleted, d.function.queue, nil)
}

// release brings the message back after visibilityTimeout.
func (d *holding) release(after time.Duration) {
	if _, err := d.host.opt.Queues.Hide(d.host.ctx, d.function.queue, d.message.ID, d.receipt, after); err != nil {
		d.event(QueueTrouble, d.function.queue, err)
		return
	}
	d.event(MessageReleased, d.function.queue, nil)
}

// poison copies the body, and nothing else, to the poison queue and deletes the message: two steps, so that it may happen
// twice. A queue whose own name ends in -poison, or becomes too long, has none: its message stays hidden until the lease
// ends, again and again (extension: QueueListenerFactory.cs).
func (d *holding) poison() {
	queue, ok := poisonQueue(d.function.queue)
	if !ok {
		d.event(MessageStuck, d.function.queue, nil)
		return
	}
	ctx := d.host.ctx
	err := d.host.opt.Queues.Create(ctx, queue)
	if err == nil {
		err = d.host.opt.Queues.Send(ctx, queue, d.message.Text)
	}
	if err != nil {
		d.event(QueueTrouble, queue, fmt.Errorf("copy to the poison queue: %w", err))
		return
	}
	d.event(MessagePoisoned, queue, nil)
	d.remove()
}

const maxQueueName = 63

func poisonQueue(queue string) (string, bool) {
	const suffix = "-poison"
	if len(queue) >= len(suffix) && queue[len(queue)-len(suffix):] == suffix || len(queue)+len(suffix) > maxQueueName {
		return "", false
	}
	return queue + suffix, true
}

// gate counts running messages and lets the listener through when there are few enough.
type gate struct {
	mu        sync.Mutex
	running   int
	threshold int
	changed   chan struct{}
}

func newGate(threshold int) *gate {
	return &gate{threshold: threshold, changed: make(chan struct{}, 1)}
}

func (g *gate) add(n int) {
	g.mu.Lock()
	g.running += n
	g.mu.Unlock()
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

// await waits until no more than threshold messages run; false when ctx ended first.
func (g *gate) await(ctx context.Context) bool {
	for {
		g.mu.Lock()
		free := g.running <= g.threshold
		g.mu.Unlock()
		if ctx.Err() != nil {
			return false
		}
		if free {
			return true
		}
		select {
		case <-g.changed:
		case <-ctx.Done():
			return false
		}
	}
}
