package pipelinetest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// converterFunc is a pipeline.Converter.
type converterFunc func(context.Context, job.Request) (job.Result, job.Usage, error)

func (f converterFunc) Convert(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
	return f(ctx, q)
}

// testCleanFolders: a folder that serves one document after the other shows none of them anything of the one before.
func testCleanFolders(t *testing.T, b Backend) {
	t.Run("a process each", func(t *testing.T) { cleanFolders(t, b, false) })
	t.Run("shared processes", func(t *testing.T) { cleanFolders(t, b, true) })
}

func cleanFolders(t *testing.T, b Backend, shared bool) {
	temp := t.TempDir()
	folders := map[string]bool{}
	inner := &Converter{}
	var held *os.File
	look := converterFunc(func(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
		folders[filepath.Dir(q.Input)] = true
		seen := must(os.ReadFile(q.Input))(t)
		if shared && held == nil { // as a process would that lives on
			held = must(os.Open(q.Input))(t)
		}
		if want := "the text of " + q.Job.Source.Name(); !strings.HasPrefix(string(seen), want) || strings.Contains(strings.TrimPrefix(string(seen), want), "the text") {
			t.Errorf("the input of %s is %q", q.Job.Source.Name(), seen)
		}
		for _, e := range must(os.ReadDir(q.OutDir))(t) {
			t.Errorf("%s finds %s among its results", q.Job.Source.Name(), e.Name())
		}
		for _, e := range must(os.ReadDir(filepath.Dir(q.Input)))(t) {
			if path := filepath.Join(filepath.Dir(q.Input), e.Name()); path != q.Input && path != q.OutDir {
				t.Errorf("%s finds %s beside its input", q.Job.Source.Name(), e.Name())
			}
		}
		if err := os.WriteFile(filepath.Join(q.OutDir, "stray"), []byte("of "+q.Job.Source.Name()), 0o600); err != nil {
			t.Error(err)
		}
		return inner.Convert(ctx, q)
	})
	p := pipeline.New(pipeline.Ports{
		Ledger: ledger.New(b.Store, ledger.Options{Version: "v1"}), Fetcher: b.Fetcher, Converter: look, Sink: b.Sink,
	}, pipeline.Options{TempDir: temp, Reuse: true, Shared: shared})
	for _, name := range []string{"long.txt", "a.txt", "failing.txt", "c.txt"} {
		text := "the text of " + name
		switch name {
		case "long.txt":
			text += strings.Repeat(" and so on", 1000)
		case "failing.txt":
			text += "\n!fault corrupt"
		}
		src := b.Upload(t, job.Source{Container: "documents", Path: strconv.FormatBool(shared) + "/" + name}, []byte(text))
		if r, err := p.Handle(t.Context(), job.Job{Source: src}); (err != nil) != (name == "failing.txt") {
			t.Errorf("%s: %q, %v", name, r.State, err)
		}
		m, err := b.Sink.Manifest(t.Context(), src)
		if err == nil {
			if body, err := b.Sink.Open(t.Context(), src, filepath.Join(filepath.Dir(m.Files[0].Path), "stray")); err == nil {
				body.Close()
				t.Errorf("%s: a file that the manifest does not name is published", name)
			}
		}
	}
	if held != nil {
		defer held.Close()
		if content := must(io.ReadAll(held))(t); !strings.HasPrefix(string(content), "the text of long.txt") {
			t.Errorf("who held the first document open reads %.40q in the end", content)
		}
	}
	if len(folders) != 1 {
		t.Errorf("%d folders for documents that came one after the other, want 1", len(folders))
	}
	for dir := range folders {
		for _, e := range must(os.ReadDir(dir))(t) {
			if info := must(e.Info())(t); info.Size() > 1 {
				t.Errorf("%s keeps %d bytes when no document is worked on", e.Name(), info.Size())
			}
		}
	}
}
