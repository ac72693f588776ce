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
// number of times, by two processes; workers that claim, renew, publish, finish or die, alone or with their process. After each
// step the invariants of issue 4 hold.
type model struct {
	t       *testing.T
	random  *rand.Rand
	now     time.Time
	store   *mem.Store
	process [2]*ledger.Ledger
	owners  [2]string
	dead    map[string]bool // processes that others can see to be dead
	started int             // counts processes

	version  int  // of the file, counts uploads and deletes
	exists   bool // there is a file
	messages []message
	sent     int             // counts messages
	done     map[string]bool // messages that a delivery ended, so that no other one comes
	workers  []*worker

	published     int64 // generation that readers see
	publishedETag string
	cancelled     map[int64]bool // generations that were cancelled
	log           []string
}

type message struct {
	source   job.Source
	delete   bool
	id       string
	delivery int       // how often it was delivered before
	expires  time.Time // of the lease that it waits for, once it met its own worker's
}

// worker holds a claim and stands at some stage of its work.
type worker struct {
	claim   *ledger.Claim
	message message
	process string
	etag    string
	stage   int // 0 converting, 1 sealed, 2 published
}

var file = job.Source{Container: "documents", Path: "model.txt"}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{t: t, random: rand.New(rand.NewPCG(seed, 4)), now: time.Unix(1_800_000_000, 0), store: &mem.Store{}, cancelled: map[int64]bool{},
		dead: map[string]bool{}, done: map[string]bool{}}
	for i := range m.process {
		m.start(i)
	}
	return m
}

// start makes a new process in the place of an old one.
func (m *model) start(i int) {
	m.started++
	m.owners[i] = fmt.Sprintf("process%d", m.started)
	m.process[i] = ledger.New(m.store, ledger.Options{Version: "v1", Owner: m.owners[i], Now: func() time.Time { return m.now }, Lease: time.Minute,
		Dead: func(owner string) bool { return m.dead[owner] }})
}

// anyone is the ledger as one of the processes uses it.
func (m *model) anyone() *ledger.Ledger { return m.process[m.random.IntN(len(m.process))] }

// send puts a new message on the queue.
func (m *model) send(src job.Source, remove bool) {
	m.sent++
	m.messages = append(m.messages, message{source: src, delete: remove, id: fmt.Sprintf("message%d", m.sent)})
}

// comeBack brings a message back whose delivery ended without success, unless another delivery of it ended well.
func (m *model) comeBack(msg message) {
	if !m.done[msg.id] {
		msg.expires = time.Time{}
		m.messages = append(m.messages, msg)
	}
}

func (m *model) source() job.Source {
	src := file
	src.ETag, src.Sequencer = fmt.Sprintf("e%d", m.version), fmt.Sprintf("%x", m.version)
	return src
}

func (m *model) upload() {
	m.version++
	m.exists = true
	m.send(m.source(), false)
}

func (m *model) remove() {
	if !m.exists {
		return
	}
	m.version++
	m.exists = false
	src := file
	src.Sequencer = fmt.Sprintf("%x", m.version)
	m.send(src, true)
}

// deliver handles a message, and sometimes the same event comes once more, in a message of its own.
func (m *model) deliver() {
	if len(m.messages) == 0 {
		return
	}
	i := m.random.IntN(len(m.messages))
	msg := m.messages[i]
	m.messages = slices.Delete(m.messages, i, i+1)
	if m.random.IntN(3) == 0 {
		m.send(msg.source, msg.delete)
	}
	m.handle(msg)
}

// handle does what the pipeline does with a message in one of the processes. A message that meets its own worker's lease waits
// for a sign of life or for the end of the lease: here it comes again as the same delivery.
func (m *model) handle(msg message) {
	if msg.expires.IsZero() {
		msg.delivery++
	}
	waits, worked := m.take(&msg)
	switch {
	case waits:
		m.messages = append(m.messages, msg)
	case !worked:
		m.done[msg.id] = true
	}
}

