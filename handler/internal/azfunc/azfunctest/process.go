package azfunctest

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/lazyregexp"
)

// process is one run of the handler.
type process struct {
	cmd     *exec.Cmd
	pid     int
	ready   chan struct{} // closed when a probe was answered
	exited  chan struct{} // closed when it ended; then exit is set
	exit    int
	forgive atomic.Bool // killed by us: its exit is no error of the handler
	replace atomic.Bool // killed at functionTimeout: start another one

	mu     sync.Mutex
	errors []string // the last three lines that counted as errors
}

// launch starts the handler: the host's environment plus the five variables, no arguments of the host's own, standard input
// not connected (host: HttpWorkerProcess.cs, DefaultWorkerProcessFactory.cs).
func (h *Host) launch() (*process, error) {
	c := h.config
	id := uuid.NewString()
	port := strconv.Itoa(h.port)
	cmd := exec.Command(h.executable(), h.arguments()...)
	cmd.Dir = h.below(c.workingDirectory)
	cmd.Env = append(h.env.list(),
		azfunc.EnvPort+"="+port, azfunc.EnvLegacyPort+"="+port,
		azfunc.EnvWorkerID+"="+id, azfunc.EnvLegacyWorkerID+"="+id,
		azfunc.EnvRoot+"="+h.below(""))
	p := &process{cmd: cmd, ready: make(chan struct{}), exited: make(chan struct{})}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, outRead.Close(), outWrite.Close())
	}
	cmd.Stdout, cmd.Stderr = outWrite, errWrite // files, so that Wait does not wait for the handler's own children
	err = cmd.Start()
	outWrite.Close()
	errWrite.Close()
	if err != nil {
		return nil, errors.Join(err, outRead.Close(), errRead.Close())
	}
	p.pid = cmd.Process.Pid
	h.emit(Event{Kind: HandlerStarted, PID: p.pid})
	var lines sync.WaitGroup
	lines.Go(func() { h.readLines(p, outRead, false) })
	lines.Go(func() { h.readLines(p, errRead, true) })
	h.service.Go(func() {
		p.exit = exitCode(cmd.Wait())
		late := time.AfterFunc(time.Second, func() { outRead.Close(); errRead.Close() })
		lines.Wait()
		late.Stop()
		h.client.CloseIdleConnections() // the port stays the same: no call may go to a connection of the dead
		close(p.exited)
	})
	return p, nil
}

// executable finds the handler: made absolute when it is a file below workerDirectory, else a command on the PATH.
func (h *Host) executable() string {
	name := h.env.expandBlank(h.config.executable)
	if filepath.IsAbs(name) {
		return name
	}
	file := filepath.Join(h.below(h.config.workerDirectory), name)
	if info, err := os.Stat(file); err == nil && !info.IsDir() {
		return file
	}
	return name
}

// arguments are joined with blanks without quoting, so that one with a blank in it comes as two; only the worker path is quoted.
func (h *Host) arguments() []string {
	fields := func(list []string) []string { return strings.Fields(h.env.expandBlank(strings.Join(list, " "))) }
	arguments := fields(h.config.arguments)
	if h.config.workerPath != "" {
		arguments = append(arguments, h.env.expandBlank(h.config.workerPath))
	}
	return append(arguments, fields(h.config.workerArguments)...)
}

// below makes a path of host.json absolute: relative ones are below the app folder.
func (h *Host) below(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	absolute, err := filepath.Abs(filepath.Join(h.opt.Dir, path))
	if err != nil {
		return filepath.Join(h.opt.Dir, path)
	}
	return absolute
}

// exitCode is what .NET reports: 128 plus the signal's number for a process that a signal ended.
func exitCode(err error) int {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return 1
		}
		return 0
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// maxLine bounds a line of the handler's output; the rest of a longer one comes as further lines.
const maxLine = 64 << 10

func (h *Host) readLines(p *process, from io.Reader, isStderr bool) {
	reader := bufio.NewReaderSize(from, maxLine)
	for {
		line, err := reader.ReadSlice('\n')
		if text := strings.TrimRight(string(line), "\r\n"); text != "" {
			level := severity(text, isStderr, h.config.errorsOnly)
			if level == slog.LevelError {
				p.keep(text)
			}
			h.emit(Event{Kind: HandlerLine, PID: p.pid, Level: level, Text: text})
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

var troubleWords = lazyregexp.New(`(?i)error|fail|severe|unhandled exception`)

// severity is what the host makes of a line: the stream and a few words decide (host: WorkerProcess.cs).
func severity(line string, isStderr, errorsOnly bool) slog.Level {
	switch {
	case !isStderr:
		return slog.LevelInfo
	case strings.Contains(strings.ToLower(line), "warn"):
		return slog.LevelWarn
	case errorsOnly || troubleWords.MatchString(line):
		return slog.LevelError
	}
	return slog.LevelInfo
}

func (p *process) keep(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, line)
	if len(p.errors) > 3 {
		p.errors = p.errors[1:]
	}
}

func (p *process) lastErrors() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.errors, "; ")
}
