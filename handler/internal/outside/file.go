package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// lifeEvery is how often a program that says nothing is looked at for signs of life.
const lifeEvery = 500 * time.Millisecond

// shellSignal is what a shell adds to the number of a signal to make an exit code.
const shellSignal = 128

func cores() int { return runtime.NumCPU() }

// once runs the program for one document and gives the file that it made.
func (l *launcher) once(ctx context.Context, d *document) (string, error) {
	l.done = true
	state, t, err := l.runProgram(ctx, d)
	if err == nil && slices.Contains(l.Converter.Again, state.ExitCode()) {
		state, t, err = l.runProgram(ctx, d)
	}
	if err == nil {
		err = l.ended(state, t)
	}
	if err != nil {
		return "", err
	}
	return l.only(d)
}

// runProgram starts the program and waits until it has ended.
func (l *launcher) runProgram(ctx context.Context, d *document) (*os.ProcessState, *tail, error) {
	outfile := d.output + "/document." + clean(d.returns)
	command := fill(l.Converter.Command, map[string]string{
		placeInput: l.path(d.input), placeOutput: l.path(d.output), placeOutfile: l.path(outfile), placeTemp: l.path("temp"), placeTempURL: fileURL(l.path("temp")),
	})
	t := &tail{}
	c := &exec.Cmd{Stderr: io.MultiWriter(os.Stderr, t), Stdout: os.Stderr}
	if !mentions(l.Converter.Command, placeOutput, placeOutfile) { // what it prints is the result
		out, err := l.root.Create(outfile)
		if err != nil {
			return nil, nil, err
		}
		defer out.Close()
		c.Stdout = out
	}
	if err := l.start(c, command, d.Job.Limits); err != nil {
		return nil, nil, err
	}
	l.await(ctx, c, d)
	sweepSockets(l.Converter.Sockets)
	l.cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return c.ProcessState, t, nil
}

// await waits until the program has ended, and tells that it is alive meanwhile.
func (l *launcher) await(ctx context.Context, c *exec.Cmd, d *document) {
	alive, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		l.watch(alive, d)
	}()
	_ = c.Wait() // the state says more
	stop()
	<-watched
}

func (l *launcher) path(name string) string { return filepath.Join(l.folder, filepath.FromSlash(name)) }

// watch tells that the program is alive as long as it uses processor time or its result grows. One that does neither for
// Limits.NoProgress hangs, and the parent ends it.
func (l *launcher) watch(ctx context.Context, d *document) {
	tick := time.NewTicker(lifeEvery)
	defer tick.Stop()
	var before [2]int64
	for {
		if d.Progress != nil {
			if now := [2]int64{int64(child.GroupCPU()), l.size(d.output)}; now != before {
				before = now
				d.Progress(job.Progress{Stage: "outside"})
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// size adds up the files in a folder, in bytes.
func (l *launcher) size(folder string) (sum int64) {
	for _, entry := range l.list(folder) {
		if info, err := entry.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

func (l *launcher) list(folder string) []fs.DirEntry {
	dir, err := l.root.Open(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(10_000)
	return entries
}

// ended makes a fault of a program that did not end well.
func (l *launcher) ended(state *os.ProcessState, t *tail) error {
	signal := signalOf(state)
	switch {
	case state.Success():
		return nil
	case t.lackOfMemory():
		return fault.New(fault.Memory, "", fmt.Errorf("%s: %s", state, t))
	case signal == syscall.SIGXCPU:
		return fault.New(fault.Timeout, "", nil)
	case signal == syscall.SIGXFSZ:
		return fault.New(fault.LimitDisk, "", nil)
	case signal > 0:
		return l.crash("crashed on this document ("+signal.String()+")", errors.New(t.String()))
	}
	return fault.New(fault.Corrupt, fmt.Sprintf(
		"The outside converter %s could not convert the file (exit code %d%s). It may be damaged or protected: open and save it again in the program that made it.",
		l.Converter.Name, state.ExitCode(), t.said()), nil)
}

// signalOf is the signal that ended a program, also one that a script had started; 0 when it exited.
func signalOf(state *os.ProcessState) syscall.Signal {
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled():
		return status.Signal()
	case state.ExitCode() > shellSignal:
		return syscall.Signal(state.ExitCode() - shellSignal)
	}
	return 0
}

// only finds the one file that the program made: the one with the extension of what it returns, or the only one there is.
func (l *launcher) only(d *document) (string, error) {
	var files, fitting []string
	for _, entry := range l.list(d.output) {
		if !entry.Type().IsRegular() {
			continue
		}
		name := d.output + "/" + entry.Name()
		files = append(files, name)
		if strings.EqualFold(path.Ext(name), "."+clean(d.returns)) {
			fitting = append(fitting, name)
		}
	}
	switch {
	case len(fitting) == 1:
		return fitting[0], nil
	case len(files) == 1:
		return files[0], nil
	case len(files) == 0:
		return "", fault.Newf(fault.Corrupt, "The outside converter %s made nothing of the file. It may be damaged or protected: open and save it again in the program that made it.", l.Converter.Name)
	}
	return "", l.crash(fmt.Sprintf("gave back %d files instead of one", len(files)), nil)
}
