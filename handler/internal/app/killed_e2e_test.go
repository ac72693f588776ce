package app

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// TestKilledHandler: the handler is killed with SIGKILL in the middle of a document. The host starts it again and brings the
// message back, which takes the document over although the dead handler's lease still holds; no sweeper is needed.
func TestKilledHandler(t *testing.T) {
	s := startStand(t)
	src := job.Source{Container: s.cloud.settings.Documents, Path: "killed.txt"}
	src, err := s.cloud.files.Upload(t.Context(), src, strings.NewReader(strings.Repeat("A line of a long text.\n\n", 150_000)))
	must(t, err)
	must(t, s.cloud.enqueue(t.Context(), &event.Convert{Job: job.Job{Source: src}}))
	running := s.awaitRunning(t, src.ID())
	must(t, syscall.Kill(s.host.PID(), syscall.SIGKILL))
	killed := time.Now()
	r := awaitRecord(t, s.cloud, src.Path)
	if r.State != ledger.Succeeded || r.Generation != 2 || r.Attempts[0].Outcome != ledger.Interrupted {
		t.Fatalf("the document is %s, generation %d, attempts %+v; want it converted at the second try", r.State, r.Generation, r.Attempts)
	}
	t.Logf("taken over %s after the kill, the lease held for %s", r.Attempts[1].Started.Sub(killed).Round(time.Millisecond), running.Lease.Expires.Sub(killed).Round(time.Second))
}

// awaitRunning waits until somebody works on a document.
func (s *stand) awaitRunning(t testing.TB, id job.ID) ledger.Record {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); sleep(t.Context(), 20*time.Millisecond) {
		r, err := s.cloud.ledger.Load(t.Context(), id)
		if err == nil && r.State == ledger.Running {
			return r
		}
	}
	t.Fatal("nobody works on the document after five minutes")
	return ledger.Record{}
}
