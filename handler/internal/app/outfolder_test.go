package app

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestOtherResultsOnRequest: a folder of results holds what its manifest names, whatever was asked for before.
func TestOtherResultsOnRequest(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Title\n\n![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)\n"), 0o644))
	for _, formats := range []string{"md,preview", "json,chunks", "docling", "md"} {
		if got := decant(t, dir, "", "convert", "a.md", "--format", formats); got.code != fault.ExitOK {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		text, err := os.ReadFile(filepath.Join(dir, "out", "a.md", "manifest.json"))
		must(t, err)
		var manifest struct{ Files []struct{ Path string } }
		must(t, json.Unmarshal(text, &manifest))
		named := []string{"manifest.json"}
		for _, f := range manifest.Files {
			named = append(named, f.Path)
		}
		var there []string
		root := os.DirFS(filepath.Join(dir, "out", "a.md"))
		must(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				there = append(there, path)
			}
			return err
		}))
		slices.Sort(named)
		slices.Sort(there)
		if diff := cmp.Diff(named, there); diff != "" {
			t.Errorf("--format %s: files that the manifest names (-) and that are there (+):\n%s", formats, diff)
		}
	}
}

// TestResultsFolderThatTakesNothing: what cannot be written is told of the folder, not of the documents, which can be read.
func TestResultsFolderThatTakesNothing(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Title\n"), 0o644))
	out := readOnlyFolder(t)
	got := decant(t, dir, "", "convert", "a.md", "--out", out)
	if got.code != fault.ExitStorage || !strings.Contains(got.stderr, "Results cannot be written to the folder "+out+" (") || !strings.Contains(got.stderr, "--out") {
		t.Errorf("exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	if strings.Contains(got.stdout+got.stderr, "a.md") {
		t.Errorf("a document was tried:\n%s%s", got.stdout, got.stderr)
	}
}

// readOnlyFolder is a folder in which this user can make nothing, whoever it is.
func readOnlyFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if os.Geteuid() == 0 { // who may write to every folder of a disk
		folder = "/sys"
	} else {
		must(t, os.Chmod(folder, 0o555))
	}
	made, err := os.MkdirTemp(folder, "")
	if err == nil {
		_ = os.Remove(made)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Skipf("there is no folder here that cannot be written (%v)", err)
	}
	return folder
}

// TestResultsOfAnEarlierRun: other results below a folder are no documents, unless they are named.
func TestResultsOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/a.md", "in/tool/.decant/notes.md", "in/tool/b.md"} { // a folder of somebody else's that is called like ours
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("# Title "+name+"\n"), 0o644))
	}
	note := "Left out: in/out, which holds results of decant. Name it to convert it all the same."
	for _, tt := range []struct {
		name string
		args []string
		says []string
	}{
		{"the first run", []string{"convert", "in", "-o", "in/out"}, []string{"\n2 converted."}},
		{"other results", []string{"convert", "in", "-o", "other"}, []string{"\n2 converted.", note}},
		{"a precheck", []string{"precheck", "in"}, []string{"[2/2]", note}},
		{"named all the same", []string{"convert", "in/out/in/a.md", "-o", "third"}, []string{"document.md"}},
		{"the folder named", []string{"convert", "in/out", "-o", "fourth"}, []string{"document.md"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := decant(t, dir, "", tt.args...)
			for _, want := range tt.says {
				if !strings.Contains(got.stdout+got.stderr, want) {
					t.Errorf("exit code %d, it does not say %q:\n%s%s", got.code, want, got.stdout, got.stderr)
				}
			}
		})
	}
}
