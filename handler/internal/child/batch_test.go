package child_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// convertAll converts documents as one batch and gives the kinds of their ends.
func convertAll(t *testing.T, r *child.Runner, limits job.Limits, documents []string) (ends []string, pids map[string]int) {
	t.Helper()
	items := make([]child.Item, len(documents))
	for i, text := range documents {
		items[i] = child.Item{Context: t.Context(), Request: request(t, text, limits)}
	}
	ends, pids = make([]string, len(documents)), map[string]int{}
	r.ConvertBatch(items, func(i int, _ job.Result, usage job.Usage, err error) {
		if ends[i] != "" {
			t.Errorf("document %d ended twice", i+1)
		}
		ends[i] = "ok"
		if err != nil {
			ends[i] = string(fault.KindOf(err))
			return
		}
		if text, err := os.ReadFile(filepath.Join(items[i].Request.OutDir, job.MarkdownFile)); err == nil {
			pids[string(text)]++
		}
	})
	return ends, pids
}

// TestBatchDeaths: a child that dies costs only the document it was on, and the untouched tail is dispatched again.
func TestBatchDeaths(t *testing.T) {
	documents := make([]string, 10)
	for i := range documents {
		documents[i] = "pid"
	}
	documents[6], documents[7] = "exit 9", "heap 4096"
	r := newRunner(t, child.Options{DocumentsPerProcess: 10})
	ends, pids := convertAll(t, r, small, documents)
	want := "ok ok ok ok ok ok crash memory ok ok"
	if got := strings.Join(ends, " "); got != want {
		t.Errorf("ends = %s, want %s", got, want)
	}
	if len(pids) != 2 || r.Stats().Started != 3 {
		t.Errorf("the good ones were done by %v in %d processes, want 2 of 3", pids, r.Stats().Started)
	}
}

// TestDeathBetweenDocuments: the next document had not been begun, and is not to blame.
func TestDeathBetweenDocuments(t *testing.T) {
	r := newRunner(t, child.Options{DocumentsPerProcess: 3})
	ends, _ := convertAll(t, r, small, []string{"answer-and-exit 9", "text a", "text b"})
	if got := strings.Join(ends, " "); got != "ok ok ok" || r.Stats().Redispatched != 1 {
		t.Errorf("ends = %s, stats %+v", got, r.Stats())
	}
}

// TestRecycling: two hundred documents that leak 8 MiB each pass through children that retire at their mark, long before the cap.
func TestRecycling(t *testing.T) {
	documents := make([]string, 200)
	for i := range documents {
		documents[i] = "leak 8\npid"
	}
	r := newRunner(t, child.Options{DocumentsPerProcess: 100, RecycleMark: 110 * job.MiB})
	ends, pids := convertAll(t, r, small, documents)
	for i, end := range ends {
		if end != "ok" {
			t.Errorf("document %d: %s", i+1, end)
		}
	}
	stats := r.Stats()
	if stats.Started < 10 || stats.Started > 40 || stats.Deferred == 0 || int64(len(pids)) != stats.Started {
		t.Errorf("%d processes did documents, stats %+v", len(pids), stats)
	}
	t.Logf("%d children for 200 documents, %d deferred", stats.Started, stats.Deferred)
}

// TestSpares: a spare has warmed up, answers, is used once, is replaced, and goes when it is not wanted any more.
func TestSpares(t *testing.T) {
	r := newRunner(t, child.Options{Memory: small.Memory})
	r.SetSpares(2)
	eventually(t, "two spares", func() bool { return r.Spares() == 2 })
	seen := map[string]bool{}
	for range 4 {
		q := request(t, "warm\ntext  \npid", small)
		_, usage, err := r.Convert(t.Context(), q)
		got := output(t, q)
		if err != nil || !usage.Spare || !strings.HasPrefix(got, "true") || seen[got] {
			t.Errorf("usage %+v, output %q, seen %v, err %v", usage, got, seen, err)
		}
		seen[got] = true
		eventually(t, "a replacement", func() bool { return r.Spares() == 2 })
	}
	if _, usage, err := r.Convert(t.Context(), request(t, "attack", with(func(l *job.Limits) { l.Memory *= 2 }))); err != nil || usage.Spare {
		t.Errorf("a job with another cap got a spare, or failed: %v", err)
	}
	r.SetSpares(0)
	if r.Spares() != 0 {
		t.Error("spares are still there")
	}
}

// TestSpareIsLockedIn: the spare knows its document's paths only later, and must be shut in all the same.
func TestSpareIsLockedIn(t *testing.T) {
	r := newRunner(t, child.Options{Memory: small.Memory, Sandbox: child.SandboxRequire})
	if report := r.Locks(t.Context()); len(report.Missing) > 0 {
		t.Skipf("this kernel lacks %v", report.Missing)
	}
	r.SetSpares(1)
	eventually(t, "a spare", func() bool { return r.Spares() == 1 })
	q := request(t, "attack", small)
	bait(t, q)
	_, usage, err := r.Convert(t.Context(), q)
	if err != nil || !usage.Spare || !strings.HasPrefix(output(t, q), "tried") {
		t.Errorf("spare %v, err %v, succeeded:\n%s", usage.Spare, err, output(t, q))
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s after ten seconds", what)
		}
	}
}

// handlerArgument makes the test binary a handler with one conversion, for tests that kill it.
const handlerArgument = "handler"

// beHandler converts one document that never ends.
func beHandler(dir string) {
	self, _ := os.Executable()
	r := child.New(child.Options{Command: []string{self, childtest.Argument}, TempDir: dir})
	r.SetSpares(1)
	q := job.Request{Input: filepath.Join(dir, "input.txt"), OutDir: filepath.Join(dir, "out"), Job: job.Job{Limits: small}}
	q.Progress = func(job.Progress) { fmt.Println("converting") }
	_, _, _ = r.Convert(context.Background(), q)
}

// TestHandlerKilled: when the handler is killed without notice, no child survives it by more than a second, even one that
// spins, and the next runner removes what it left on the disk.
func TestHandlerKilled(t *testing.T) {
	self, _ := os.Executable()
	q := request(t, "progress parse 1\nspin", small)
	dir := filepath.Dir(q.Input)
	cmd := exec.Command(self, handlerArgument, dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if n := len(childProcesses()); n < 2 {
		t.Errorf("%d processes before the kill, want the handler and its children", n)
	}
	_ = cmd.Process.Kill()
	killed := time.Now()
	_ = cmd.Wait()
	for len(childProcesses()) > 0 && time.Since(killed) < 2*time.Second {
		time.Sleep(5 * time.Millisecond)
	}
	if took := time.Since(killed); took > time.Second {
		t.Errorf("still there after %v: %v", took, childProcesses())
	}
	left, _ := filepath.Glob(filepath.Join(dir, "decant-runner-*"))
	if len(left) != 1 {
		t.Errorf("the killed handler left %v, want one directory", left)
	}
	child.New(child.Options{TempDir: dir}).Close()
	if left, _ := filepath.Glob(filepath.Join(dir, "decant-runner-*")); len(left) != 0 {
		t.Errorf("the next runner left %v", left)
	}
}
