package local_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/local"
	"decant/handler/internal/pipeline"
)

func note(generation int64) pipeline.Target {
	return pipeline.Target{Source: job.Source{Path: "notes/note.md"}, Generation: generation}
}

func manifest(t pipeline.Target, files ...string) pipeline.Manifest {
	m := pipeline.Manifest{Schema: pipeline.ManifestSchema, DocumentID: t.Source.ID(), Generation: t.Generation, Source: t.Source, Status: ledger.Succeeded}
	for _, f := range files {
		m.Files = append(m.Files, job.File{Path: f})
	}
	return m
}

// workplace makes a workplace with files of the given modes.
func workplace(t *testing.T, s *local.Sink, target pipeline.Target, files map[string]fs.FileMode) string {
	t.Helper()
	dir, err := s.Workplace(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWorkplacePublish: what was made in the workplace is published as the manifest says, and nothing else of it, whatever modes
// it was given by who made it.
func TestWorkplacePublish(t *testing.T) {
	s := local.NewSink(filepath.Join(t.TempDir(), "out"))
	target := note(1)
	place := workplace(t, s, target, map[string]fs.FileMode{
		"document.md": 0o644, "chunks.jsonl": 0o777 | fs.ModeSetuid, "images/image-1.png": 0, "images/other.png": 0o644,
		"manifest.json": 0o644, "core": 0o644, "deep/er/file": 0o644,
	})
	if err := os.Chmod(filepath.Join(place, "images"), 0o777|fs.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Manifest(t.Context(), target.Source); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a manifest is seen before it is published: %v", err)
	}
	if err := s.Publish(t.Context(), target, manifest(target, "document.md", "chunks.jsonl", "images/image-1.png")); err != nil {
		t.Fatal(err)
	}
	found := map[string]fs.FileMode{}
	dir := s.Dir(target.Source)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(dir, path)
		found[name] = info.Mode()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file, folder := found["manifest.json"], found["."]
	for name, mode := range map[string]fs.FileMode{"document.md": file, "chunks.jsonl": file, "images/image-1.png": file, "manifest.json": file, "images": folder, ".": folder} {
		if got, ok := found[name]; !ok || got != mode {
			t.Errorf("%s has mode %v, want %v", name, got, mode)
		}
		delete(found, name)
	}
	if len(found) > 0 {
		t.Errorf("published beside what the manifest names: %v", found)
	}
	if _, err := os.Stat(place); err == nil {
		t.Error("the workplace is still there")
	}
}

// TestWorkplaceRefusesLinks: a link that took a result's name after the result was looked at is not published.
func TestWorkplaceRefusesLinks(t *testing.T) {
	s := local.NewSink(t.TempDir())
	target := note(1)
	place := workplace(t, s, target, nil)
	if err := os.Symlink("/etc/passwd", filepath.Join(place, "document.md")); err != nil {
		t.Fatal(err)
	}
	if err := s.Publish(t.Context(), target, manifest(target, "document.md")); err == nil {
		t.Error("a link was published")
	}
}

// TestWorkplaceLeftovers: a workplace begins empty, stays when the document's old results are removed while it is in use, and is gone
// when it is abandoned; whatever was made and not published goes with the sink.
func TestWorkplaceLeftovers(t *testing.T) {
	root := t.TempDir()
	s := local.NewSink(root)
	workplace(t, s, note(2), map[string]fs.FileMode{"document.md": 0o644})
	place := workplace(t, s, note(2), nil)
	if left, err := os.ReadDir(place); err != nil || len(left) > 0 {
		t.Errorf("the workplace begins with %v, %v", left, err)
	}
	if err := s.Remove(t.Context(), note(2).Source); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(place); err != nil {
		t.Errorf("the workplace was taken from under the work: %v", err)
	}
	if err := s.Abandon(t.Context(), note(2)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(place); err == nil {
		t.Error("the abandoned workplace is still there")
	}
	workplace(t, s, note(3), map[string]fs.FileMode{"document.md": 0o644})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(root, ".decant", "staging")); err != nil || len(left) > 0 {
		t.Errorf("after Close there is %v, %v", left, err)
	}
}

// TestWorkplacesOfTheDead: what a process left behind that was killed goes with the first workplace of the next one; what belongs
// to a living one stays.
func TestWorkplacesOfTheDead(t *testing.T) {
	root := t.TempDir()
	alive := local.NewSink(root)
	living := workplace(t, alive, note(1), map[string]fs.FileMode{"document.md": 0o644})
	dead := filepath.Join(root, ".decant", "staging", "at-work-1", "half")
	if err := os.MkdirAll(dead, 0o755); err != nil {
		t.Fatal(err)
	}
	next := local.NewSink(root)
	workplace(t, next, note(2), nil)
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a killed process left is still there")
	}
	if _, err := os.Stat(filepath.Join(living, "document.md")); err != nil {
		t.Errorf("a living process lost its work: %v", err)
	}
	for _, s := range []*local.Sink{alive, next} {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWorkplaceFencing: the workplace of an old generation does not replace newer results, and goes.
func TestWorkplaceFencing(t *testing.T) {
	s := local.NewSink(t.TempDir())
	old := workplace(t, s, note(1), map[string]fs.FileMode{"document.md": 0o644})
	workplace(t, s, note(2), map[string]fs.FileMode{"document.md": 0o644})
	if err := s.Publish(t.Context(), note(2), manifest(note(2), "document.md")); err != nil {
		t.Fatal(err)
	}
	if err := s.Publish(t.Context(), note(1), manifest(note(1), "document.md")); fault.KindOf(err) != fault.LeaseLost {
		t.Errorf("Publish of an old generation: %v", err)
	}
	if m, err := s.Manifest(t.Context(), note(1).Source); err != nil || m.Generation != 2 {
		t.Errorf("generation %d is published, %v", m.Generation, err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old workplace is still there")
	}
}
