package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/mem"
)

// The model: one file that is uploaded, replaced and deleted; messages about it that are delivered in any order and any
// number of times; workers that claim, renew, publish, finish or die. After each step the invariants of issue 4 hold.
type model struct {
	t      *testing.T
	random *rand.Rand
	now    time.Time
	store  *mem.Store
	ledger *ledger.Ledger

	version  int  // of the file, counts uploads and deletes
	exists   bool // there is a file
	messages []message
	workers  []*worker

	published     int64 // generation that readers see
	publishedETag string
	cancelled     map[int64]bool // generations that were cancelled
	log           []string
}

type message struct {
	source job.Source
	delete bool
}

// worker holds a claim and stands at some stage of its work.
type worker struct {
	claim *ledger.Claim
	etag  string
	stage int // 0 converting, 1 sealed, 2 published
}

var file = job.Source{Container: "documents", Path: "model.txt"}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{t: t, random: rand.New(rand.NewPCG(seed, 4)), now: time.Unix(1_800_000_000, 0), store: &mem.Store{}, cancelled: map[int64]bool{}}
	m.ledger = ledger.New(m.store, ledger.Options{Version: "v1", Now: func() time.Time { return m.now }, Lease: time.Minute})
	return m
}

func (m *model) source() job.Source {
	src := file
	src.ETag, src.Sequencer = fmt.Sprintf("e%d", m.version), fmt.Sprintf("%x", m.version)
	return src
}

func (m *model) upload() {
	m.version++
	m.exists = true
	m.messages = append(m.messages, message{source: m.source()})
}

func (m *model) remove() {
	if !m.exists {
		return
	}
	m.version++
	m.exists = false
	src := file
	src.Sequencer = fmt.Sprintf("%x", m.version)
	m.messages = append(m.messages, message{source: src, delete: true})
}

// deliver handles a message and sometimes keeps it, to come again.
func (m *model) deliver() {
	if len(m.messages) == 0 {
		return
	}
	i := m.random.IntN(len(m.messages))
	msg := m.messages[i]
	if m.handle(msg) && m.random.IntN(3) > 0 {
		m.messages = slices.Delete(m.messages, i, i+1)
	}
}

// handle does what the pipeline does with a message; false means that it must come again.
func (m *model) handle(msg message) bool {
	ctx := context.Background()
	if msg.delete {
		_, err := m.ledger.MarkGone(ctx, msg.source)
		m.allow("MarkGone", err, fault.Stale)
		if err == nil {
			m.published, m.publishedETag = 0, ""
		}
		return true
	}
	claim, _, err := m.ledger.Claim(ctx, job.Job{Source: msg.source}, ledger.ClaimOptions{Current: m.isCurrent(msg)})
	m.allow("Claim", err, fault.Duplicate, fault.Stale, fault.Cancelled, fault.Gone)
	if err != nil {
		return true
	}
	w := &worker{claim: claim, etag: msg.source.ETag}
	m.workers = append(m.workers, w)
	switch {
	case !m.exists: // the fetch finds nothing
		_, err = m.ledger.MarkGone(ctx, msg.source)
		m.allow("MarkGone", err, fault.Stale)
		m.published, m.publishedETag = 0, ""
		m.drop(w)
	case msg.source.ETag != m.source().ETag: // the fetch finds another version
		_, err = claim.Release(ctx, ledger.Superseded, fault.New(fault.Stale, "", nil), nil)
		m.allow("Release", err)
		m.drop(w)
	}
	return true
}

func (m *model) isCurrent(msg message) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) {
		if !m.exists {
			return false, fault.New(fault.Gone, "", nil)
		}
		return msg.source.ETag == m.source().ETag, nil
	}
}

func (m *model) drop(w *worker) {
	m.workers = slices.DeleteFunc(m.workers, func(x *worker) bool { return x == w })
}

