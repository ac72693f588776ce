package pipelinetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// The journey's tests are the service cases of the plan: S1 and so on name them.
var journeyTests = []test{
	{"S1 the same event three times at once converts once", testDuplicates},
	{"S2 an event of a replaced version is stale", testStaleEvent},
	{"S4 a fault is recorded with its attempt, others go on", testFault},
	{"memory and crash are tried once more, alone", testEscalation},
	{"S6 an expired lease is taken over, and the loser publishes nothing", testTakeOver},
	{"S6 a message that comes again waits for a sign of life from its worker, and leaves when there is one", testAliveAfterAll},
	{"S6 a message that comes again takes over when its worker's lease ends", testDeadAfterAll},
	{"S6 a message that comes again takes over at once from a worker that is known to be dead", testKnownDead},
	{"who has time waits for the end of another one's work", testOutwait},
	{"S7 cancel while queued, running, done, twice", testCancel},
	{"S8 same file, same bytes, other bytes, other options", testReuse},
	{"S8 large results of the same bytes", testReuseLarge},
	{"S9 two report.pdf in two folders are two documents", testSameName},
	{"S11 a deleted file takes results, chunks and attachments with it", testDelete},
	{"a document that a person removed stays away until its file is uploaded anew", testRemove},
	{"S11 two clean up after a deleted file at once", testCleanTwice},
	{"a document that a person removes while it is converted stays away", testRemoveWhileRunning},
	{"S11 a file deleted while its message waits ends as gone", testGone},
	{"shutdown gives the document back", testInterrupted},
	{"a newer upload overtakes a running conversion", testOvertake},
	{"attachments become documents; a bad one does not fail its parent", testAttachments},
	{"attachments of attachments stop at depth and count", testAttachmentLimits},
	{"a worker that died between manifest and record", testDiedBeforeRecord},
	{"only changed chunks are written", testChunkChanges},
	{"folders that are used again are clean", testCleanFolders},
	{"results whose record was lost give way to new ones", testLostRecord},
}

// bench is a pipeline on a backend.
type bench struct {
	Backend
	*pipeline.Pipeline
	converter *Converter
	announced func() []pipeline.Completed
	clock     *clock
}

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type announcements struct {
	mu   sync.Mutex
	list []pipeline.Completed
}

func (a *announcements) Announce(_ context.Context, done pipeline.Completed) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, done)
	return nil
}

func newBench(t *testing.T, b Backend) *bench {
	heard := &announcements{}
	c := &Converter{Started: make(chan job.ID, 8), Release: make(chan struct{})}
	k := &clock{now: time.Now().UTC().Truncate(time.Millisecond)}
	return &bench{Backend: b, converter: c, clock: k, Pipeline: newPipeline(t, b, c, k, heard), announced: func() []pipeline.Completed {
		heard.mu.Lock()
		defer heard.mu.Unlock()
		return slices.Clone(heard.list)
	}}
}

// newPipeline makes one more instance on the same backend.
func newPipeline(t *testing.T, b Backend, c *Converter, k *clock, heard pipeline.Announcer) *pipeline.Pipeline {
	return pipeline.New(pipeline.Ports{
		Ledger:  ledger.New(b.Store, ledger.Options{Version: "v1", Now: k.Now}),
		Fetcher: b.Fetcher, Converter: c, Sink: b.Sink, Cache: b.Cache, Announcer: heard,
	}, pipeline.Options{TempDir: t.TempDir(), Reuse: true, Poll: 20 * time.Millisecond})
}

func (b *bench) upload(t *testing.T, path, text string) job.Job {
	t.Helper()
	return job.Job{Source: b.Upload(t, job.Source{Container: "documents", Path: path}, []byte(text))}
}

// handle runs a job and checks how it ends: the record's state and the fault.
func (b *bench) handle(t *testing.T, j job.Job, state ledger.State, kind fault.Kind) ledger.Record {
	t.Helper()
	r, err := b.Handle(t.Context(), j)
	if r.State != state || fault.KindOf(err) != kind {
		t.Fatalf("Handle(%s) = %q, %v; want %q, kind %q", j.Source.Path, r.State, err, state, kind)
	}
	return r
}

// start runs a job in the background, until the converter waits.
func (b *bench) start(t *testing.T, p *pipeline.Pipeline, ctx context.Context, j job.Job) (wait func() (ledger.Record, error)) {
	t.Helper()
	var r ledger.Record
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		r, err = p.Handle(ctx, j)
	}()
	select {
	case <-b.converter.Started:
	case <-done:
		t.Fatalf("Handle(%s) = %q, %v before it came to wait", j.Source.Path, r.State, err)
	case <-time.After(20 * time.Second):
		t.Fatal("the conversion does not start")
	}
	return func() (ledger.Record, error) {
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("Handle does not end")
		}
		return r, err
	}
}

