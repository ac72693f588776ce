package pipelinetest

import (
	"context"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// meeting is a document that one worker holds, made by hand, and a second one who comes for it.
type meeting struct {
	*bench
	job    job.Job
	claim  *ledger.Claim // of the first
	second *pipeline.Pipeline
	waits  chan struct{} // hears that the second one waits
}

func newMeeting(t *testing.T, b0 Backend, dead func(owner string) bool, o pipeline.Options) *meeting {
	m := &meeting{bench: newBench(t, b0), waits: make(chan struct{}, 1)}
	m.job = m.upload(t, "s6-again.txt", "alpha")
	m.job.Message, m.job.Attempt = "message-1", 1
	first := ledger.New(m.Store, ledger.Options{Owner: "first", Version: "v1", Now: m.clock.Now})
	var err error
	if m.claim, _, err = first.Claim(t.Context(), m.job, ledger.ClaimOptions{}); err != nil {
		t.Fatal(err)
	}
	o.TempDir, o.Poll = t.TempDir(), 10*time.Millisecond
	o.Waiting = func(job.Job, ledger.Record) { m.waits <- struct{}{} }
	m.second = pipeline.New(pipeline.Ports{
		Ledger:  ledger.New(m.Store, ledger.Options{Owner: "second", Version: "v1", Now: m.clock.Now, Dead: dead}),
		Fetcher: m.Fetcher, Converter: m.converter, Sink: m.Sink,
	}, o)
	return m
}

// come lets the second worker come for the document, until it waits.
func (m *meeting) come(t *testing.T, j job.Job) (wait func() (ledger.Record, error)) {
	t.Helper()
	var r ledger.Record
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		r, err = m.second.Handle(context.WithoutCancel(t.Context()), j)
	}()
	select {
	case <-m.waits:
	case <-done:
		t.Fatalf("Handle = %q, %v at once; want it to wait", r.State, err)
	}
	return func() (ledger.Record, error) {
		<-done
		return r, err
	}
}

func (m *meeting) again() job.Job {
	j := m.job
	j.Attempt = 2
	return j
}

func testAliveAfterAll(t *testing.T, b0 Backend) {
	m := newMeeting(t, b0, nil, pipeline.Options{})
	wait := m.come(t, m.again())
	m.clock.advance(time.Second)
	if err := m.claim.Renew(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if r, err := wait(); fault.KindOf(err) != fault.Duplicate || r.State != ledger.Running || r.Generation != 1 {
		t.Errorf("the second delivery got %q, generation %d, %v; want it to leave the document to the first", r.State, r.Generation, err)
	}
}

func testDeadAfterAll(t *testing.T, b0 Backend) {
	m := newMeeting(t, b0, nil, pipeline.Options{})
	wait := m.come(t, m.again())
	m.clock.advance(ledger.DefaultLease + time.Second)
	if r, err := wait(); err != nil || r.State != ledger.Succeeded || r.Generation != 2 {
		t.Errorf("the second delivery got %q, generation %d, %v; want the document converted", r.State, r.Generation, err)
	}
}

func testKnownDead(t *testing.T, b0 Backend) {
	m := newMeeting(t, b0, func(owner string) bool { return owner == "first" }, pipeline.Options{})
	r, err := m.second.Handle(t.Context(), m.again())
	if err != nil || r.State != ledger.Succeeded || r.Generation != 2 || r.Attempts[0].Outcome != ledger.Interrupted {
		t.Errorf("the second delivery got %q, generation %d, %v; want the document converted", r.State, r.Generation, err)
	}
}

func testOutwait(t *testing.T, b0 Backend) {
	m := newMeeting(t, b0, nil, pipeline.Options{Outwait: time.Hour})
	other := m.job
	other.Message = ""
	wait := m.come(t, other)
	if _, err := m.claim.Finish(t.Context(), ledger.Conclusion{State: ledger.Failed, Err: fault.New(fault.Corrupt, "", nil)}); err != nil {
		t.Fatal(err)
	}
	if r, err := wait(); fault.KindOf(err) != fault.Duplicate || r.State != ledger.Failed {
		t.Errorf("who waited got %q, %v; want the end that the first one wrote", r.State, err)
	}
}