// advance moves one worker one stage on.
func (m *model) advance() {
	if len(m.workers) == 0 {
		return
	}
	w := m.workers[m.random.IntN(len(m.workers))]
	lost := []fault.Kind{fault.LeaseLost, fault.Cancelled, fault.Gone}
	ctx := context.Background()
	var err error
	switch w.stage {
	case 0:
		if m.random.IntN(4) == 0 {
			err = w.claim.Renew(ctx, &job.Progress{Stage: "parse", Page: 1})
			m.allow("Renew", err, lost...)
			break
		}
		err = w.claim.Seal(ctx)
		m.allow("Seal", err, lost...)
		w.stage = 1
	case 1:
		m.publish(w)
		return
	case 2:
		m.finish(w, lost)
		return
	}
	if err != nil {
		m.drop(w)
	}
}

// publish does what a sink does: nothing when the lease is nearly over, or a newer generation is there.
func (m *model) publish(w *worker) {
	generation := w.claim.Record().Generation
	if w.claim.Expired(5*time.Second) || generation < m.published {
		m.drop(w)
		return
	}
	if m.cancelled[generation] {
		m.fail("generation %d is published although it was cancelled", generation)
	}
	m.published, m.publishedETag = generation, w.etag
	w.stage = 2
}

func (m *model) finish(w *worker, lost []fault.Kind) {
	state := []ledger.State{ledger.Succeeded, ledger.Empty}[m.random.IntN(2)]
	before, _ := m.store.Load(context.Background(), file.ID())
	r, err := w.claim.Finish(context.Background(), ledger.Conclusion{State: state})
	m.allow("Finish", err, lost...)
	if err == nil {
		if before.State.Terminal() {
			m.fail("%s became %s by a finish", before.State, r.State)
		}
		if m.cancelled[r.Generation] {
			m.fail("generation %d was cancelled and is %s", r.Generation, r.State)
		}
	}
	m.drop(w)
}

// fault ends a worker with a permanent fault.
func (m *model) breakDown() {
	if w := m.pick(0); w != nil {
		_, err := w.claim.Finish(context.Background(), ledger.Conclusion{State: ledger.Failed, Err: fault.New(fault.Corrupt, "", nil)})
		m.allow("Finish", err, fault.LeaseLost, fault.Cancelled, fault.Gone)
		m.drop(w)
	}
}

func (m *model) interrupt() {
	if w := m.pick(0); w != nil {
		_, err := w.claim.Release(context.Background(), ledger.Interrupted, fault.New(fault.Interrupted, "", nil), nil)
		m.allow("Release", err, fault.LeaseLost, fault.Cancelled, fault.Gone)
		if err == nil {
			m.messages = append(m.messages, message{source: w.claim.Record().Source})
		}
		m.drop(w)
	}
}

// die forgets a worker; the host brings its message back.
func (m *model) die() {
	if len(m.workers) == 0 {
		return
	}
	w := m.workers[m.random.IntN(len(m.workers))]
	m.messages = append(m.messages, message{source: w.claim.Record().Source})
	m.drop(w)
}

func (m *model) pick(stage int) *worker {
	for _, w := range m.workers {
		if w.stage == stage {
			return w
		}
	}
	return nil
}

func (m *model) cancel() {
	r, err := m.ledger.Cancel(context.Background(), file.ID(), "")
	m.allow("Cancel", err, fault.Conflict, fault.NotFound)
	if err == nil {
		m.cancelled[r.Generation] = true
	}
}

func (m *model) retry() {
	r, err := m.ledger.Retry(context.Background(), file.ID(), job.Limits{})
	m.allow("Retry", err, fault.Conflict, fault.NotFound)
	if err == nil {
		delete(m.cancelled, r.Generation)
		m.messages = append(m.messages, message{source: r.Source})
	}
}

func (m *model) poison() {
	if len(m.messages) == 0 {
		return
	}
	msg := m.messages[m.random.IntN(len(m.messages))]
	if !msg.delete {
		_, err := m.ledger.Poison(context.Background(), job.Job{Source: msg.source}, fault.New(fault.Internal, "", nil))
		m.allow("Poison", err)
	}
}

func (m *model) wait() { m.now = m.now.Add(time.Duration(m.random.IntN(50)) * time.Second) }

// sweep does for the one file what the sweeper does: a message for what nobody works on.
func (m *model) sweep() {
	r, err := m.store.Load(context.Background(), file.ID())
	stuck := err == nil && !r.State.Terminal() && !r.Alive(m.now)
	missing := m.exists && (fault.KindOf(err) == fault.NotFound || err == nil && r.Source.ETag != m.source().ETag)
	switch {
	case m.exists && (stuck || missing):
		m.messages = append(m.messages, message{source: m.source()})
	case stuck:
		m.messages = append(m.messages, message{source: r.Source})
	}
}

