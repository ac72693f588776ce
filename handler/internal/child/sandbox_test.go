package child_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
)

// bait lays out what an attack reaches for beside the document.
func bait(t *testing.T, q job.Request) {
	t.Helper()
	dir := filepath.Dir(q.Input)
	if err := os.WriteFile(filepath.Join(dir, "neighbour.txt"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{filepath.Join(dir, "socket"), "@decant-attack"} {
		l, err := net.Listen("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
	}
}

// TestSandbox attacks from inside the real child. Every attempt must fail, on a kernel that has landlock and seccomp.
func TestSandbox(t *testing.T) {
	r := newRunner(t, child.Options{Sandbox: child.SandboxRequire})
	if report := r.Locks(t.Context()); len(report.Missing) > 0 {
		t.Skipf("this kernel lacks %v (%s)", report.Missing, report.Error)
	}
	q := request(t, "attack", small)
	bait(t, q)
	_, usage, err := r.Convert(t.Context(), q)
	if err != nil {
		t.Fatalf("%v\n%s", err, usage.Stderr)
	}
	lines := strings.Split(strings.TrimSpace(output(t, q)), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "tried ") {
		t.Errorf("the attack did not end: %q", last)
	}
	for _, line := range lines[:len(lines)-1] {
		t.Errorf("succeeded: %s", line)
	}
	t.Log(usage.Locks)
}

// TestSandboxOff shows that the attack does succeed without the sandbox: otherwise the test above could not fail.
func TestSandboxOff(t *testing.T) {
	r := newRunner(t, child.Options{Sandbox: child.SandboxOff})
	q := request(t, "probe", small)
	bait(t, q)
	if _, usage, err := r.Convert(t.Context(), q); err != nil {
		t.Fatalf("%v\n%s", err, usage.Stderr)
	}
	got := output(t, q)
	for _, want := range []string{"read /etc/passwd", "read a neighbour of the input", "unix socket", "signal the parent", "write outside"} {
		if !strings.Contains(got, want) {
			t.Errorf("without a sandbox, %q fails too:\n%s", want, got)
		}
	}
	report := r.Locks(t.Context())
	if report.Error != "" || len(report.Missing) == 0 {
		t.Errorf("locks without a sandbox = %+v", report)
	}
}

// TestReadOnly: what the engine needs is reachable in the sandbox, and only for reading.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cache"), []byte("compiled"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := newRunner(t, child.Options{ReadOnly: []string{dir, filepath.Join(dir, "missing")}})
	q := request(t, "cat "+filepath.Join(dir, "cache"), small)
	if _, _, err := r.Convert(t.Context(), q); err != nil || output(t, q) != "compiled" {
		t.Errorf("read = %q, %v", output(t, q), err)
	}
	q = request(t, "put "+filepath.Join(dir, "cache"), small)
	if _, _, err := r.Convert(t.Context(), q); err == nil {
		t.Error("the cache could be written")
	}
}
