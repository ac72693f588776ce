package pool

import (
	"context"
	"sync"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// gate admits tickets in the order of their arrival, while slots, memory and bytes in flight last.
// One ticket is always admitted when nothing runs, whatever its size.
type gate struct {
	mu      sync.Mutex
	size    Sizing
	running map[*ticket]struct{}
	queue   []*ticket
	bytes   int64
	memory  int64
	shut    error // why no more tickets are taken
	changed func(running int)
}

// ticket is one try of one document.
type ticket struct {
	item   child.Item
	bytes  int64 // of input
	memory int64 // cap
	alone  bool
	first  bool // goes before those that wait, and is never refused: work has been done on it
	// admitted is closed when the ticket may run, or when it is refused or carried by another one.
	admitted chan struct{}
	refused  error
	outcome  chan outcome // set when another ticket's process does this one too
}

// outcome is what came of one try.
type outcome struct {
	result job.Result
	usage  job.Usage
	err    error
}

func newGate(size Sizing, changed func(int)) *gate {
	return &gate{size: size, running: map[*ticket]struct{}{}, changed: changed}
}

// enter waits until the ticket is admitted. After nil, leave must be called once, unless the ticket is carried.
func (g *gate) enter(ctx context.Context, t *ticket, maxWait time.Duration) error {
	if err := g.line(t); err != nil {
		return err
	}
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case <-t.admitted:
		return t.refused
	case <-ctx.Done():
		return g.give(t, fault.From(context.Cause(ctx)))
	case <-timer.C:
		return g.give(t, fault.New(fault.Busy, "", nil))
	}
}

// line puts the ticket into the queue, or refuses it.
func (g *gate) line(t *ticket) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		return g.shut
	}
	t.admitted = make(chan struct{})
	switch {
	case t.first:
		g.queue = append([]*ticket{t}, g.queue...)
	case len(g.queue) >= g.size.Waiting && !g.fits(t):
		return fault.New(fault.Busy, "", nil)
	default:
		g.queue = append(g.queue, t)
	}
	g.pump()
	return nil
}

// give takes a ticket out of the queue for a reason; if it was admitted meanwhile, it goes on, and its context ends it.
func (g *gate) give(t *ticket, why error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, waiting := range g.queue {
		if waiting == t {
			g.queue = append(g.queue[:i:i], g.queue[i+1:]...)
			g.pump()
			return why
		}
	}
	return t.refused
}

func (g *gate) leave(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, t)
	g.bytes -= t.bytes
	g.memory -= t.memory
	g.changed(len(g.running))
	g.pump()
}

// pump admits from the head of the queue. The lock is held.
func (g *gate) pump() {
	for len(g.queue) > 0 && g.fits(g.queue[0]) {
		t := g.queue[0]
		g.queue = g.queue[1:]
		g.running[t] = struct{}{}
		g.bytes += t.bytes
		g.memory += t.memory
		g.changed(len(g.running))
		close(t.admitted)
	}
}

// fits tells whether the ticket may run beside those that do.
func (g *gate) fits(t *ticket) bool {
	if len(g.running) == 0 {
		return true
	}
	for r := range g.running {
		if r.alone {
			return false
		}
	}
	return !t.alone && len(g.running) < g.size.Slots && g.bytes+t.bytes <= g.size.BytesInFlight && g.memory+t.memory <= g.size.Budget
}

// companions takes up to n waiting tickets from the head of the queue that may share a process with t: the same cap, not alone,
// and no more than this slot's share, so that the other slots are not left with nothing. Their outcome is sent to them.
func (g *gate) companions(t *ticket, n int) (carried []*ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n = min(n, (len(g.queue)+g.size.Slots-1)/g.size.Slots)
	for len(g.queue) > 0 && len(carried) < n && !t.alone && !g.queue[0].alone && g.queue[0].memory == t.memory {
		c := g.queue[0]
		g.queue = g.queue[1:]
		c.outcome = make(chan outcome, 1)
		carried = append(carried, c)
		close(c.admitted)
	}
	return carried
}

// close refuses all that wait and all that come, for a reason.
func (g *gate) close(why error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = why
	for _, t := range g.queue {
		t.refused = why
		close(t.admitted)
	}
	g.queue = nil
}

// load is how many run and wait now.
func (g *gate) load() (running, waiting int, bytes, memory int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.running), len(g.queue), g.bytes, g.memory
}

// full tells whether a new ticket of ordinary size would be refused.
func (g *gate) full() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.shut != nil || len(g.queue) >= g.size.Waiting && len(g.running) >= g.size.Slots
}
