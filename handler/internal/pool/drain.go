package pool

import (
	"context"
	"sync"
	"time"

	"decant/handler/internal/fault"
)

// killPatience is how long killed groups may take to be gone.
const killPatience = 5 * time.Second

// drain counts what runs and can end it.
type drain struct {
	mu      sync.Mutex
	started bool
	running sync.WaitGroup
	base    context.Context // ends when running documents must go
	kill    context.CancelCauseFunc
}

func (d *drain) init() { d.base, d.kill = context.WithCancelCause(context.Background()) }

// enter lets a document in, with a context that also ends when the drain is over. done must be called once.
func (d *drain) enter(ctx context.Context) (context.Context, func(), error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return nil, nil, interrupted()
	}
	d.running.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(d.base, func() { cancel(context.Cause(d.base)) })
	return ctx, func() { stop(); cancel(nil); d.running.Done() }, nil
}

func (d *drain) begun() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.started
}

func interrupted() *fault.Error { return fault.New(fault.Interrupted, "", nil) }

// Drain takes no new documents, refuses those that wait, gives those that run DrainTimeout or until ctx ends, then kills their
// groups: they end with fault.Interrupted. It returns when nothing runs any more, with an error if something could not be ended.
func (p *Pool) Drain(ctx context.Context) error {
	p.drain.mu.Lock()
	p.drain.started = true
	p.drain.mu.Unlock()
	p.gate.close(interrupted())
	p.endAdapting()
	idle := make(chan struct{})
	go func() { p.drain.running.Wait(); close(idle) }()
	timer := time.NewTimer(p.options.DrainTimeout)
	defer timer.Stop()
	select {
	case <-idle:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	running, _, _, _ := p.gate.load()
	p.options.Log.Warn("drain is over, running documents are killed", "running", running)
	p.drain.kill(interrupted())
	select {
	case <-idle:
		return nil
	case <-time.After(killPatience):
		return fault.New(fault.Internal, "", context.DeadlineExceeded)
	}
}

// Close is Drain without patience.
func (p *Pool) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return p.Drain(ctx)
}
