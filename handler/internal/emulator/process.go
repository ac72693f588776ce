package emulator

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// startTimeout is how long an emulator may take until its ports answer; Azurite needs about a second, on a machine with other work a minute.
const startTimeout = 5 * time.Minute

// Process is one running emulator.
type Process struct {
	cmd      *exec.Cmd
	lifeline io.Closer // its standard input: closing it ends the emulator
	done     chan struct{}
	err      error // of Wait, after done
	once     sync.Once
}

// Done is closed when the emulator has ended, for whatever reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop ends the emulator and waits until it is gone. It may be called more than once.
func (p *Process) Stop() {
	p.once.Do(func() {
		p.lifeline.Close()
		select {
		case <-p.done:
		case <-time.After(5 * time.Second):
			_ = p.cmd.Process.Kill() // it may have ended by itself
		}
	})
	<-p.done
}

// start runs node and reads lines of output until heard has found what it needs. Later output goes to log.
func start(ctx context.Context, log io.Writer, args []string, heard func(line string) (ready bool)) (*Process, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("the emulators need Node.js: %w", err)
	}
	cmd := exec.Command(node, args...)
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	last := &tail{}
	cmd.Stderr = io.MultiWriter(log, last)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, lifeline: lifeline, done: make(chan struct{})}
	ready := make(chan struct{})
	go func() {
		listen(output, log, ready, heard)
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, p.await(ctx, ready, last)
}

// listen reads the output to its end, so that the emulator never blocks on it.
func listen(output io.Reader, log io.Writer, ready chan<- struct{}, heard func(string) bool) {
	waiting := true
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintln(log, lines.Text())
		if waiting && heard(lines.Text()) {
			waiting = false
			close(ready)
		}
	}
	_, _ = io.Copy(io.Discard, output) // until it ends
}

func (p *Process) await(ctx context.Context, ready <-chan struct{}, last *tail) error {
	var err error
	select {
	case <-ready:
		return nil
	case <-p.done:
		err = errors.Join(p.err, errors.New(last.String()))
	case <-time.After(startTimeout):
		err = fmt.Errorf("no answer after %s", startTimeout)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.Stop()
	return fmt.Errorf("start emulator: %w", err)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - 4096; extra > 0 {
		t.text = append([]byte(nil), t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
