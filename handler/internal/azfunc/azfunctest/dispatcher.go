package azfunctest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// dispatcher holds the handler process and what is remembered about its crashes.
type dispatcher struct {
	mu       sync.Mutex
	process  *process
	gone     bool // the host stops: nothing is started any more
	strikes  int
	lastFail time.Time
}

// maxStrikes is how many errors stop the whole host (host: HttpFunctionInvocationDispatcher.cs).
const maxStrikes = 3

func (d *dispatcher) current() *process {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.process
}

// kill sends SIGKILL to the handler, to that one process.
func (d *dispatcher) kill(h *Host, why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
	d.killLocked(h, why)
}

func (d *dispatcher) killLocked(h *Host, why string) {
	p := d.process
	if p == nil {
		return
	}
	select {
	case <-p.exited:
		return
	default:
	}
	p.forgive.Store(true)
	h.emit(Event{Kind: HandlerKilled, PID: p.pid, Text: why})
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		h.emit(Event{Kind: HandlerKilled, PID: p.pid, Err: err})
	}
}

// dispatch keeps a handler running, by its exit codes.
func (h *Host) dispatch() {
	for h.ctx.Err() == nil {
		p, err := h.startProcess()
		if err != nil {
			// The real host swallows this and never tries again; the first invocation then waits four times the
			// initialization timeout and takes the host down (host: TaskExtensions.cs, Forget).
			h.emit(Event{Kind: HandlerNotStarted, Err: err})
			return
		}
		if !h.watch(p) {
			return
		}
	}
}

func (h *Host) startProcess() (*process, error) {
	h.handler.mu.Lock()
	defer h.handler.mu.Unlock()
	if h.handler.gone {
		return nil, context.Canceled
	}
	p, err := h.launch()
	h.handler.process = p
	return p, err
}

// watch follows one process to its end, and tells whether another one is to be started.
func (h *Host) watch(p *process) (restart bool) {
	probed := make(chan bool, 1)
	ctx, stop := context.WithCancel(h.ctx)
	defer stop()
	h.service.Go(func() { probed <- h.probe(ctx, p) })
	for {
		select {
		case ready := <-probed:
			if !ready && h.ctx.Err() == nil {
				h.emit(Event{Kind: HandlerNotReady, PID: p.pid})
				h.handler.mu.Lock()
				h.handler.killLocked(h, "it did not answer within the initialization timeout")
				h.handler.mu.Unlock()
				<-p.exited
				return h.strike(fmt.Errorf("the handler was not ready within %s", h.config.initialization))
			}
			probed = nil
		case <-p.exited:
			if h.ctx.Err() != nil {
				return false
			}
			h.emit(Event{Kind: HandlerExited, PID: p.pid, Exit: p.exit, Text: p.lastErrors()})
			if p.exit == 0 && probed != nil && !<-probed {
				return h.strike(errors.New("the handler exited with 0 before it was ready"))
			}
			return h.afterExit(p)
		}
	}
}

// afterExit is the exit table (host: WorkerProcess.cs): 0 nothing, 200 a free restart, anything else an error.
func (h *Host) afterExit(p *process) bool {
	switch {
	case p.replace.Load(), p.exit == 200:
		return true
	case p.exit == 0:
		return false // it stays the current process: every invocation is refused by a closed port
	}
	return h.strike(fmt.Errorf("the handler exited with %d: %s", p.exit, p.lastErrors()))
}

// strike counts an error. The earlier ones are forgotten only when this one comes later than the window after the last.
func (h *Host) strike(cause error) (restart bool) {
	d := &h.handler
	now := time.Now()
	if now.Sub(d.lastFail) > h.opt.Times.ErrorWindow {
		d.strikes = 0
	}
	d.strikes++
	d.lastFail = now
	if d.strikes < maxStrikes {
		return true
	}
	h.fail(fmt.Errorf("the handler failed %d times: %w", maxStrikes, cause))
	return false
}

// probe asks GET / until anything answers, whatever the status. Only a connection that cannot be made means "not yet"; any
// other trouble counts as ready, too. The time is counted in pauses (host: DefaultHttpWorkerService.cs).
func (h *Host) probe(ctx context.Context, p *process) bool {
	for waited := time.Duration(0); waited < h.config.initialization; waited += h.opt.Times.Probe {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.handlerURL("/"), nil)
		if err != nil {
			return false
		}
		response, err := h.client.Do(request)
		if ctx.Err() != nil {
			return false
		}
		if err == nil {
			response.Body.Close()
		}
		if !isSocketError(err) {
			close(p.ready)
			h.emit(Event{Kind: HandlerReady, PID: p.pid})
			return true
		}
		if !pause(ctx, h.opt.Times.Probe) {
			return false
		}
	}
	return false
}

func isSocketError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// awaitReady waits for the handler, polling, for four times the initialization timeout; then the host stops itself
// (host: WorkerFunctionInvoker.cs).
func (h *Host) awaitReady(ctx context.Context) (*process, error) {
	limit := time.Now().Add((maxStrikes + 1) * h.config.initialization)
	for {
		if p := h.handler.current(); p != nil {
			select {
			case <-p.ready:
				return p, nil
			default:
			}
		}
		if time.Now().After(limit) {
			err := errors.New("the handler did not become ready, the host stops")
			h.fail(err)
			return nil, err
		}
		if !pause(ctx, h.opt.Times.Probe) {
			return nil, ctx.Err()
		}
		if h.ctx.Err() != nil {
			return nil, errors.New("the host has stopped")
		}
	}
}

// replaceHandler kills the handler at functionTimeout, and every other invocation in it; this does not count as an error.
func (h *Host) replaceHandler() {
	h.handler.mu.Lock()
	defer h.handler.mu.Unlock()
	if p := h.handler.process; p != nil && !h.handler.gone {
		p.replace.Store(true)
		h.handler.killLocked(h, "an invocation outlived functionTimeout")
	}
}

// pause waits; false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