func (m *model) allow(what string, err error, kinds ...fault.Kind) {
	if err != nil && !slices.Contains(kinds, fault.KindOf(err)) {
		m.fail("%s = %v, want nothing but %v", what, err, kinds)
	}
}

func (m *model) fail(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("%s\nthe steps before: %v", fmt.Sprintf(format, args...), m.log[max(0, len(m.log)-30):])
}

// check holds the record against the invariants.
func (m *model) check(before ledger.Record) ledger.Record {
	r, err := m.store.Load(context.Background(), file.ID())
	if fault.KindOf(err) == fault.NotFound {
		return before
	}
	switch {
	case before.State != "" && r.ETag != before.ETag && !before.State.MayBecome(r.State):
		m.fail("the record went from %s to %s", before.State, r.State)
	case r.Generation < before.Generation:
		m.fail("generation went from %d back to %d", before.Generation, r.Generation)
	case r.State == ledger.Running && r.Lease == nil, r.State != ledger.Running && r.Lease != nil:
		m.fail("%s with lease %v", r.State, r.Lease)
	case r.State.Readable() && r.Published > m.published && m.published != 0:
		m.fail("the record says that generation %d is published, readers see %d", r.Published, m.published)
	case r.State.Readable() && before.State.Readable() && r.Published < before.Published:
		m.fail("an old generation %d came after %d", r.Published, before.Published)
	case len(r.Attempts) > ledger.MaxAttempts:
		m.fail("%d attempts are kept", len(r.Attempts))
	}
	return r
}

// settle lets everything come to rest: nobody dies any more, messages are delivered, time passes, the sweeper runs.
func (m *model) settle() {
	for range 40 {
		m.now = m.now.Add(20 * time.Second)
		for len(m.workers) > 0 {
			m.advance()
		}
		m.sweep()
		for len(m.messages) > 0 {
			msg := m.messages[0]
			m.messages = m.messages[1:]
			m.handle(msg)
		}
	}
	for len(m.workers) > 0 {
		m.advance()
	}
	r, err := m.store.Load(context.Background(), file.ID())
	if m.version == 0 {
		return
	}
	switch {
	case err != nil:
		m.fail("the document is lost: %v", err)
	case !r.State.Terminal():
		m.fail("the document never ends: %s, attempts %+v", r.State, r.Attempts)
	case m.exists && r.State == ledger.Gone:
		m.fail("the file is there, the record says gone")
	case m.exists && r.Source.ETag != m.source().ETag:
		m.fail("the record is about version %s, the file is %s", r.Source.ETag, m.source().ETag)
	case m.exists && r.State.Readable() && m.publishedETag != m.source().ETag:
		m.fail("readers see version %q, the file is %s", m.publishedETag, m.source().ETag)
	case !m.exists && r.State != ledger.Gone && r.State != ledger.Cancelled && r.State != ledger.Poisoned && r.State != ledger.Failed:
		m.fail("the file is gone, the record says %s", r.State)
	}
}

// TestModel runs random interleavings: 300 histories of 60 steps, 18,000 in all.
func TestModel(t *testing.T) {
	for seed := range uint64(300) {
		m := newModel(t, seed)
		actions := []struct {
			name   string
			weight int
			do     func()
		}{
			{"upload", 4, m.upload}, {"remove", 1, m.remove}, {"deliver", 12, m.deliver}, {"advance", 14, m.advance},
			{"break", 1, m.breakDown}, {"interrupt", 1, m.interrupt}, {"die", 2, m.die}, {"cancel", 2, m.cancel},
			{"retry", 2, m.retry}, {"poison", 1, m.poison}, {"wait", 4, m.wait}, {"sweep", 1, m.sweep},
		}
		var bag []int
		for i, a := range actions {
			for range a.weight {
				bag = append(bag, i)
			}
		}
		var before ledger.Record
		for range 60 {
			a := actions[bag[m.random.IntN(len(bag))]]
			m.log = append(m.log, a.name)
			a.do()
			before = m.check(before)
		}
		m.settle()
	}
}
