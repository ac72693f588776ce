//go:build linux

package outside_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/outside"
)

// TestMain is every process of the chain when the binary was started as one: our own child, the launcher, the cage, and the
// programs that are not ours.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "child":
			os.Exit(beChild(os.Args[2:]))
		case "fake-worker":
			os.Exit(fakeWorker(os.Args[2:]))
		case "handler":
			os.Exit(beHandler(os.Args[2:]))
		case "fake-program":
			os.Exit(fakeProgram(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

func beChild(args []string) int {
	switch {
	case len(args) > 0 && args[0] == outside.LaunchCommand:
		return child.Main(outside.Launch())
	case len(args) > 0 && args[0] == child.CageCommand:
		return child.MainCage(args[1:])
	}
	c := convert.New(all.Formats(all.Options{}), "test")
	return child.Main(child.Program{
		Configure: func(text json.RawMessage) error {
			var routes []job.Route
			err := json.Unmarshal(text, &routes)
			c.HandOver(routes)
			return err
		},
		Convert: c.Convert,
	})
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// newRouter makes a router whose own children really convert. Entries are what a file of settings would say.
func newRouter(t testing.TB, sandbox child.Sandbox, entries ...outside.Converter) *outside.Router {
	t.Helper()
	text, err := json.Marshal(map[string]any{"converters": entries})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "converters.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := outside.Load(path, known())
	if err != nil {
		t.Fatal(err)
	}
	found, err := outside.Find(t.Context(), list, "")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	own := child.New(child.Options{Sandbox: sandbox, Settings: outside.Routes(found), TempDir: t.TempDir(), DocumentsPerProcess: 100, Log: log})
	router := outside.New(own, found, outside.Options{Sandbox: sandbox, TempDir: t.TempDir(), Log: log})
	t.Cleanup(own.Close)
	t.Cleanup(router.Close)
	return router
}

func known() map[string]bool {
	names := map[string]bool{}
	for _, f := range all.Formats(all.Options{}) {
		names[string(f.Name)] = !f.Outside
	}
	return names
}

// limits leave an innocent document time on a machine that is busy with everything else.
var limits = job.Limits{Memory: 512 * job.MiB, Timeout: 3 * time.Minute, NoProgress: time.Minute, Disk: 64 * job.MiB}

// request is a document of the given name and content.
func request(t testing.TB, name, content string, l job.Limits) job.Request {
	t.Helper()
	dir := t.TempDir()
	input, out := filepath.Join(dir, "input"), filepath.Join(dir, "out")
	if err := os.WriteFile(input, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	source := job.Source{Path: name}
	return job.Request{Job: job.Job{ID: source.ID(), Source: source, Limits: l}, Input: input, OutDir: out}
}

// end is what became of a document.
type end struct {
	result job.Result
	usage  job.Usage
	err    error
	text   string // document.md
}

// kind is "ok", or the kind of the fault.
func (e end) kind() string {
	if e.err == nil {
		return "ok"
	}
	return string(fault.KindOf(e.err))
}

func convertOne(t testing.TB, r *outside.Router, q job.Request) end {
	t.Helper()
	var e end
	e.result, e.usage, e.err = r.Convert(t.Context(), q)
	text, err := os.ReadFile(filepath.Join(q.OutDir, job.MarkdownFile))
	if e.err == nil && err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(q.OutDir); e.err != nil && len(left) > 0 {
		t.Errorf("a failed document left %s in its folder", left[0].Name())
	}
	e.text = string(text)
	return e
}

// convertAll gives documents to the router as one batch.
func convertAll(t testing.TB, r *outside.Router, requests []job.Request) []end {
	t.Helper()
	items, ends := make([]child.Item, len(requests)), make([]end, len(requests))
	done := make([]int, len(requests))
	for i, q := range requests {
		items[i] = child.Item{Context: context.WithoutCancel(t.Context()), Request: q}
	}
	r.ConvertBatch(items, func(i int, result job.Result, usage job.Usage, err error) {
		text, _ := os.ReadFile(filepath.Join(requests[i].OutDir, job.MarkdownFile))
		ends[i], done[i] = end{result, usage, err, string(text)}, done[i]+1
	})
	for i, n := range done {
		if n != 1 {
			t.Errorf("document %d ended %d times", i+1, n)
		}
	}
	return ends
}

// worker is the settings of the fake worker.
func worker(t testing.TB, change func(*outside.Converter)) outside.Converter {
	c := outside.Converter{
		Name: "fake", Extensions: []string{".fake"}, Mode: outside.ModeWorker, Returns: "markdown", Command: []string{self(t), "fake-worker"},
	}
	if change != nil {
		change(&c)
	}
	return c
}

// program is the settings of a program that runs once for each document.
func program(t testing.TB, change func(*outside.Converter)) outside.Converter {
	c := outside.Converter{
		Name: "fake", Extensions: []string{".fake"}, Returns: "markdown", Command: []string{self(t), "fake-program", "{input}", "{outfile}"},
	}
	if change != nil {
		change(&c)
	}
	return c
}

func documents(t testing.TB, n int, l job.Limits, special map[int]string) []job.Request {
	requests := make([]job.Request, n)
	for i := range requests {
		text, ok := special[i+1]
		if !ok {
			text = fmt.Sprintf("text Document %d\npid", i+1)
		}
		requests[i] = request(t, fmt.Sprintf("%d.fake", i+1), text, l)
	}
	return requests
}