// take tells whether the message has to wait, and whether a worker has it now.
func (m *model) take(msg *message) (waits, worked bool) {
	ctx := context.Background()
	i := m.random.IntN(len(m.process))
	if msg.delete {
		_, err := m.process[i].MarkGone(ctx, msg.source)
		m.allow("MarkGone", err, fault.Stale)
		if err == nil {
			m.published, m.publishedETag = 0, ""
		}
		return false, false
	}
	j := job.Job{Source: msg.source, Message: msg.id, Attempt: msg.delivery}
	claim, r, err := m.process[i].Claim(ctx, j, ledger.ClaimOptions{Current: m.isCurrent(*msg)})
	m.allow("Claim", err, fault.Duplicate, fault.Stale, fault.Cancelled, fault.Gone)
	if err != nil {
		return m.waits(msg, j, r, err), false
	}
	w := &worker{claim: claim, message: *msg, process: m.owners[i], etag: msg.source.ETag}
	m.workers = append(m.workers, w)
	switch {
	case !m.exists: // the fetch finds nothing
		_, err = m.process[i].MarkGone(ctx, msg.source)
		m.allow("MarkGone", err, fault.Stale)
		m.published, m.publishedETag = 0, ""
		m.drop(w)
	case msg.source.ETag != m.source().ETag: // the fetch finds another version
		_, err = claim.Release(ctx, ledger.Superseded, fault.New(fault.Stale, "", nil), nil)
		m.allow("Release", err)
		m.drop(w)
	default:
		return false, true
	}
	return false, false
}

// waits is the rule of pipeline/claim.go.
func (m *model) waits(msg *message, j job.Job, r ledger.Record, err error) bool {
	if fault.KindOf(err) != fault.Duplicate || !r.Lease.Redelivered(j) || !msg.expires.IsZero() && r.Lease.Expires.After(msg.expires) {
		return false
	}
	if msg.expires.IsZero() {
		msg.expires = r.Lease.Expires
	}
	return true
}

// end is how a delivery ends well: its message does not come again.
func (m *model) end(w *worker) {
	m.done[w.message.id] = true
	m.drop(w)
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
		w.stage = 1 // when it is lost, the worker goes below
	case 1:
		m.publish(w)
		return
	case 2:
		m.finish(w, lost)
		return
	}
	if err != nil {
		m.lose(w, err)
	}
}

// lose ends a worker that found its claim lost: lease_lost makes the message come again, the others end it.
func (m *model) lose(w *worker, err error) {
	if fault.Retryable(err) {
		m.comeBack(w.message)
		m.drop(w)
		return
	}
	m.end(w)
}

// publish does what a sink does: nothing when the lease is nearly over, or a newer generation is there.
func (m *model) publish(w *worker) {
	generation := w.claim.Record().Generation
	if w.claim.Expired(5*time.Second) || generation < m.published {
		m.lose(w, fault.New(fault.LeaseLost, "", nil))
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
		m.end(w)
		return
	}
	m.lose(w, err)
}

// fault ends a worker with a permanent fault.
func (m *model) breakDown() {
	if w := m.pick(0); w != nil {
		_, err := w.claim.Finish(context.Background(), ledger.Conclusion{State: ledger.Failed, Err: fault.New(fault.Corrupt, "", nil)})
		m.allow("Finish", err, fault.LeaseLost, fault.Cancelled, fault.Gone)
		if err != nil {
			m.lose(w, err)
			return
		}
		m.end(w)
	}
}

func (m *model) interrupt() {
	if w := m.pick(0); w != nil {
		_, err := w.claim.Release(context.Background(), ledger.Interrupted, fault.New(fault.Interrupted, "", nil), nil)
		m.allow("Release", err, fault.LeaseLost, fault.Cancelled, fault.Gone)
		if err != nil {
			m.lose(w, err)
			return
		}
		m.comeBack(w.message)
		m.drop(w)
	}
}

// die forgets a worker; the host brings its message back.
func (m *model) die() {
	if len(m.workers) > 0 {
		w := m.workers[m.random.IntN(len(m.workers))]
		m.comeBack(w.message)
		m.drop(w)
	}
}

// crash kills a process with all its workers; a new one takes its place. Whether others see that it is dead is a matter of luck:
// they do on the same machine.
func (m *model) crash() {
	i := m.random.IntN(len(m.process))
	m.dead[m.owners[i]] = m.random.IntN(2) == 0
	for _, w := range slices.Clone(m.workers) {
		if w.process == m.owners[i] {
			m.comeBack(w.message)
			m.drop(w)
		}
	}
	m.start(i)
}

// reappear makes a message visible while its worker lives, as when the host could not renew it.
func (m *model) reappear() {
	if len(m.workers) > 0 {
		m.comeBack(m.workers[m.random.IntN(len(m.workers))].message)
	}
}

func (m *model) pick(stage int) *worker {
	for _, w := range m.workers {
		if w.stage == stage {
			return w
		}
	}
	return nil
}

// discard is a person who wants nothing kept of the document, whether its file is there or not.
func (m *model) discard() {
	_, err := m.anyone().Remove(context.Background(), file.ID())
	m.allow("Remove", err, fault.NotFound)
	if err == nil {
		m.published, m.publishedETag = 0, ""
	}
}

