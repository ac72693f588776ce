package pool

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Pool shares a machine out among documents. It is safe for use by many goroutines. Close or Drain it at the end.
type Pool struct {
	options   Options
	size      Sizing
	converter Converter
	gate      *gate
	transfers chan struct{}
	stats     *statistics
	drain     drain
	stop      chan struct{}
	stopped   sync.Once
	adapting  sync.WaitGroup
}

// New makes a pool in front of a converter, and starts to adapt its spares if it has any.
func New(o Options, converter Converter) *Pool {
	o = o.withDefaults()
	p := &Pool{options: o, size: Size(o, o.Machine), converter: converter, stop: make(chan struct{})}
	p.stats = newStatistics(p.size.Slots, time.Now)
	p.gate = newGate(p.size, p.stats.busy.set)
	p.transfers = make(chan struct{}, p.size.Transfers)
	p.drain.init()
	p.stats.registry.MustRegister(gauges{p})
	if sparer, ok := converter.(Sparer); ok && p.size.SparesMax > 0 {
		p.adapting.Go(func() { p.adapt(sparer) })
	}
	return p
}

// Sizing is how the machine is shared out.
func (p *Pool) Sizing() Sizing { return p.size }

// Busy tells whether a document would be refused now.
func (p *Pool) Busy() bool { return p.gate.full() }

// Registry has the pool's metrics, for a Prometheus handler.
func (p *Pool) Registry() *prometheus.Registry { return p.stats.registry }

// Convert converts one document when its turn comes, and gives the final answer: a document that died of memory, of a crash, or
// because something outside killed it, has been tried again by then (Usage.Attempts). The error is nil or a *fault.Error:
// Busy when too many wait, Interrupted when the pool drains, and what the converter gives otherwise.
func (p *Pool) Convert(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
	ctx, done, err := p.drain.enter(ctx)
	if err != nil {
		return job.Result{}, job.Usage{}, err
	}
	defer done()
	q.Job.Limits = q.Job.Limits.For(q.Job.Source.Size)
	var attempts []job.Attempt
	for {
		o := p.try(ctx, q, len(attempts) > 0)
		if o.usage.Death != "" {
			p.stats.death(o.usage)
		}
		next, more := p.again(ctx, q, o, attempts)
		if !more {
			o.err = p.verdict(ctx, o, attempts)
			o.usage.Attempts = attempts
			p.stats.finish(formatOf(q, o.result), o)
			return o.result, o.usage, o.err
		}
		attempts = append(attempts, attempt(o))
		p.stats.retries.Inc()
		p.options.Log.Info("document is tried again alone", "job", q.Job.ID, "death", o.usage.Death, "err", o.err)
		q = next
	}
}

// try is one try: it waits for its turn and runs.
func (p *Pool) try(ctx context.Context, q job.Request, again bool) outcome {
	t := &ticket{item: child.Item{Context: ctx, Request: q}, bytes: inputSize(q), memory: q.Job.Limits.Memory, alone: q.Alone, first: again}
	if t.alone {
		t.memory = max(t.memory, p.size.Budget)
		t.item.Request.Job.Limits.Memory = t.memory
	}
	lined := time.Now()
	err := p.gate.enter(ctx, t, p.options.MaxWait)
	waited := time.Since(lined)
	if err != nil {
		return outcome{usage: job.Usage{Wait: waited}, err: err}
	}
	var o outcome
	if t.outcome != nil {
		o = <-t.outcome
	} else {
		o = p.run(t)
	}
	o.usage.Wait, o.usage.Alone = waited, q.Alone
	return o
}

// run converts an admitted ticket, and those that may share its process when there are any.
func (p *Pool) run(t *ticket) outcome {
	batcher, ok := p.converter.(BatchConverter)
	if ok && p.options.DocumentsPerProcess > 1 {
		if carried := p.gate.companions(t, p.options.DocumentsPerProcess-1); len(carried) > 0 {
			return p.runTogether(batcher, t, carried)
		}
	}
	defer p.gate.leave(t)
	var o outcome
	o.result, o.usage, o.err = p.converter.Convert(t.item.Context, t.item.Request)
	return o
}

// runTogether holds the ticket's slot until all are done, but returns as soon as its own document is.
func (p *Pool) runTogether(batcher BatchConverter, t *ticket, carried []*ticket) outcome {
	own := make(chan outcome, 1)
	sinks := []chan outcome{own}
	items := []child.Item{t.item}
	for _, c := range carried {
		items, sinks = append(items, c.item), append(sinks, c.outcome)
	}
	p.drain.running.Go(func() {
		defer p.gate.leave(t)
		batcher.ConvertBatch(items, func(i int, r job.Result, u job.Usage, err error) { sinks[i] <- outcome{r, u, err} })
	})
	return <-own
}

// inputSize is how many bytes the document counts for; 0 when it cannot be seen, which the converter will report.
func inputSize(q job.Request) int64 {
	if info, err := os.Stat(q.Input); err == nil {
		return info.Size()
	}
	return 0
}

// verdict is the error of the last try, in better words where the tries before say more.
func (p *Pool) verdict(ctx context.Context, o outcome, attempts []job.Attempt) error {
	if o.err != nil && o.usage.Death == child.DeathByHost && len(attempts) >= maxHostKills && ctx.Err() == nil {
		return fault.New(fault.Crash, "The conversion was killed by the system each time that it was tried, even alone. Report the file.", o.err)
	}
	return o.err
}
