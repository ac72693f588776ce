package azfunctest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Host is a running stand-in host. After Start returned one, Stop or Crash must be called once.
type Host struct {
	opt       Options
	config    *hostConfig
	env       *environment
	functions []*function
	dropped   []Dropped
	port      int // of the handler; the same after every restart
	client    *http.Client

	ctx     context.Context // the host's life, not a call's
	end     context.CancelFunc
	listen  context.Context // the listeners' life, which ends first
	unplug  context.CancelFunc
	work    sync.WaitGroup // running queue messages and listeners
	service sync.WaitGroup // the dispatcher and the front

	handler dispatcher
	front   *http.Server
	url     string

	once   sync.Once
	err    error
	closed chan struct{}
}

// Start reads and checks the app folder and starts everything. It does not wait for the handler to be ready: the real host
// does not either. The handler is not started when there are no functions (host: HttpFunctionInvocationDispatcher.cs).
// ctx ends the host as Crash does.
func Start(ctx context.Context, options Options) (*Host, error) {
	h := &Host{opt: options.withDefaults(), closed: make(chan struct{})}
	if err := h.load(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", h.opt.Address)
	if err != nil {
		return nil, fmt.Errorf("listen for HTTP: %w", err)
	}
	if h.port, err = freePort(); err != nil {
		listener.Close()
		return nil, err
	}
	h.ctx, h.end = context.WithCancel(ctx)
	h.listen, h.unplug = context.WithCancel(h.ctx)
	h.client = h.newClient()
	for _, d := range h.dropped {
		h.emit(Event{Kind: FunctionDropped, Function: d.Function, Err: d.Reason})
	}
	h.serveFront(listener)
	if len(h.functions) > 0 {
		h.service.Go(h.dispatch)
		h.startListeners()
	}
	context.AfterFunc(h.ctx, func() { h.fail(context.Cause(h.ctx)) })
	return h, nil
}

func (h *Host) load() error {
	var err error
	if h.env, err = loadEnvironment(h.opt.Dir, h.opt.Environ); err != nil {
		return err
	}
	settings, err := loadSettings(h.opt.Dir, h.env)
	if err != nil {
		return err
	}
	if h.config, err = bindConfig(settings); err != nil {
		return err
	}
	if h.functions, h.dropped, err = discover(h.opt.Dir, h.config, h.env); err != nil {
		return err
	}
	if h.opt.Queues == nil && slices.ContainsFunc(h.functions, func(f *function) bool { return f.queue != "" }) {
		return errors.New("azfunctest: there are queue triggers but no Options.Queues")
	}
	return nil
}

func (h *Host) startListeners() {
	for _, f := range h.functions {
		switch {
		case f.queue != "":
			h.work.Go(func() { h.listenQueue(f) })
		case f.cron != nil:
			h.work.Go(func() { h.runTimer(f) })
		}
	}
}

// URL is the address of the HTTP front, without a slash at the end; functions are below URL()/api.
func (h *Host) URL() string { return h.url }

// Functions are the names of the functions that run.
func (h *Host) Functions() []string {
	var names []string
	for _, f := range h.functions {
		names = append(names, f.name)
	}
	return names
}

// Dropped are the functions that were left out, as the real host leaves them out.
func (h *Host) Dropped() []Dropped { return h.dropped }

// Done is closed when the host has stopped, for whatever reason.
func (h *Host) Done() <-chan struct{} { return h.closed }

// Err is why the host stopped itself; nil while it runs and after Stop.
func (h *Host) Err() error {
	select {
	case <-h.closed:
		return h.err
	default:
		return nil
	}
}

// PID is the process id of the handler that runs now, 0 when none does.
func (h *Host) PID() int {
	if p := h.handler.current(); p != nil {
		return p.pid
	}
	return 0
}

// Ready waits until the handler has answered a readiness probe.
func (h *Host) Ready(ctx context.Context) error {
	_, err := h.awaitReady(ctx)
	return err
}

// Drain stops listeners and timers without cancelling anything, as the platform does before it takes an instance away, and waits
// until nothing runs any more or ctx ends. HTTP goes on. There is no way back but a new Start.
func (h *Host) Drain(ctx context.Context) error {
	h.unplug()
	idle := make(chan struct{})
	go func() { h.work.Wait(); close(idle) }()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop ends the host as a scale-in or Ctrl-C does: listeners stop, running messages have Times.StopWait to end, and then the
// handler gets SIGKILL, that one process and not its children, without any notice (host: WorkerProcess.cs). The messages
// that are still running stay hidden until their lease ends.
func (h *Host) Stop() error {
	ctx, cancel := context.WithTimeout(h.ctx, h.opt.Times.StopWait)
	defer cancel()
	_ = h.Drain(ctx) // what has not ended by then is left as it is
	h.fail(nil)
	<-h.closed
	return h.err
}

// Crash ends the host as a vanishing machine does: at once, with every message left as it is.
func (h *Host) Crash() {
	h.fail(nil)
	<-h.closed
}

// fail ends the host; the first reason is kept. A cancelled context is no reason.
func (h *Host) fail(reason error) {
	h.once.Do(func() {
		if errors.Is(reason, context.Canceled) {
			reason = nil
		}
		h.err = reason
		h.end()
		h.handler.kill(h, "the host stops")
		go func() {
			h.front.Close()
			h.service.Wait()
			h.work.Wait()
			h.client.CloseIdleConnections()
			h.emit(Event{Kind: HostStopped, Err: reason})
			close(h.closed)
		}()
	})
}

// freePort picks a loopback port by binding to it and letting it go again, as the host does (host: WorkerUtilities.cs).
func freePort() (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a port for the handler: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func (h *Host) function(name string) (*function, error) {
	for _, f := range h.functions {
		if strings.EqualFold(f.name, name) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("there is no function %q", name)
}
