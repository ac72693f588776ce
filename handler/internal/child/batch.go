package child

import (
	"context"
	"fmt"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// maxRedispatch is how often a document that was never begun may lose its child before it counts as failed.
const maxRedispatch = 3

// Item is one document of a batch, with its own context.
type Item struct {
	Context context.Context
	Request job.Request
}

// Done takes the outcome of the item with index i; the error is nil or a *fault.Error.
type Done func(i int, result job.Result, usage job.Usage, err error)

// task is an item on its way through one or more children.
type task struct {
	index int
	Item
	lost int // children that died before they began with it
}

// ConvertBatch converts documents one after the other, up to Options.DocumentsPerProcess in each child, and calls done once for
// each, in the order in which they end. A child that is over its mark after a document hands the rest back, and a fresh one
// takes it. A child that dies costs only the document that it had begun with: the rest is dispatched again, not retried.
func (r *Runner) ConvertBatch(items []Item, done Done) {
	var pending []*task
	for i, item := range items {
		q, refused := r.prepare(item.Context, item.Request)
		if refused != nil {
			done(i, job.Result{}, job.Usage{Death: DeathRefused}, refused)
			continue
		}
		pending = append(pending, &task{index: i, Item: Item{item.Context, q}})
	}
	for len(pending) > 0 {
		n := r.together(pending)
		rest := r.serve(pending[:n], done)
		pending = append(rest, pending[n:]...)
	}
}

// together is how many of the tasks, from the first, one child may take: they must have the same cap.
func (r *Runner) together(tasks []*task) int {
	n := 1
	for n < len(tasks) && n < r.options.DocumentsPerProcess && tasks[n].Request.Job.Limits.Memory == tasks[0].Request.Job.Limits.Memory {
		n++
	}
	return n
}

// serve runs tasks in one child and gives back those that must go to another one.
func (r *Runner) serve(tasks []*task, done Done) []*task {
	started := time.Now()
	p, err := r.take(tasks[0].Request.Job.Limits.Memory)
	if err != nil {
		done(tasks[0].index, job.Result{}, job.Usage{Wall: time.Since(started)}, startFault(err))
		return tasks[1:]
	}
	n := min(len(tasks), r.options.DocumentsPerProcess-p.served)
	left, ready := r.serveIn(p, tasks[:n], started, done)
	if !ready || !r.kept.put(p) {
		p.close()
	}
	return append(left, tasks[n:]...)
}

// serveIn runs tasks in the child, and gives back those that must go to another one, and whether the child could do more.
func (r *Runner) serveIn(p *process, tasks []*task, started time.Time, done Done) (left []*task, ready bool) {
	requests := make([]job.Request, len(tasks))
	for i, t := range tasks {
		requests[i] = t.Request
	}
	_ = p.begin(requests) // a child that does not listen is dead or dying: the watch sees how
	for i, t := range tasks {
		if err := context.Cause(t.Context); err != nil {
			done(t.index, job.Result{}, job.Usage{}, fault.From(err))
			continue
		}
		if i > 0 {
			started = time.Now()
		}
		last := i == len(tasks)-1 && !(r.options.Keep > 0 && p.served+1 < r.options.DocumentsPerProcess)
		switch r.document(p, p.served+1, t, last, started, done) {
		case childGone:
			return tasks[i+1:], false
		case childRetired:
			r.counts.deferred.Add(int64(len(tasks) - i - 1))
			return tasks[i+1:], false
		case neverBegun:
			r.counts.redispatched.Add(1)
			return tasks[i:], false
		}
	}
	return nil, true
}

// what is left of a child after a document
type aftermath int

const (
	childReady   aftermath = iota
	childGone              // it died with the document
	childRetired           // it is over its mark, or was the last one's
	neverBegun             // it died before it began with the document, which is not to blame
)

// document runs one task in the child.
func (r *Runner) document(p *process, seq int, t *task, last bool, started time.Time, done Done) aftermath {
	w := newWatch(p, seq, t.Request)
	_ = p.send(order{Job: &jobOrder{Seq: seq, Request: t.Request, Password: string(t.Request.Job.Options.Password), Last: last}})
	w.follow(t.Context)
	if w.innocent() && t.lost < maxRedispatch {
		t.lost++
		return neverBegun
	}
	answered := w.ending.answer
	retire := answered != nil && (last || answered.Retire || w.overMark())
	if retire {
		w.finish()
	} else if answered != nil {
		w.ending.exit, w.ending.cpu, w.ending.peak = exitOK, answered.CPU, max(answered.Peak, p.peak.Swap(0))
	}
	result, usage, err := w.settle(started)
	p.served++
	if answered != nil {
		p.spent = answered.CPU
	}
	done(t.index, result, usage, err)
	switch {
	case answered == nil || w.ending.answer == nil:
		return childGone
	case retire:
		return childRetired
	}
	return childReady
}

// innocent is true when an earlier document's child died by itself before it began with this one.
// The first document of a child is not: whatever kills the child at its start has to be reported.
func (w *watch) innocent() bool {
	return w.ending.answer == nil && !w.startedMark && (w.ending.killed == "" || w.ending.killed == killProtocol) && w.p.served > 0
}

func startFault(err error) *fault.Error {
	return fault.New(fault.Internal, "", fmt.Errorf("start a child: %w", err))
}
