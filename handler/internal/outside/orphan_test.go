//go:build linux

package outside_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
	"decant/handler/internal/outside"
)

// beHandler is a handler with an outside converter at work, until it is killed: args are a file of the request, and temporary folders.
func beHandler(args []string) int {
	input, temp, mark := args[0], args[1], args[2]
	path, _ := os.Executable()
	found := []outside.Found{{Converter: outside.Converter{
		Name: "fake", Extensions: []string{".fake"}, Mode: outside.ModeFile, Returns: "markdown", Command: []string{path, "fake-program", "{input}", "{outfile}"},
		Limits: outside.Limits{Documents: 1},
	}, Program: path}}
	own := child.New(child.Options{Settings: outside.Routes(found), TempDir: temp})
	router := outside.New(own, found, outside.Options{TempDir: temp})
	out, _ := os.MkdirTemp(temp, "out")
	_ = os.WriteFile(input, []byte("sleep "+mark+"\nhang"), 0o600)
	source := job.Source{Path: "x.fake"}
	_, _, err := router.Convert(context.Background(), job.Request{Job: job.Job{ID: source.ID(), Source: source, Limits: limits}, Input: input, OutDir: out})
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// TestNothingOutlivesTheHandler: when the handler is killed without notice, the launcher takes the program and what that has started
// with it.
func TestNothingOutlivesTheHandler(t *testing.T) {
	temp := t.TempDir()
	mark := fmt.Sprintf("%d.%d", 100000+os.Getpid(), time.Now().Nanosecond()) // how long a grandchild sleeps, and its name
	c := exec.Command(self(t), "handler", temp+"/input", temp, mark)
	c.Stderr = t.Output()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	if !within(time.Minute, func() bool { return running(mark) && running(temp) }) {
		t.Fatal("the program did not start")
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if !within(20*time.Second, func() bool { return !running(mark) && !running(temp) }) {
		t.Error("the program outlived its handler")
	}
}

func within(span time.Duration, is func() bool) bool {
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is() {
			return true
		}
	}
	return is()
}

// running tells whether a process other than a handler has the text in its command line.
func running(text string) bool {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), text) && !bytes.Contains(line, []byte("\x00handler\x00")) {
			return true
		}
	}
	return false
}
