package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"decant/handler/internal/job"
)

// process is one running child, seen from the parent. Whoever starts it must call close.
type process struct {
	options Options
	memory  int64 // bytes, its cap
	work    string
	works   *workDirs
	started time.Time

	cmd     *exec.Cmd
	stdin   *os.File
	stderr  *capture
	chatter *chatter
	reports chan incoming // closed when descriptor 3 ends
	exited  chan struct{} // closed after state is set
	state   *os.ProcessState
	stop    chan struct{} // closed by close: nobody reads reports any more

	pid    int
	peak   atomic.Int64 // bytes, of the whole group as polled
	floor  int64        // bytes, this process's own peak when the child was started (peakMemory)
	locks  []string
	cold   time.Duration
	served int
	spent  time.Duration // processor time of the documents before
	begun  bool
	maxCPU time.Duration
	spare  bool
	closed sync.Once
}

// incoming is a frame from the child, or why there will be no more.
type incoming struct {
	report report
	size   int
	err    error
}

// start runs a child and sends it its setup.
func (r *Runner) start(memory int64, warm bool) (*process, error) {
	o := r.options
	if r.broken != nil {
		return nil, r.broken
	}
	work, err := r.works.take()
	if err != nil {
		return nil, fmt.Errorf("make working directory: %w", err)
	}
	p := &process{
		options: o, memory: memory, work: work, works: r.works, started: time.Now(), spare: warm,
		chatter: newChatter(o.Chatter),
		reports: make(chan incoming, 16), exited: make(chan struct{}), stop: make(chan struct{}),
	}
	if err := p.launch(r.spawner); err != nil {
		os.RemoveAll(work)
		return nil, err
	}
	_ = p.send(order{Setup: &setup{ // a child that does not listen is dead or dying: who follows it sees how
		Memory: memory, Sandbox: o.Sandbox, ReadOnly: o.ReadOnly, Temp: work,
		Settings: r.settings, Warm: warm, Recycle: p.recycleMark(), Foreign: o.Foreign,
	}})
	return p, nil
}

func (p *process) recycleMark() int64 {
	if p.options.RecycleMark > 0 {
		return p.options.RecycleMark
	}
	if p.options.Foreign { // models and libraries that stay are most of it
		return p.memory / 4 * 3
	}
	return p.memory / 2
}

// launch makes the pipes, starts the program in its own group and begins to read what it says.
func (p *process) launch(s *spawner) (err error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	defer inRead.Close()
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		inWrite.Close()
		return fmt.Errorf("make pipe: %w", err)
	}
	defer outWrite.Close()

	p.stderr = &capture{keep: p.options.StderrTail, chatter: p.chatter}
	p.cmd = exec.Command(p.options.Command[0], p.options.Command[1:]...)
	p.cmd.Env = []string{}
	p.cmd.Dir = p.work
	p.cmd.Stdin = inRead
	p.cmd.Stdout = &capture{chatter: p.chatter}
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{outWrite}
	p.cmd.SysProcAttr = processAttributes(p.options.Foreign)
	p.cmd.WaitDelay = time.Second // a grandchild may hold the pipes open
	if own, ok := measure(os.Getpid(), true); ok {
		p.floor = own.peak
	}
	if err := s.start(p.cmd); err != nil {
		inWrite.Close()
		outRead.Close()
		return fmt.Errorf("start child: %w", err)
	}
	p.stdin, p.pid = inWrite, p.cmd.Process.Pid
	go p.read(outRead)
	go p.wait()
	return nil
}

// read turns descriptor 3 into reports until it ends or makes no sense.
func (p *process) read(from *os.File) {
	defer from.Close()
	defer close(p.reports)
	for {
		var in incoming
		in.size, in.err = readFrame(from, &in.report)
		if errors.Is(in.err, io.EOF) {
			return
		}
		select {
		case p.reports <- in:
		case <-p.stop:
			return
		}
		if in.err != nil {
			return
		}
	}
}

// wait collects the child exactly once; what is left of its group goes with it.
func (p *process) wait() {
	collect(p.cmd)
	p.state = p.cmd.ProcessState
	close(p.exited)
}

// send gives the child a frame. A child that does not read for ten seconds counts as gone.
func (p *process) send(o order) error {
	_ = p.stdin.SetWriteDeadline(time.Now().Add(10 * time.Second))
	return writeFrame(p.stdin, o)
}

// kill ends the whole group now.
func (p *process) kill() {
	select {
	case <-p.exited:
	default:
		killGroup(p.pid)
	}
}

// close ends the process if it still runs, waits for it, and gives its working directory back. It may be called again.
func (p *process) close() {
	p.closed.Do(func() {
		p.stdin.Close()
		p.kill()
		close(p.stop)
		<-p.exited
		p.works.giveBack(p.work, p.cannotFork() && !p.options.Foreign)
	})
}

// alive tells whether the process has not ended.
func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// begin closes the child's world around the paths of its documents. A child that was kept has begun before: it is a foreign one,
// which closes no paths.
func (p *process) begin(requests []job.Request) error {
	if p.begun {
		return nil
	}
	b := begin{}
	for _, q := range requests {
		limits := q.Job.Limits
		b.Read = append(b.Read, q.Input)
		if q.Made != "" {
			b.Read = append(b.Read, q.Made)
		}
		if filepath.IsAbs(q.Job.Options.Tokenizer) { // a tokenizer.json of the caller's
			b.Read = append(b.Read, q.Job.Options.Tokenizer)
		}
		b.Write = append(b.Write, q.OutDir)
		b.CPU += cpuAllowance(limits)
		b.Output = max(b.Output, limits.Output, limits.Disk)
	}
	p.begun, p.maxCPU = true, b.CPU
	return p.send(order{Begin: &b})
}

// cpuAllowance is the processor time that a document could use within its deadline on this machine, and a little more:
// RLIMIT_CPU is the net below the deadline, for the case that the parent is stopped.
func cpuAllowance(l job.Limits) time.Duration {
	return l.Timeout*time.Duration(cores()) + 5*time.Second
}

// removeAll removes a directory even if the child took the rights away from parts of it.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// peakMemory is the largest resident set of the group, in bytes, once the process has ended.
// The kernel's own maximum (ru_maxrss) counts from before exec, when the child still shared the parent's memory (vfork):
// it means something only well above the parent's size, of which the kernel keeps approximate counts.
func (p *process) peakMemory() int64 {
	peak := p.peak.Load()
	if usage, ok := p.state.SysUsage().(*syscall.Rusage); ok {
		if most := maxrss(usage); most > p.floor+max(16*job.MiB, p.floor/8) {
			peak = max(peak, most)
		}
	}
	return peak
}

// welcome notes what a child says of itself when it is ready.
func (p *process) welcome(r *ready) {
	p.locks, p.cold = r.Locks, time.Since(p.started)
}

func exitAndSignal(state *os.ProcessState) (int, string) {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -1, signalName(status.Signal())
	}
	return state.ExitCode(), ""
}
