package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/fault"
)

func TestResultsAreNotConvertedAgain(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "notes"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "notes", "a.md"), []byte("# Title\n"), 0o644))

	for _, tt := range []struct{ name, out, says string }{
		{"the first run", "./out", "1 converted. "},
		{"the second run", "./out", "1 unchanged. "},
		{"the folder spelled otherwise", filepath.Join(dir, "notes", "..", "out"), "1 unchanged. "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := decant(t, dir, "", "convert", ".", "--out", tt.out)
			if got.code != fault.ExitOK || !strings.Contains(got.stdout, "\n"+tt.says) {
				t.Errorf("exit code %d, want 0 and %q:\n%s%s", got.code, tt.says, got.stdout, got.stderr)
			}
		})
	}
}

func TestResultsWhereTheDocumentIs(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Title\n"), 0o644))

	got := decant(t, dir, "", "convert", "a.md", "--out", ".")
	if got.code != fault.ExitSomeFailed || !strings.Contains(got.stdout, "there is a file of this name") {
		t.Errorf("exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || string(text) != "# Title\n" {
		t.Errorf("the document is now %q (%v)", text, err)
	}
}

func TestPipeLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name   string
		args   []string
		folder string // of the results
	}{
		{"Markdown to standard output", []string{"convert", "-", "--format", "md"}, ""},
		{"a folder on request", []string{"convert", "-", "--format", "md", "--out", "kept"}, "kept"},
		{"all results", []string{"convert", "-"}, "out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := decant(t, dir, "# Title\n", tt.args...)
			if got.code != fault.ExitOK || !strings.Contains(got.stdout, "Title") && tt.folder != "out" {
				t.Errorf("exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
			}
			entries, err := os.ReadDir(dir)
			must(t, err)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
				must(t, os.RemoveAll(filepath.Join(dir, e.Name())))
			}
			if got := strings.Join(names, " "); got != tt.folder {
				t.Errorf("left behind: %q, want %q", got, tt.folder)
			}
		})
	}
}
