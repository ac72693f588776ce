package childtest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Argument is the first argument that makes a test binary the child; HeapArgument makes it a grandchild that allocates.
const (
	Argument     = "child"
	HeapArgument = "allocate-and-wait"
)

// Dispatch makes a test binary the child if it was started as one. Call it first in TestMain.
func Dispatch() {
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case Argument:
		os.Exit(child.Main(Program()))
	case HeapArgument:
		mebibytes, _ := strconv.Atoi(os.Args[2])
		heap(mebibytes)
		time.Sleep(time.Hour)
	}
}

// Program is the converter.
func Program() child.Program {
	m := &mock{}
	return child.Program{
		Convert:   m.convert,
		Configure: func(settings json.RawMessage) error { m.settings = string(settings); return nil },
		Warm:      func() error { m.warm = true; return nil },
	}
}

// mock is the state of one child process.
type mock struct {
	settings string
	warm     bool
	kept     [][]byte
}

// conversion is one document on its way.
type conversion struct {
	*mock
	request job.Request
	text    strings.Builder
	files   []job.File
}

func (m *mock) convert(_ context.Context, q job.Request) (job.Result, error) {
	content, err := os.ReadFile(q.Input)
	if err != nil {
		return job.Result{}, err
	}
	c := &conversion{mock: m, request: q}
	for line := range strings.Lines(string(content)) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verb == "" {
			continue
		}
		do, known := instructions[verb]
		if !known {
			return job.Result{}, fault.Newf(fault.Unsupported, "There is no instruction %q.", verb)
		}
		if err := do(c, rest); err != nil {
			return job.Result{}, err
		}
	}
	return c.result()
}

func (c *conversion) result() (job.Result, error) {
	text := []byte(c.text.String())
	if _, err := os.Lstat(c.out(job.MarkdownFile)); err != nil {
		if err := os.WriteFile(c.out(job.MarkdownFile), text, 0o644); err != nil {
			return job.Result{}, err
		}
	}
	c.files = append(c.files, job.File{Path: job.MarkdownFile, Bytes: int64(len(text)), MediaType: "text/markdown"})
	return job.Result{Format: "mock", Counts: job.Counts{Characters: len(text)}, Files: c.files}, nil
}

func (c *conversion) out(name string) string { return filepath.Join(c.request.OutDir, name) }

func (c *conversion) sign(stage string, page int) {
	if c.request.Progress != nil {
		c.request.Progress(job.Progress{Stage: stage, Page: page})
	}
}
