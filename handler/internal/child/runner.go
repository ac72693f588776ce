package child

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

var errClosed = errors.New("the runner is closed")

// Runner converts documents in child processes. It is safe for use by many goroutines; how many documents run at once
// is the caller's business (package pool). Close it when no conversion runs any more.
type Runner struct {
	options  Options
	settings json.RawMessage
	broken   error // why no child can be started
	temp     *tempDir
	works    *workDirs
	spawner  *spawner
	shelf    *shelf
	kept     *kept
	counts   counters
}

// New makes a Runner. A mistake in the options is reported by Convert.
func New(options Options) *Runner {
	r := &Runner{options: options.withDefaults(), spawner: newSpawner()}
	if r.settings, r.broken = options.settings(); r.broken == nil {
		r.temp, r.broken = newTempDir(r.options.TempDir)
	}
	r.works = &workDirs{base: r.TempDir()}
	r.shelf, r.kept = newShelf(r), &kept{keep: r.options.Keep}
	closeOnExec()
	return r
}

// Close ends the spares and removes the temporary directory. Call it when no conversion runs any more.
func (r *Runner) Close() {
	r.shelf.close()
	r.kept.close()
	r.spawner.close()
	r.temp.close()
}

// TempDir is the runner's directory for temporary files, locked as long as its process lives. What is left in it by a process
// that was killed is removed by the next runner. Empty when it could not be made.
func (r *Runner) TempDir() string {
	if r.temp == nil {
		return ""
	}
	return r.temp.path
}

// counters are what a Runner has done, in processes and documents.
type counters struct {
	started, warm, deferred, redispatched atomic.Int64
}

// Stats says what a Runner has done since it was made.
type Stats struct {
	Started      int64 `json:"started"`      // processes, spares included
	FromSpare    int64 `json:"fromSpare"`    // processes that were warm when their first document came
	Deferred     int64 `json:"deferred"`     // documents that a child over its mark left to the next one
	Redispatched int64 `json:"redispatched"` // documents given to a fresh child because theirs died before it began with them
	Spares       int   `json:"spares"`       // warm children that wait now
}

// Stats gives the numbers of this moment.
func (r *Runner) Stats() Stats {
	return Stats{
		Started: r.counts.started.Load(), FromSpare: r.counts.warm.Load(), Deferred: r.counts.deferred.Load(),
		Redispatched: r.counts.redispatched.Load(), Spares: r.Spares(),
	}
}

// Convert converts one document in one child of its own. The error is nil or a *fault.Error; after an error the output
// directory is empty. A context that ends with a cause (context.WithCancelCause) ends the conversion with that cause:
// its group is killed at once.
func (r *Runner) Convert(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
	var (
		result job.Result
		usage  job.Usage
		failed error
	)
	r.ConvertBatch([]Item{{Context: ctx, Request: q}}, func(_ int, res job.Result, u job.Usage, err error) {
		result, usage, failed = res, u, err
	})
	return result, usage, failed
}

// prepare fills in the limits, makes the paths absolute (the child has another working directory) and refuses what cannot be done.
func (r *Runner) prepare(ctx context.Context, q job.Request) (job.Request, *fault.Error) {
	q.Job.Limits = q.Job.Limits.For(sizeOf(q.Input))
	if err := context.Cause(ctx); err != nil {
		return q, fault.From(err)
	}
	if r.broken != nil {
		return q, fault.New(fault.Internal, "", r.broken)
	}
	if f := checkLimits(q.Job.Limits); f != nil {
		return q, f
	}
	var err error
	if q.Input, err = filepath.Abs(q.Input); err == nil {
		q.OutDir, err = filepath.Abs(q.OutDir)
	}
	if err != nil {
		return q, fault.New(fault.Internal, "", err)
	}
	return q, checkInput(q)
}

// sizeOf is a file's size in bytes, 0 when it cannot be told.
func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

func checkInput(q job.Request) *fault.Error {
	info, err := os.Stat(q.Input)
	switch {
	case errors.Is(err, os.ErrPermission):
		return fault.New(fault.Denied, "", err)
	case err != nil:
		return fault.New(fault.NotFound, "", err)
	case !info.Mode().IsRegular():
		return fault.New(fault.BadRequest, "Only regular files can be converted.", nil)
	case info.Size() > q.Job.Limits.Input:
		return fault.Newf(fault.TooLarge, "The file has %d bytes, more than the limit of %d. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT).",
			info.Size(), q.Job.Limits.Input)
	}
	return nil
}

// settle turns a finished watch into what the caller gets.
func (w *watch) settle(started time.Time) (job.Result, job.Usage, error) {
	e := w.ending
	row, failure := classify(e)
	usage := w.usage(row.death, time.Since(started))
	var result job.Result
	if failure == nil {
		result = *e.answer.Result
		if failure = checkResult(w.request, result); failure != nil {
			usage.Death = DeathCrash
			if failure.Kind == fault.LimitOutput {
				usage.Death = DeathOutputLimit
			}
		}
	}
	if failure == nil {
		return result, usage, nil
	}
	emptyDir(w.request.OutDir)
	w.p.options.Log.Debug("child ended", "job", w.request.Job.ID, "row", row.name, "pid", w.p.pid, "err", failure)
	return job.Result{}, usage, failure
}

func (w *watch) usage(death string, wall time.Duration) job.Usage {
	e := w.ending
	u := job.Usage{
		PeakMemory: e.peak, CPU: e.cpu, Wall: wall, Exit: e.exit, Signal: e.signal, Last: w.last, Stderr: w.p.stderr.String(),
		Locks: append(append([]string(nil), parentLocks...), w.p.locks...), Spare: w.p.spare && w.p.served == 0, Cold: w.p.cold, Death: death,
	}
	u.CPU = max(0, u.CPU-w.p.spent)
	return u
}

// emptyDir removes everything in a directory, so that no partial result is ever seen.
func emptyDir(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		removeAll(filepath.Join(dir, entry.Name()))
	}
}