func testDuplicates(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "s1.txt", "!wait\nalpha")
	wait := b.start(t, b.Pipeline, t.Context(), j)
	for range 2 {
		b.handle(t, j, ledger.Running, fault.Duplicate)
	}
	close(b.converter.Release)
	if r, err := wait(); err != nil || r.State != ledger.Succeeded || r.Counts.Chunks != 1 {
		t.Fatalf("Handle = %+v, %v", r, err)
	}
	b.handle(t, j, ledger.Succeeded, fault.Duplicate)
	if n := b.converter.Conversions(""); n != 1 {
		t.Errorf("%d conversions, want 1", n)
	}
	if heard := b.announced(); len(heard) != 1 || heard[0].State != ledger.Succeeded || heard[0].DocumentID != j.Source.ID() {
		t.Errorf("announced %+v, want one succeeded", heard)
	}
	j.Attempt = 2 // the message came back: perhaps the instance died after the record
	b.handle(t, j, ledger.Succeeded, fault.Duplicate)
	if heard := b.announced(); len(heard) != 2 {
		t.Errorf("%d announcements after a redelivery, want 2", len(heard))
	}
}

func testStaleEvent(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	first := b.upload(t, "s2.txt", "one")
	second := b.upload(t, "s2.txt", "two, longer")
	b.handle(t, first, ledger.Queued, fault.Stale)
	b.handle(t, second, ledger.Succeeded, "")
	r, err := b.Handle(t.Context(), first)
	if r.State != ledger.Succeeded || fault.KindOf(err) != fault.Stale {
		t.Errorf("an old event after the new one = %q, %v; want succeeded, stale", r.State, err)
	}
	if got := read(t, b.Sink, first.Source); got != "two, longer\n" {
		t.Errorf("readers see %q", got)
	}
	if r.Attempts[0].Outcome != ledger.Superseded {
		t.Errorf("first attempt = %+v, want superseded", r.Attempts[0])
	}
}

func testFault(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	r := b.handle(t, b.upload(t, "s4/7.txt", "!fault corrupt"), ledger.Failed, fault.Corrupt)
	a := r.Attempts[len(r.Attempts)-1]
	if a.Kind != fault.Corrupt || a.Stage != "parse" || a.Page != 3 || a.Stderr != "the last words" || a.PeakMemory != 42*job.MiB || r.Cause.Message == "" {
		t.Errorf("attempt = %+v, cause = %+v", a, r.Cause)
	}
	b.handle(t, b.upload(t, "s4/8.txt", "fine"), ledger.Succeeded, "")
	b.handle(t, b.upload(t, "s4/empty.txt", ""), ledger.Empty, "")
	r = b.handle(t, b.upload(t, "s4/later.txt", "!fault storage_unavailable"), ledger.Queued, fault.Storage)
	if got := r.Attempts[0].Outcome; got != ledger.Deferred {
		t.Errorf("outcome = %q, want deferred", got)
	}
}

func testEscalation(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	r := b.handle(t, b.upload(t, "heavy.txt", "!fault memory shared\nfits alone"), ledger.Succeeded, "")
	if len(r.Attempts) != 2 || r.Attempts[0].Outcome != ledger.Escalated || r.Attempts[0].Kind != fault.Memory || !r.Attempts[1].Alone {
		t.Errorf("attempts = %+v, want escalated, then alone", r.Attempts)
	}
	r = b.handle(t, b.upload(t, "killer.txt", "!fault crash"), ledger.Failed, fault.Crash)
	if len(r.Attempts) != 2 || r.Attempt != 2 {
		t.Errorf("attempts = %+v, want 2", r.Attempts)
	}
}

func testTakeOver(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "s6.txt", "!wait\nalpha")
	other := newPipeline(t, b0, b.converter, b.clock, nil)
	frozen, thaw := context.WithCancel(t.Context())
	defer thaw()
	// The first worker's claim is made by hand and then abandoned, as by a host that died.
	claim, _, err := ledger.New(b.Store, ledger.Options{Version: "v1", Now: b.clock.Now}).Claim(frozen, j, ledger.ClaimOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b.handle(t, j, ledger.Running, fault.Duplicate)
	b.clock.advance(ledger.DefaultLease + time.Second)
	wait := b.start(t, other, t.Context(), j)
	if err := claim.Seal(t.Context()); fault.KindOf(err) != fault.LeaseLost {
		t.Errorf("Seal by the one who lost the claim = %v, want lease_lost", err)
	}
	close(b.converter.Release)
	r, err := wait()
	if err != nil || r.State != ledger.Succeeded || r.Generation != 2 || r.Attempts[0].Outcome != ledger.Interrupted {
		t.Errorf("after the take-over: %+v, %v", r, err)
	}
}

