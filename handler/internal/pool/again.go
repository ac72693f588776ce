package pool

import (
	"context"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// maxHostKills is how many tries may be killed from outside before the document itself is blamed for it:
// the system may have killed it because of a neighbour, twice.
const maxHostKills = 2

// again decides whether a document gets another try, and how.
//   - memory and crash (fault.Row.Escalates): one more, alone with the whole budget;
//   - killed from outside: up to two more, alone, as a neighbour may have used the machine up.
//
// Nothing is tried again when its context has ended or the pool drains.
func (p *Pool) again(ctx context.Context, q job.Request, o outcome, attempts []job.Attempt) (job.Request, bool) {
	kind := fault.KindOf(o.err)
	if o.err == nil || ctx.Err() != nil || p.drain.begun() {
		return q, false
	}
	byHost := o.usage.Death == child.DeathByHost && len(attempts) < maxHostKills
	escalates := fault.Lookup(kind).Escalates && !q.Alone
	if kind == fault.Memory && q.Job.Limits.Memory >= p.size.Budget {
		escalates = false // it had all there is
	}
	q.Alone = true
	return q, byHost || escalates
}

// attempt is the record of a try that is not the last.
func attempt(o outcome) job.Attempt {
	f := fault.From(o.err)
	return job.Attempt{
		Fault: string(f.Kind), Message: f.Message, Death: o.usage.Death, PeakMemory: o.usage.PeakMemory, Wall: o.usage.Wall,
		Exit: o.usage.Exit, Signal: o.usage.Signal, Last: o.usage.Last, Stderr: o.usage.Stderr, Alone: o.usage.Alone,
	}
}
