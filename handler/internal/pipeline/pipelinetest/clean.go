package pipelinetest

import (
	"context"
	"os"
	"path/filepath"
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
	temp := t.TempDir()
	folders := map[string]bool{}
	inner := &Converter{}
	look := converterFunc(func(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
		folders[filepath.Dir(q.Input)] = true
		seen := must(os.ReadFile(q.Input))(t)
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
	}, pipeline.Options{TempDir: temp, Reuse: true})
	for _, name := range []string{"long.txt", "a.txt", "failing.txt", "c.txt"} {
		text := "the text of " + name
		switch name {
		case "long.txt":
			text += strings.Repeat(" and so on", 1000)
		case "failing.txt":
			text += "\n!fault corrupt"
		}
		src := b.Upload(t, job.Source{Container: "documents", Path: name}, []byte(text))
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