func testCancel(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	queued := b.upload(t, "s7/queued.txt", "never")
	if _, fresh, err := b.Ledger.Enqueue(t.Context(), queued); err != nil || !fresh {
		t.Fatalf("Enqueue = %v, %v", fresh, err)
	}
	for range 2 {
		if r, err := b.Ledger.Cancel(t.Context(), queued.Source.ID(), "somebody"); err != nil || r.State != ledger.Cancelled || r.Cause.By != "somebody" {
			t.Errorf("Cancel of a queued document = %q by %+v, %v", r.State, r.Cause, err)
		}
	}
	b.handle(t, queued, ledger.Cancelled, fault.Cancelled)

	running := b.upload(t, "s7/running.txt", "partial\n!wait")
	wait := b.start(t, b.Pipeline, t.Context(), running)
	began := time.Now()
	if _, err := b.Ledger.Cancel(t.Context(), running.Source.ID(), "somebody"); err != nil {
		t.Fatal(err)
	}
	if r, err := wait(); r.State != ledger.Cancelled || fault.KindOf(err) != fault.Cancelled {
		t.Errorf("a cancelled conversion ends as %q, %v", r.State, err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("cancelling took %v, want under 10 s", took)
	}
	if got := read(t, b.Sink, running.Source); got != "" {
		t.Errorf("readers see %q of a cancelled document", got)
	}

	done := b.upload(t, "s7/done.txt", "done")
	b.handle(t, done, ledger.Succeeded, "")
	if _, err := b.Ledger.Cancel(t.Context(), done.Source.ID(), "somebody"); fault.KindOf(err) != fault.Conflict {
		t.Errorf("Cancel of a finished document = %v, want conflict", err)
	}
	if n := b.converter.Conversions(queued.Source.ID()); n != 0 {
		t.Errorf("a document that was cancelled in the queue was converted %d times", n)
	}

	if _, err := b.Ledger.Retry(t.Context(), queued.Source.ID(), job.Limits{Memory: 3 * job.GiB}); err != nil {
		t.Fatal(err)
	}
	r := b.handle(t, queued, ledger.Succeeded, "")
	if r.Retries != 1 {
		t.Errorf("retries = %d, want 1", r.Retries)
	}
}

func testSameName(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	x, y := b.upload(t, "a/report.pdf", "in a"), b.upload(t, "b/report.pdf", "in b")
	b.handle(t, x, ledger.Succeeded, "")
	b.handle(t, y, ledger.Succeeded, "")
	if gotX, gotY := read(t, b.Sink, x.Source), read(t, b.Sink, y.Source); gotX != "in a\n" || gotY != "in b\n" {
		t.Errorf("results are %q and %q", gotX, gotY)
	}
}

func testGone(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "s11b.txt", "alpha")
	b.Remove(t, j.Source)
	b.handle(t, j, ledger.Gone, fault.Gone)
}

func testInterrupted(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "shutdown.txt", "!wait\nalpha")
	ctx, stop := context.WithCancel(t.Context())
	wait := b.start(t, b.Pipeline, ctx, j)
	stop()
	r, err := wait()
	if r.State != ledger.Queued || fault.KindOf(err) != fault.Interrupted || r.Attempts[0].Outcome != ledger.Interrupted {
		t.Fatalf("after a shutdown: %q, %v, %+v", r.State, err, r.Attempts)
	}
	close(b.converter.Release)
	b.handle(t, j, ledger.Succeeded, "")
}

func testOvertake(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	old := b.upload(t, "overtake.txt", "!wait\nold")
	wait := b.start(t, b.Pipeline, t.Context(), old)
	young := b.upload(t, "overtake.txt", "young, longer")
	b.handle(t, young, ledger.Succeeded, "")
	if _, err := wait(); fault.KindOf(err) != fault.LeaseLost {
		t.Errorf("the overtaken conversion ends with %v, want lease_lost", err)
	}
	if got := read(t, b.Sink, young.Source); got != "young, longer\n" {
		t.Errorf("readers see %q", got)
	}
}

