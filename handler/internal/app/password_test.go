package app

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"decant/handler/internal/fault"
)

// TestPasswords runs one command after the other on one document: each answer is about the password of that command.
func TestPasswords(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(repository, "samples", "encrypted-minutes.pdf"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "minutes.pdf"), data, 0o600))
	const none, wrong = "protected by a password", "does not open"
	for _, step := range []struct {
		args string
		code int
		says string
	}{
		{"", fault.ExitSomeFailed, none},
		{"--password wrong", fault.ExitSomeFailed, wrong},
		{"", fault.ExitSomeFailed, none},
		{"--password eastmere", fault.ExitOK, "1 converted"},
		{"", fault.ExitOK, "1 unchanged"},
		{"--again --password wrong", fault.ExitSomeFailed, wrong},
		{"", fault.ExitSomeFailed, none},
		{"--password also-wrong", fault.ExitSomeFailed, wrong},
		{"--password eastmere", fault.ExitOK, "1 converted"},
	} {
		got := decant(t, dir, "", append([]string{"convert", "minutes.pdf"}, strings.Fields(step.args)...)...)
		if got.code != step.code || !strings.Contains(got.stdout+got.stderr, step.says) {
			t.Fatalf("convert %s: exit code %d, want %d and %q:\n%s%s", step.args, got.code, step.code, step.says, got.stdout, got.stderr)
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "out"), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "eastmere") {
			t.Errorf("%s has the password", path)
		}
		return err
	})
	must(t, err)
}

// TestPDFInPDF: a PDF attached to a PDF becomes a document of its own.
func TestPDFInPDF(t *testing.T) {
	dir := t.TempDir()
	outer := plainPDF("Outer text")
	file := outer.Stream("/Type /EmbeddedFile", string(plainPDF("Inner text").Bytes()))
	outer.Catalog("/Names << /EmbeddedFiles << /Names [(inner.pdf) << /Type /Filespec /F (inner.pdf) /UF (inner.pdf) /EF << /F " + strconv.Itoa(file) + " 0 R >> >>] >> >>")
	must(t, os.WriteFile(filepath.Join(dir, "outer.pdf"), outer.Bytes(), 0o600))
	got := decant(t, dir, "", "convert", "outer.pdf")
	if got.code != fault.ExitOK {
		t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	var texts []string
	must(t, filepath.WalkDir(filepath.Join(dir, "out"), func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Name() == "document.md" && !strings.Contains(path, ".decant") {
			text, err := os.ReadFile(path)
			texts = append(texts, string(text))
			return err
		}
		return err
	}))
	all := strings.Join(texts, "|")
	if len(texts) != 2 || !strings.Contains(all, "Outer text") || !strings.Contains(all, "Inner text") {
		t.Errorf("documents %q, want the outer and the inner one\n%s", texts, got.stdout)
	}
}
