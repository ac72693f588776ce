package childtest

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// instructions are what a document may say.
var instructions = map[string]func(c *conversion, rest string) error{
	"progress":      progress,
	"sleep":         func(c *conversion, rest string) error { return wait(rest, func() { c.sign("parse", 1) }) },
	"silent":        func(_ *conversion, rest string) error { return wait(rest, func() {}) },
	"spin":          func(*conversion, string) error { return spin() },
	"heap":          func(c *conversion, rest string) error { c.kept = append(c.kept, heap(number(rest))...); return nil },
	"small":         func(_ *conversion, rest string) error { return small(number(rest)) },
	"churn":         func(_ *conversion, rest string) error { return churn(number(rest)) },
	"wasm":          func(_ *conversion, rest string) error { return growWasm(number(rest), true) },
	"wasm-append":   func(_ *conversion, rest string) error { return growWasm(number(rest), false) },
	"leak":          func(c *conversion, rest string) error { c.kept = append(c.kept, heap(number(rest))...); return nil },
	"panic":         func(*conversion, string) error { panic("mock: told to panic") },
	"overflow":      func(*conversion, string) error { return fmt.Errorf("overflow gave %d", overflow(1)) },
	"exit":          func(_ *conversion, rest string) error { os.Exit(number(rest)); return nil },
	"kill":          func(_ *conversion, rest string) error { return killSelf(rest) },
	"fork":          func(_ *conversion, rest string) error { return fork(number(rest), "/bin/sleep", "300") },
	"fork-heap":     func(_ *conversion, rest string) error { return forkHeap(rest) },
	"stdout":        func(_ *conversion, rest string) error { return chatter(number(rest)) },
	"fill":          func(c *conversion, rest string) error { return fill(os.TempDir(), number(rest), false) },
	"fill-unlinked": func(c *conversion, rest string) error { return fill(os.TempDir(), number(rest), true) },
	"output":        func(c *conversion, rest string) error { return fill(c.request.OutDir, number(rest), false) },
	"big-file":      func(c *conversion, rest string) error { return bigFile(c.out("big"), number(rest)) },
	"rubbish":       func(*conversion, string) error { return raw([]byte("HTTP/1.1 200 OK\r\n\r\n")) },
	"twice":         func(*conversion, string) error { return raw(frame(`{"answer":{"seq":1,"result":{"format":"mock"}}}`)) },
	"mute":          func(*conversion, string) error { _ = unix.Close(3); return spin() },
	"forge":         forge,
	"link":          func(c *conversion, rest string) error { return unix.Symlink(rest, c.out(job.MarkdownFile)) },
	"fault":         func(_ *conversion, rest string) error { return fault.New(fault.Kind(rest), "", nil) },
	"text":          func(c *conversion, rest string) error { c.text.WriteString(rest); return nil },
	"settings":      func(c *conversion, _ string) error { c.text.WriteString(c.settings); return nil },
	"password": func(c *conversion, _ string) error {
		c.text.WriteString(string(c.request.Job.Options.Password))
		return nil
	},
	"warm":        func(c *conversion, _ string) error { fmt.Fprint(&c.text, c.warm); return nil },
	"pid":         func(c *conversion, _ string) error { fmt.Fprint(&c.text, os.Getpid()); return nil },
	"environment": environment,
	"attack":      attack,
	"probe":       probe,
	"put":         func(_ *conversion, rest string) error { return os.WriteFile(rest, []byte("x"), 0o644) },
	"answer-and-exit": func(_ *conversion, rest string) error {
		_ = raw(frame(`{"answer":{"seq":1,"result":{"format":"mock"}}}`))
		os.Exit(number(rest))
		return nil
	},
	"shared": func(_ *conversion, rest string) error { return shared(number(rest)) },
	"cat": func(c *conversion, rest string) error {
		content, err := os.ReadFile(rest)
		c.text.Write(content)
		return err
	},
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(text))
	return n
}

func progress(c *conversion, rest string) error {
	stage, page, _ := strings.Cut(rest, " ")
	c.sign(stage, number(page))
	return nil
}

func wait(rest string, sign func()) error {
	d, err := time.ParseDuration(rest)
	if err != nil {
		return err
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		sign()
		time.Sleep(min(20*time.Millisecond, time.Until(end)))
	}
	return nil
}

func spin() error {
	for i := 0; ; i++ {
		if i < 0 {
			return nil
		}
	}
}

func overflow(n int) int { return overflow(n+1) + 1 }

func killSelf(name string) error {
	if err := unix.Kill(os.Getpid(), unix.SignalNum(name)); err != nil {
		return err
	}
	time.Sleep(time.Second)
	return nil
}

func fork(n int, name string, args ...string) error {
	for range n {
		cmd := exec.Command(name, args...)
		cmd.Stdout, cmd.ExtraFiles = os.Stdout, []*os.File{os.NewFile(3, "answers")}
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("fork: %w", err)
		}
	}
	return nil
}

func forkHeap(rest string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return fork(1, self, HeapArgument, rest)
}

func chatter(n int) error {
	text := []byte(strings.Repeat("blah blah ", 6400))
	for sent := 0; sent < n; sent += len(text) {
		if _, err := os.Stdout.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// fill writes files of 8 MiB and keeps them, or keeps them open without a name.
func fill(dir string, mebibytes int, unlinked bool) error {
	text := make([]byte, 8<<20)
	for i := range mebibytes / 8 {
		f, err := os.Create(filepath.Join(dir, "fill"+strconv.Itoa(i)))
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			return err
		}
		if unlinked {
			_ = os.Remove(f.Name())
			continue // the open file is the point
		}
		f.Close()
		time.Sleep(2 * time.Millisecond)
	}
	if unlinked {
		return wait("1m", func() {})
	}
	return nil
}

func bigFile(name string, mebibytes int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text := make([]byte, 1<<20)
	for range mebibytes {
		if _, err := f.Write(text); err != nil {
			return fmt.Errorf("write result: %w", err)
		}
	}
	return nil
}

func raw(text []byte) error {
	_, err := unix.Write(3, text)
	return err
}

func frame(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

func forge(c *conversion, rest string) error {
	c.files = append(c.files, job.File{Path: rest})
	return nil
}

// environment writes what the process has inherited: variables, arguments and descriptors.
func environment(c *conversion, _ string) error {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TMPDIR=") {
			fmt.Fprintln(&c.text, "variable", v)
		}
	}
	for fd := range 256 {
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) == nil && stat.Mode&unix.S_IFMT != 0 {
			fmt.Fprintf(&c.text, "fd %d %o\n", fd, stat.Mode&unix.S_IFMT)
		}
	}
	return nil
}
