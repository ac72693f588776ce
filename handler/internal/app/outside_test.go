package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/pipeline"
)

// notes are settings of a converter that prints .note files as they are.
const notes = `{"converters": [{"name": "notes", "extensions": [".note"], "command": ["cat", "{input}"], "returns": "markdown", "version": ["echo", "Notes 3"]}]}`

// TestConvertersOfTheSettings: the command hands documents over, names the converter in the manifest, and converts again when its
// settings have changed, not otherwise.
func TestConvertersOfTheSettings(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.note"), []byte("# Ice\n\nThick.\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "converters.json"), []byte(notes), 0o600))
	convert := func() outcome {
		t.Helper()
		got := decant(t, dir, "", "convert", "a.note", "--converters", "converters.json", "--json")
		if got.code != 0 {
			t.Fatalf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
		}
		return got
	}
	convert()
	text, err := os.ReadFile(filepath.Join(dir, "out", "a.note", "document.md"))
	must(t, err)
	if string(text) != "# Ice\n\nThick.\n" {
		t.Errorf("document.md = %q", text)
	}
	m := manifestIn(t, dir)
	if m.Format != "note" || m.Outside == nil || m.Outside.Converter != "notes" || m.Outside.Version != "Notes 3" || m.Outside.Returns != "markdown" {
		t.Errorf("manifest: format %q, outside %+v", m.Format, m.Outside)
	}
	convert()
	if again := manifestIn(t, dir); again.Generation != m.Generation {
		t.Error("what had not changed was converted again")
	}
	must(t, os.WriteFile(filepath.Join(dir, "converters.json"), []byte(strings.ReplaceAll(notes, "Notes 3", "Notes 4")), 0o600))
	convert()
	if again := manifestIn(t, dir); again.Generation == m.Generation || again.Outside.Version != "Notes 4" {
		t.Errorf("another version of the converter did not convert again: %+v", again.Outside)
	}
}

func manifestIn(t *testing.T, dir string) (m pipeline.Manifest) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "out", "a.note", "manifest.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &m))
	return m
}

// TestConvertersAreShown: decant formats says who reads what, and wrong settings are usage errors of every command that needs them.
func TestConvertersAreShown(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "converters.json"), []byte(notes), 0o600))
	got := decant(t, dir, "", "formats", "--json", "--converters", "converters.json")
	var rows []formatRow
	must(t, json.Unmarshal([]byte(got.stdout), &rows))
	last := rows[len(rows)-1]
	if last.Converter != "notes" || last.Version != "Notes 3" || !last.Outside {
		t.Errorf("the last row is %+v", last)
	}
	must(t, os.WriteFile(filepath.Join(dir, "a.note"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "converters.json"), []byte(`{"converters": [{"name": "notes", "command": ["no-such-program"], "returns": "html"}]}`), 0o600))
	for _, args := range [][]string{{"formats", "--converters", "converters.json"}, {"convert", "a.note", "--converters", "converters.json"}} {
		if got := decant(t, dir, "", args...); got.code != 2 || !strings.Contains(got.stderr, `converter "notes": formats, extensions or mediaTypes`) {
			t.Errorf("%v: exit code %d, %q", args, got.code, got.stderr)
		}
	}
}
