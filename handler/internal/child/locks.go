package child

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"decant/handler/internal/job"
)

// Names of the locks that a child takes, as Usage.Locks and LockReport show them.
const (
	lockData     = "rlimit-data"
	lockCPU      = "rlimit-cpu"
	lockFileSize = "rlimit-fsize"
	lockFiles    = "rlimit-nofile"
	lockCore     = "no-core"
	lockOOM      = "oom-score"
	lockSeccomp  = "seccomp"
	lockFS       = "landlock-fs"
	lockTCP      = "landlock-tcp"
	lockSignals  = "landlock-signals"

	lockForeign = "seccomp-foreign" // the filter of children that start programs which are not ours
)

// allLocks are those that a Linux kernel of version 6.12 or later gives.
var allLocks = []string{lockData, lockCPU, lockFileSize, lockFiles, lockCore, lockOOM, lockSeccomp, lockFS, lockTCP, lockSignals}

// LockReport says which locks hold on this machine, for /api/health and the start-up log.
type LockReport struct {
	Sandbox Sandbox  `json:"sandbox"`
	Held    []string `json:"held"`
	Missing []string `json:"missing,omitempty"`
	Error   string   `json:"error,omitempty"` // why no child could be asked
}

// Locks starts a child without a document, lets it lock itself in, and says what held. It takes a few milliseconds.
func (r *Runner) Locks(ctx context.Context) LockReport {
	report := LockReport{Sandbox: r.options.Sandbox}
	held, err := r.probe(ctx)
	if err != nil {
		report.Error = err.Error()
	}
	report.Held = append(append([]string(nil), parentLocks...), held...)
	for _, lock := range allLocks {
		if !slices.Contains(held, lock) {
			report.Missing = append(report.Missing, lock)
		}
	}
	return report
}

func (r *Runner) probe(ctx context.Context) ([]string, error) {
	if r.broken != nil {
		return nil, r.broken
	}
	p, err := r.start(r.options.Memory, false)
	if err != nil {
		return nil, err
	}
	var once sync.Once
	stop := context.AfterFunc(ctx, func() { once.Do(p.kill) })
	defer stop()
	defer p.close()
	if err := p.awaitReady(5 * time.Second); err != nil {
		return nil, err
	}
	if err := p.send(order{Begin: &begin{CPU: time.Hour, Output: job.GiB}}); err != nil {
		return nil, err
	}
	select {
	case in := <-p.reports:
		if in.report.Started == nil {
			return nil, fmt.Errorf("ask for locks: %s", shorten(p.stderr.Head(), 500))
		}
		return in.report.Started.Locks, nil
	case <-time.After(5 * time.Second):
		return nil, fmt.Errorf("ask for locks: no answer in five seconds")
	}
}
