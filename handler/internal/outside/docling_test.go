//go:build linux

package outside_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/child"
	"decant/handler/internal/outside"
)

// TestDoclingWorker runs the worker script of contrib/docling with a stand-in for docling, which needs gigabytes of models: the
// protocol, the faults and the document that comes back are real.
func TestDoclingWorker(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip("there is no /usr/bin/python3")
	}
	script, err := filepath.Abs("../../../contrib/docling/docling_worker.py")
	if err != nil {
		t.Fatal(err)
	}
	stub, err := filepath.Abs("testdata/stub")
	if err != nil {
		t.Fatal(err)
	}
	r := newRouter(t, child.SandboxAuto, outside.Converter{
		Name: "docling", Extensions: []string{".fake"}, Mode: outside.ModeWorker, Returns: "docling",
		Command: []string{python, script}, Env: map[string]string{"PYTHONPATH": stub, "PYTHONDONTWRITEBYTECODE": "1"}, Read: []string{script, stub},
	})
	tests := []struct{ text, kind, want string }{
		{"ok Ice on lakes", "ok", "# Ice on lakes\n"},
		{"failure File is password protected", "encrypted", "password protected"},
		{"failure Input exceeds max_num_pages", "too_many_pages", ""},
		{"partial_success Page 3 failed", "crash", "Page 3 failed"},
		{"raise PDF is corrupt", "corrupt", "PDF is corrupt"},
		{"ok Again", "ok", "# Again\n"},
		{"die now", "crash", "exit status 7"},
		{"ok And again", "ok", "# And again\n"},
	}
	for _, tt := range tests {
		e := convertOne(t, r, request(t, "x.fake", tt.text, limits))
		said := e.text
		if e.err != nil {
			said = e.err.Error()
		}
		if e.kind() != tt.kind || !strings.Contains(said, tt.want) {
			t.Errorf("%s: %s, %q, want %s, %q\n%s", tt.text, e.kind(), said, tt.kind, tt.want, e.usage.Stderr)
		}
	}
	if stats, _ := r.Stats("docling"); stats.Started != 2 {
		t.Errorf("%d workers, want one until it died and another one: %+v", stats.Started, stats)
	}
}
