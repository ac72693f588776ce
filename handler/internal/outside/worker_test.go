//go:build linux

package outside_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
	"decant/handler/internal/outside"
)

// TestTwoHundredDocuments: a worker that leaks, hangs, dies, answers rubbish or twice costs only the document that did it, whatever
// stands behind it in the batch; the untouched tail is dispatched again, not retried.
func TestTwoHundredDocuments(t *testing.T) {
	special := map[int]string{
		20: "exit 9", 40: "rubbish", 60: "text Document 60\ntwice", 80: "hang", 100: "heap 2048", 120: "kill",
		140: "fail encrypted", 160: "stranger", 180: "elsewhere ../../../../etc/passwd",
	}
	want := map[int]string{
		20: "crash", 40: "crash", 80: "no_progress", 100: "memory", 120: "crash", 140: "encrypted", 160: "crash", 180: "crash",
	}
	for i := 1; i <= 200; i++ {
		if special[i] == "" {
			special[i] = fmt.Sprintf("text Document %d\npid\nleak 4", i)
		}
	}
	l := limits
	l.NoProgress = 15 * time.Second
	r := newRouter(t, child.SandboxAuto, worker(t, func(c *outside.Converter) {
		c.Limits = outside.Limits{Documents: 50, Recycle: outside.Size(200 * job.MiB)}
	}))
	processes := map[string]int{}
	for i, e := range convertAll(t, r, documents(t, 200, l, special)) {
		n := i + 1
		expected := want[n]
		if expected == "" {
			expected = "ok"
		}
		if e.kind() != expected {
			t.Errorf("document %d: %s, want %s (%v)", n, e.kind(), expected, e.err)
		}
		if expected == "ok" && !strings.HasPrefix(e.text, fmt.Sprintf("Document %d\n", n)) {
			t.Errorf("document %d has the text %q", n, e.text)
		}
		if _, process, ok := strings.Cut(e.text, "process "); ok {
			processes[strings.TrimSpace(process)]++
		}
	}
	stats, _ := r.Stats("fake")
	t.Logf("%+v, %d processes converted", stats, len(processes))
	if stats.Deferred == 0 || stats.Redispatched != 1 {
		t.Errorf("%+v: want documents deferred, and one dispatched again: that behind the one which answered twice", stats)
	}
	if most := max(0, 200/len(processes)); most > 50 || stats.Started > 60 {
		t.Errorf("%d documents a process, %d processes", most, stats.Started)
	}
}

// TestWorkerIsKept: documents that come one by one share a worker, up to its number of documents.
func TestWorkerIsKept(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, worker(t, func(c *outside.Converter) { c.Limits.Documents = 3 }))
	texts := map[string]int{}
	for range 6 {
		e := convertOne(t, r, request(t, "x.fake", "pid", limits))
		if e.err != nil {
			t.Fatal(e.err)
		}
		if e.usage.Outside != "fake Fake 1.0" || e.result.Outside == nil || e.result.Outside.Version != "Fake 1.0" {
			t.Errorf("the record names %q, %+v", e.usage.Outside, e.result.Outside)
		}
		texts[e.text]++
	}
	if stats, _ := r.Stats("fake"); stats.Started != 2 || len(texts) != 2 {
		t.Errorf("%+v, %v: want two processes of three documents", stats, texts)
	}
}

// TestSecondAnswerCostsNobody: what a worker says after its answer is noticed with the next document, which a fresh one gets.
func TestSecondAnswerCostsNobody(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, worker(t, nil))
	for i, text := range []string{"text a\ntwice", "text b", "text c"} {
		if e := convertOne(t, r, request(t, "x.fake", text, limits)); e.err != nil {
			t.Errorf("document %d: %v", i+1, e.err)
		}
	}
	if stats, _ := r.Stats("fake"); stats.Redispatched != 1 || stats.Started != 2 {
		t.Errorf("%+v", stats)
	}
}

func TestWorkerFaults(t *testing.T) {
	tests := []struct {
		name, text, kind, death, says string
		change                        func(*outside.Converter)
	}{
		{"died", "exit 9", "crash", child.DeathCrash, "ended on this document (exit status 9: told to exit)", nil},
		{"crashed", "kill", "crash", child.DeathCrash, "killed", nil},
		{"rubbish", "rubbish", "crash", child.DeathCrash, "makes no sense", nil},
		{"endless line", "endless-line", "crash", child.DeathCrash, "makes no sense", nil},
		{"answer to nobody", "stranger", "crash", child.DeathCrash, "not asked", nil},
		{"refused", "fail corrupt", "corrupt", child.DeathRefused, "The outside converter fake: It says corrupt.", nil},
		{"lack of memory that it noticed itself", "fail memory", "memory", child.DeathMemory, "The outside converter fake: It says memory.", nil},
		{"refused for a reason of its own", "fail bad_weather", "crash", child.DeathCrash, "It says bad_weather.", nil},
		{"file that is not there", "elsewhere nothing.md", "crash", child.DeathCrash, "cannot be read", nil},
		{"file elsewhere", "elsewhere ../../x", "crash", child.DeathCrash, "not in its output folder", nil},
		{"file that is a link out", "link /etc/passwd", "crash", child.DeathCrash, "cannot be read", nil},
		{"too much memory", "heap 2048", "memory", child.DeathMemory, "", nil},
		{"disk full", "fill 100", "limit_disk", child.DeathDiskLimit, "", nil},
		{"never ready", "text x", "crash", child.DeathCrash, "not ready after 1s", func(c *outside.Converter) {
			c.Command, c.Limits.Start = append(c.Command, "never-ready"), outside.Duration(time.Second)
		}},
		{"dies at start", "text x", "crash", child.DeathCrash, "ended before it was ready (exit status 4: no model here)", func(c *outside.Converter) {
			c.Command = append(c.Command, "die-at-start")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRouter(t, child.SandboxAuto, worker(t, tt.change))
			e := convertOne(t, r, request(t, "x.fake", tt.text, limits))
			if e.kind() != tt.kind || e.usage.Death != tt.death || e.err == nil || !strings.Contains(e.err.Error(), tt.says) {
				t.Errorf("kind %s, death %s: %v\nwant %s, %s: %q", e.kind(), e.usage.Death, e.err, tt.kind, tt.death, tt.says)
			}
		})
	}
}

// TestWorkerProgress: the worker's pages arrive.
func TestWorkerProgress(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, worker(t, nil))
	q := request(t, "x.fake", "progress 7\ntext x", limits)
	var seen []job.Progress
	q.Progress = func(p job.Progress) { seen = append(seen, p) }
	if e := convertOne(t, r, q); e.err != nil {
		t.Fatal(e.err)
	}
	for _, p := range seen {
		if p == (job.Progress{Stage: "outside", Page: 7, Pages: 9}) {
			return
		}
	}
	t.Errorf("progress = %v", seen)
}