func testAttachments(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "mail.eml", `body
!attach good.txt one\ntwo
!attach bad.txt !fault encrypted
!attach good.txt the same name`)
	r := b.handle(t, j, ledger.Succeeded, "")
	m := must(b.Sink.Manifest(t.Context(), j.Source))(t)
	var got []string
	for _, a := range m.Attachments {
		got = append(got, fmt.Sprintf("%s %s %s", a.Path, a.Status, a.Fault))
	}
	want := []string{"mail.eml!/good.txt succeeded ", "mail.eml!/bad.txt failed encrypted", "mail.eml!/good~2.txt succeeded "}
	if !slices.Equal(got, want) {
		t.Errorf("attachments = %q, want %q", got, want)
	}
	child := must(b.Ledger.Load(t.Context(), m.Attachments[0].DocumentID))(t)
	if child.Source.Parent != r.DocumentID || child.Counts.Chunks != 2 || len(r.Children) != 3 {
		t.Errorf("child = %+v, children = %v", child, r.Children)
	}
	bad := must(b.Ledger.Retry(t.Context(), m.Attachments[1].DocumentID, job.Limits{}))(t)
	b.handle(t, bad.Job(), ledger.Failed, fault.Encrypted) // read from the parent's results

	smaller := b.upload(t, "mail.eml", "body without attachments")
	b.handle(t, smaller, ledger.Succeeded, "")
	if _, err := b.Ledger.Load(t.Context(), child.DocumentID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an attachment that is not there any more: %v, want not_found", err)
	}
}

func testAttachmentLimits(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	deep := b.upload(t, "deep.zip", `!attach a.zip !attach b.zip !attach c.txt never`)
	deep.Limits.Depth = 2
	b.handle(t, deep, ledger.Succeeded, "")
	inner := job.Source{Container: "documents", Path: "deep.zip!/a.zip!/b.zip"}
	m := must(b.Sink.Manifest(t.Context(), inner))(t)
	if len(m.Attachments) != 1 || m.Attachments[0].Fault != fault.LimitDepth {
		t.Errorf("attachments at depth 3 = %+v, want limit_depth", m.Attachments)
	}
	wide := b.upload(t, "wide.zip", "!attach 1.txt one\n!attach 2.txt two\n!attach 3.txt three")
	wide.Limits.Members = 2
	b.handle(t, wide, ledger.Succeeded, "")
	m = must(b.Sink.Manifest(t.Context(), wide.Source))(t)
	if m.Attachments[1].Status != ledger.Succeeded || m.Attachments[2].Fault == "" || m.Attachments[2].Status != "" {
		t.Errorf("attachments = %+v, want the third refused", m.Attachments)
	}
}

func testDiedBeforeRecord(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	j := b.upload(t, "died.txt", "alpha\nbeta")
	b.handle(t, j, ledger.Succeeded, "")
	// As if the worker had died after the manifest: the record runs, and there are no chunk items.
	r := must(b.Ledger.Load(t.Context(), j.Source.ID()))(t)
	broken := r
	broken.State, broken.Published, broken.Sealed = ledger.Running, 0, true
	broken.Lease = &ledger.Lease{Owner: "dead", Expires: b.clock.Now().Add(-time.Second)}
	var ids []string
	for id := range must(ledger.AllStamps(t.Context(), b.Store, r.DocumentID))(t) {
		ids = append(ids, id)
	}
	must(b.Store.Commit(t.Context(), r, broken, ledger.ChunkChange{Remove: ids}))(t)
	r = b.handle(t, j, ledger.Succeeded, "")
	if r.Published != 1 || r.Generation != 2 || b.converter.Conversions("") != 1 {
		t.Errorf("published %d of generation %d after %d conversions, want 1 of 2 after 1", r.Published, r.Generation, b.converter.Conversions(""))
	}
	if stamps := must(ledger.AllStamps(t.Context(), b.Store, r.DocumentID))(t); len(stamps) != 2 {
		t.Errorf("%d chunks, want 2", len(stamps))
	}
}

func testChunkChanges(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	b.handle(t, b.upload(t, "changes.txt", "alpha 1\nbeta 1\ngamma 1"), ledger.Succeeded, "")
	r := b.handle(t, b.upload(t, "changes.txt", "new 1\nalpha 1\nbeta 2"), ledger.Succeeded, "")
	want := ledger.Changes{Added: 1, Changed: 1, Removed: 1, Unchanged: 1, Moved: 1}
	if *r.Changes != want {
		t.Errorf("changes = %+v, want %+v", *r.Changes, want)
	}
	rewritten := b.upload(t, "changes.txt", "new 1\nalpha 1\ndelta 1\nepsilon 1") // delta in the place of beta, epsilon is more
	if got := b.handle(t, rewritten, ledger.Succeeded, "").Changes; *got != (ledger.Changes{Added: 1, Changed: 1, Unchanged: 2}) {
		t.Errorf("changes of a rewritten chunk and a new one = %+v, want one changed and one added", *got)
	}
	if r.Generation != 2 || r.Published != 2 {
		t.Errorf("generation %d, published %d; want 2, 2", r.Generation, r.Published)
	}
}
