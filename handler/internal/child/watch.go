package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"decant/handler/internal/job"
)

// diskEvery is how many looks at memory go by between two looks at the disk.
const diskEvery = 4

// watch follows one document in one process, in one goroutine, until it is answered, killed or dead.
type watch struct {
	p       *process
	seq     int
	request job.Request
	limits  job.Limits

	startedMark bool // the child has said that it has begun with this document
	last        job.Progress
	lastSign    time.Time
	bytes       int // of frames
	looks       int
	ending      ending
}

func newWatch(p *process, seq int, q job.Request) *watch {
	return &watch{p: p, seq: seq, request: q, limits: q.Job.Limits, lastSign: time.Now(), ending: ending{exit: -1, cap: p.memory}}
}

// follow returns when the document is over. After an answer the process may still run.
func (w *watch) follow(ctx context.Context) {
	tick := time.NewTicker(w.p.options.Poll)
	defer tick.Stop()
	deadline := time.NewTimer(w.limits.Timeout)
	defer deadline.Stop()
	exited := w.p.exited
	var late <-chan time.Time // runs when the process has ended, but something else still holds descriptor 3 open
	for {
		select {
		case <-exited:
			exited, late = nil, time.After(w.p.options.Poll)
		case <-late:
			w.silentEnd()
			return
		case <-ctx.Done():
			w.ending.cause = context.Cause(ctx)
			w.kill(killContext, "")
			return
		case <-deadline.C:
			w.kill(killDeadline, "after "+w.limits.Timeout.String())
			return
		case <-w.p.chatter.spent:
			w.kill(killChatter, fmt.Sprintf("more than %d bytes", w.p.options.Chatter))
			return
		case now := <-tick.C:
			if why, detail := w.look(now); why != "" {
				w.kill(why, detail)
				return
			}
		case in, open := <-w.p.reports:
			if !open {
				w.silentEnd()
				return
			}
			if w.hear(in) {
				return
			}
		}
	}
}

// hear takes a frame and tells whether the document is over.
func (w *watch) hear(in incoming) bool {
	w.bytes += in.size
	r := in.report
	switch {
	case errors.Is(in.err, io.ErrUnexpectedEOF):
		w.silentEnd() // it died while it wrote
		return true
	case in.err != nil:
		w.kill(killProtocol, in.err.Error())
		return true
	case w.bytes > maxAnswer:
		w.kill(killProtocol, "more frames than a document may send")
		return true
	case r.Ready != nil:
		w.p.welcome(r.Ready)
	case r.Started != nil && r.Started.Seq == lockedIn && !w.startedMark:
		w.p.locks = r.Started.Locks
	case r.Started != nil && r.Started.Seq == w.seq:
		w.startedMark = true
		w.p.locks = r.Started.Locks
		w.lastSign = time.Now()
		w.weigh() // so that a document that dies at once has a size
	case r.Progress != nil && w.startedMark:
		w.progress(*r.Progress)
	case r.Answer != nil && r.Answer.Again && w.p.options.Foreign:
		w.startedMark = false
		w.kill(killProtocol, "its program had ended before")
		return true
	case r.Answer != nil && r.Answer.Seq == w.seq && w.startedMark && (r.Answer.Result == nil) != (r.Answer.Fault == nil):
		w.ending.answer = r.Answer
		w.p.locks = append(slices.Clone(w.p.locks), r.Answer.Locks...)
		return true
	default:
		w.kill(killProtocol, "a frame that was not due")
		return true
	}
	return false
}

func (w *watch) progress(p job.Progress) {
	p.Stage = shorten(p.Stage, 64)
	w.last, w.lastSign = p, time.Now()
	if w.request.Progress != nil {
		w.request.Progress(p)
	}
}

// look measures the process and says why it must go, or "".
func (w *watch) look(now time.Time) (reason, string) {
	if now.Sub(w.lastSign) > w.limits.NoProgress {
		return killNoProgress, fmt.Sprintf("silent for %s after %s %d", w.limits.NoProgress, w.last.Stage, w.last.Page)
	}
	if now := w.weigh(); now > w.p.memory {
		return killMemory, fmt.Sprintf("%d MiB resident", now/job.MiB)
	}
	w.looks++
	if w.looks%diskEvery != 0 {
		return "", ""
	}
	return w.lookAtDisk()
}

// weigh gives the resident set of the group, in bytes, and remembers the most; 0 when it cannot be read.
// A child that has not begun with a document runs our code only, which starts no processes: nobody has to be looked for.
func (w *watch) weigh() int64 {
	use, ok := measure(w.p.pid, w.p.cannotFork() || !w.startedMark && w.p.served == 0 && !w.p.options.Foreign)
	if !ok {
		return 0
	}
	w.p.peak.Store(max(w.p.peak.Load(), use.peak))
	return use.now
}

// overMark tells whether a foreign child's programs are too large for another document. Our own children judge themselves,
// as they can tell garbage from memory in use.
func (w *watch) overMark() bool { return w.p.options.Foreign && w.weigh() > w.p.recycleMark() }

func (w *watch) lookAtDisk() (reason, string) {
	if sum, over := diskUse(w.request.OutDir, w.limits.Output); over {
		return killOutput, fmt.Sprintf("%d bytes of results", sum)
	}
	sum, over := diskUse(w.p.work, w.limits.Disk)
	if !over {
		sum += unlinkedUse(w.p.pid)
	}
	if sum > w.limits.Disk || over {
		return killDisk, fmt.Sprintf("%d bytes of temporary files", sum)
	}
	return "", ""
}

func (p *process) cannotFork() bool { return slices.Contains(p.locks, lockSeccomp) }

// kill ends the group, waits for it, and records how it went.
func (w *watch) kill(why reason, detail string) {
	if !w.p.alive() && why != killContext {
		why = "" // it died by itself just before
	}
	w.ending.killed, w.ending.detail = why, detail
	w.p.kill()
	<-w.p.exited
	w.readState()
}

// silentEnd is for a child that closed descriptor 3 without an answer: it is dying, or it is told to.
func (w *watch) silentEnd() {
	timer := time.NewTimer(w.p.options.Linger)
	defer timer.Stop()
	select {
	case <-w.p.exited:
		w.readState()
	case <-timer.C:
		w.kill(killProtocol, "it closed its answers and went on")
	}
}

// finish waits for an answered process to exit, and notes what it says meanwhile, as nothing is due any more.
func (w *watch) finish() {
	w.p.stdin.Close()
	timer := time.NewTimer(w.p.options.Linger)
	defer timer.Stop()
	for open := true; open; {
		select {
		case _, open = <-w.p.reports:
			if open {
				w.kill(killProtocol, "")
				w.ending.answer, w.ending.killed, w.ending.detail = nil, killProtocol, "a second answer"
				return
			}
		case <-timer.C:
			w.p.kill()
			open = false
		}
	}
	select {
	case <-w.p.exited:
	case <-timer.C:
		w.p.kill()
		<-w.p.exited
	}
	w.readState()
}

// readState fills in what the kernel knows about a process that has ended.
func (w *watch) readState() {
	e, state := &w.ending, w.p.state
	e.exit, e.signal = exitAndSignal(state)
	e.stderr = w.p.stderr.Head()
	e.peak = w.p.peakMemory()
	if e.answer != nil {
		e.peak = max(e.peak, e.answer.Peak)
	}
	e.cpu, e.maxCPU = state.UserTime()+state.SystemTime(), w.p.maxCPU
}