func (m *model) cancel() {
	r, err := m.anyone().Cancel(context.Background(), file.ID(), "")
	m.allow("Cancel", err, fault.Conflict, fault.NotFound)
	if err == nil {
		m.cancelled[r.Generation] = true
	}
}

func (m *model) retry() {
	r, err := m.anyone().Retry(context.Background(), file.ID(), job.Limits{})
	m.allow("Retry", err, fault.Conflict, fault.NotFound)
	if err == nil {
		delete(m.cancelled, r.Generation)
		m.send(r.Source, false)
	}
}

func (m *model) poison() {
	if len(m.messages) == 0 {
		return
	}
	msg := m.messages[m.random.IntN(len(m.messages))]
	if !msg.delete {
		_, err := m.anyone().Poison(context.Background(), job.Job{Source: msg.source}, fault.New(fault.Internal, "", nil))
		m.allow("Poison", err)
	}
}

func (m *model) wait() { m.now = m.now.Add(time.Duration(m.random.IntN(50)) * time.Second) }

// sweep does for the one file what the sweeper does: a message for what nobody works on.
func (m *model) sweep() {
	r, err := m.store.Load(context.Background(), file.ID())
	stuck := err == nil && !r.State.Terminal() && !m.anyone().Held(&r)
	missing := m.exists && (fault.KindOf(err) == fault.NotFound || err == nil && r.Source.ETag != m.source().ETag)
	switch {
	case m.exists && (stuck || missing):
		m.send(m.source(), false)
	case stuck:
		m.send(r.Source, false)
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
	case before.Removed && r.State != ledger.Gone && r.Source.ETag == before.Source.ETag:
		m.fail("version %s was removed by a person, and is %s again", r.Source.ETag, r.State)
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

// settle lets everything come to rest: nobody dies any more, messages are delivered, time passes, the sweeper runs if there is one.
func (m *model) settle(sweeper bool) {
	for range 40 {
		m.now = m.now.Add(20 * time.Second)
		for len(m.workers) > 0 {
			m.advance()
		}
		if sweeper {
			m.sweep()
		}
		due := m.messages
		m.messages = nil
		for _, msg := range due {
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
	case m.exists && r.State == ledger.Gone && !r.Removed:
		m.fail("the file is there, the record says gone")
	case m.exists && r.Source.ETag != m.source().ETag:
		m.fail("the record is about version %s, the file is %s", r.Source.ETag, m.source().ETag)
	case m.exists && r.State.Readable() && m.publishedETag != m.source().ETag:
		m.fail("readers see version %q, the file is %s", m.publishedETag, m.source().ETag)
	case !m.exists && r.State != ledger.Gone && r.State != ledger.Cancelled && r.State != ledger.Poisoned && r.State != ledger.Failed:
		m.fail("the file is gone, the record says %s", r.State)
	}
}

// action is something that may happen.
type action struct {
	name   string
	weight int
	do     func()
}

// usual are the actions whose documents come back by their messages alone.
func (m *model) usual() []action {
	return []action{
		{"upload", 4, m.upload}, {"remove", 1, m.remove}, {"deliver", 12, m.deliver}, {"advance", 14, m.advance},
		{"break", 1, m.breakDown}, {"interrupt", 1, m.interrupt}, {"die", 2, m.die}, {"crash", 1, m.crash}, {"cancel", 2, m.cancel},
		{"retry", 2, m.retry}, {"wait", 4, m.wait},
	}
}

// run does random actions, and holds each against the invariants.
func (m *model) run(actions []action, steps int) {
	var bag []int
	for i, a := range actions {
		for range a.weight {
			bag = append(bag, i)
		}
	}
	var before ledger.Record
	for range steps {
		a := actions[bag[m.random.IntN(len(bag))]]
		m.log = append(m.log, a.name)
		a.do()
		before = m.check(before)
	}
}

// TestModel runs random interleavings: 300 histories of 60 steps, 18,000 in all.
func TestModel(t *testing.T) {
	for seed := range uint64(300) {
		m := newModel(t, seed)
		m.run(append(m.usual(), action{"reappear", 1, m.reappear}, action{"poison", 1, m.poison}, action{"discard", 1, m.discard}, action{"sweep", 1, m.sweep}), 60)
		m.settle(true)
	}
}

// TestModelWithoutSweeper: workers and processes die, and every document ends although no sweeper looks for it: the message
// of a dead worker does not leave because of the dead worker's lease.
func TestModelWithoutSweeper(t *testing.T) {
	for seed := range uint64(300) {
		m := newModel(t, seed)
		m.run(m.usual(), 60)
		m.settle(false)
	}
}
