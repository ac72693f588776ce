package outside

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// worker is a program that takes one document after the other.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan line // closed when its standard output ends
	tail    *tail
	version string
}

// line is what the worker wrote, or why it makes no sense.
type line struct {
	tell
	err error
}

// faultKinds are the reasons that a worker may give for a document. Any other counts as a crash.
var faultKinds = []fault.Kind{fault.Unsupported, fault.Empty, fault.Encrypted, fault.Corrupt, fault.TooLarge, fault.TooManyPages, fault.Memory, fault.Timeout}

// ask gives the worker a document and waits for what comes of it. A worker that went wrong is never used again, as only a fresh
// process (Done) can tell which document was to blame.
func (l *launcher) ask(ctx context.Context, d *document) (string, error) {
	if l.worker == nil {
		if err := l.hire(ctx, d); err != nil {
			l.done = true
			return "", err
		}
	}
	made, err := l.deal(ctx, d)
	d.version = l.worker.version
	l.done = l.done || l.count >= l.Converter.Limits.Documents || l.crowded(d.Job.Limits)
	return made, err
}

// hire starts the worker and waits until it is ready.
func (l *launcher) hire(ctx context.Context, d *document) error {
	w := &worker{tail: &tail{}, lines: make(chan line, 16)}
	w.cmd = &exec.Cmd{Stderr: io.MultiWriter(os.Stderr, w.tail)}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	command := fill(l.Converter.Command, map[string]string{placeTemp: l.path("temp"), placeTempURL: fileURL(l.path("temp"))})
	if err := l.start(w.cmd, command, d.Job.Limits); err != nil {
		return err
	}
	go w.read(out)
	l.worker = w
	return l.awaitReady(ctx, d)
}

// read turns standard output into lines until it ends or makes no sense.
func (w *worker) read(out io.Reader) {
	defer close(w.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		var l line
		l.err = json.Unmarshal(s.Bytes(), &l.tell)
		w.lines <- l
		if l.err != nil {
			return
		}
	}
	if s.Err() != nil {
		w.lines <- line{err: s.Err()}
	}
}

// awaitReady gives the worker Limits.Start to load what it needs: it need not show life until then.
func (l *launcher) awaitReady(ctx context.Context, d *document) error {
	limit := time.NewTimer(time.Duration(l.Converter.Limits.Start))
	defer limit.Stop()
	tick := time.NewTicker(lifeEvery)
	defer tick.Stop()
	for {
		d.progress(job.Progress{Stage: "outside"})
		select {
		case t, open := <-l.worker.lines:
			switch {
			case !open:
				return l.gone("ended before it was ready")
			case t.err != nil || t.Type != "ready":
				return l.crash("did not say that it is ready, but something else", t.err)
			case t.Protocol != Protocol:
				return l.crash(fmt.Sprintf("speaks version %d of the protocol instead of %d", t.Protocol, Protocol), nil)
			}
			l.worker.version = shorten(t.Version, 80)
			return nil
		case <-limit.C:
			return l.crash("was not ready after "+time.Duration(l.Converter.Limits.Start).String(), errors.New(l.worker.tail.String()))
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (d *document) progress(p job.Progress) {
	if d.Progress != nil {
		d.Progress(p)
	}
}

// deal sends the document and listens until it is done.
func (l *launcher) deal(ctx context.Context, d *document) (string, error) {
	select {
	case t, open := <-l.worker.lines:
		return "", l.outOfTurn(d, t, open)
	default:
	}
	text, err := json.Marshal(l.askFor(d))
	if err != nil {
		return "", err
	}
	_, _ = l.worker.in.Write(append(text, '\n')) // one that does not read is dying: its lines say so
	for {
		select {
		case t, open := <-l.worker.lines:
			over, made, err := l.hear(d, t, open)
			if over {
				return made, err
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// outOfTurn is for a worker that spoke or ended while nothing was asked of it.
func (l *launcher) outOfTurn(d *document, t line, open bool) error {
	l.done = true
	if d.number > 1 {
		return child.ErrUsedUp
	}
	if !open {
		return l.gone("ended")
	}
	return l.crash("spoke out of turn", t.err)
}

// hear takes a line and tells whether the document is over.
func (l *launcher) hear(d *document, t line, open bool) (over bool, made string, err error) {
	switch {
	case !open:
		return true, "", l.gone("ended on this document")
	case t.err != nil:
		l.done = true
		return true, "", l.crash("answered something that makes no sense", t.err)
	case t.Type == "progress" && t.ID <= d.number:
		if t.ID == d.number {
			d.progress(t.progress())
		}
		return false, "", nil
	case t.ID > 0 && t.ID < d.number: // a second answer to a document before
		return true, "", l.outOfTurn(d, t, open)
	case t.ID == d.number && t.Type == "done":
		made, err = l.made(d, t.File)
		return true, made, err
	case t.ID == d.number && t.Type == "failed":
		return true, "", l.failed(t.tell)
	}
	l.done = true
	return true, "", l.crash("answered something that was not asked", nil)
}

func (l *launcher) made(d *document, file string) (string, error) {
	if filepath.IsAbs(file) {
		if below, err := filepath.Rel(l.path(d.output), file); err == nil {
			file = below
		}
	}
	if file == "" || !filepath.IsLocal(file) {
		l.done = true
		return "", l.crash("named a result that is not in its output folder", nil)
	}
	return path.Join(d.output, filepath.ToSlash(file)), nil
}

// failed is the fault that the worker gives.
func (l *launcher) failed(t tell) error {
	kind := fault.Kind(t.Kind)
	if !slices.Contains(faultKinds, kind) {
		kind = fault.Crash
	}
	message := shorten(t.Message, 500)
	if message == "" {
		return fault.New(kind, "", nil)
	}
	return fault.Newf(kind, "The outside converter %s: %s", l.Converter.Name, message)
}

// gone is the fault of a worker that has ended.
func (l *launcher) gone(when string) error {
	l.done = true
	state := l.worker.end()
	if l.worker.tail.lackOfMemory() {
		return fault.New(fault.Memory, "", fmt.Errorf("%s: %s", state, l.worker.tail))
	}
	if strings.Contains(state, syscall.SIGXFSZ.String()) {
		return fault.New(fault.LimitDisk, "", errors.New(state))
	}
	return l.crash(fmt.Sprintf("%s (%s%s)", when, state, l.worker.tail.said()), errors.New(l.worker.tail.String()))
}

// endLimit is how long a worker that has closed its answers may take to exit.
const endLimit = 2 * time.Second

// end says how the worker ended, for people.
func (w *worker) end() string {
	w.in.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = w.cmd.Wait() // the state says more
	}()
	select {
	case <-ended:
		return w.cmd.ProcessState.String()
	case <-time.After(endLimit): // it goes with the group
		return "closed its answers and went on"
	}
}

// crowded tells whether the worker has left so much in its folder that the next document would soon be blamed for it.
func (l *launcher) crowded(limits job.Limits) bool { return l.total(".") > limits.Disk/2 }

// total adds up the files below a folder, in bytes.
func (l *launcher) total(folder string) (sum int64) {
	for _, entry := range l.list(folder) {
		if entry.IsDir() {
			sum += l.total(path.Join(folder, entry.Name()))
			continue
		}
		if info, err := entry.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n]) + "…"
}
