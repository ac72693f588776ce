package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Program is what a child does.
type Program struct {
	// Convert does one document. It runs inside the limits and the sandbox, and may fail in any way.
	Convert func(context.Context, job.Request) (job.Result, error)
	// Configure takes Options.Settings before the first document. May be nil.
	Configure func(settings json.RawMessage) error
	// Foreign, for a Program that starts programs, says after each document how they are. May be nil.
	Foreign func() ForeignState
	// Warm is called in a spare, after Configure and before it is known which document comes: it loads what is slow to load.
	// May be nil.
	Warm func() error
}

// ForeignState is how the programs of a foreign child are after a document.
type ForeignState struct {
	Locks []string      // that hold for them
	CPU   time.Duration // processor time that they have used since the child began
	Done  bool          // they cannot take another document
}

// ErrUsedUp is what Program.Convert of a foreign child answers when its program had gone wrong before it was given the document:
// the document is not to blame, and a fresh child gets it. It must not be the answer to the first document of a child.
var ErrUsedUp = errors.New("the program was used up before this document")

// Main is the child: it must be called before anything else is read or started, and its result is the exit code.
// It speaks with a Runner through standard input and descriptor 3.
func Main(program Program) int {
	s := &server{program: program, in: os.NewFile(0, "orders"), out: os.NewFile(3, "answers"), meter: openMeter()}
	code, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
	}
	return code
}

// server is the child's side of the conversation.
type server struct {
	program Program
	in, out *os.File
	meter   *ownMeter
	setup   setup
	locks   []string
	busy    atomic.Bool
	writing sync.Mutex
	refused bool
}

func (s *server) run() (int, error) {
	var first order
	if _, err := readFrame(s.in, &first); err != nil || first.Setup == nil {
		if errors.Is(err, io.EOF) {
			return exitOrphaned, nil
		}
		return exitProtocol, fmt.Errorf("read setup: %w", err)
	}
	s.setup = *first.Setup
	if code, err := s.enter(); err != nil {
		return code, err
	}
	orders := make(chan order)
	go s.lifeline(orders)
	for o := range orders {
		if code, err := s.obey(o); err != nil {
			return code, err
		}
		s.busy.Store(false)
	}
	if s.refused {
		return exitRefused, nil
	}
	return exitOK, nil
}

// enter takes the limits and the filter that need no paths, and warms up.
func (s *server) enter() (int, error) {
	files := uint64(maxFiles)
	if s.setup.Foreign {
		guard()
		files = maxForeignFiles
	}
	s.locks = setLimits(s.setup.Memory, files)
	if err := os.Setenv("TMPDIR", s.setup.Temp); err != nil {
		return exitProtocol, err
	}
	if s.setup.Sandbox != SandboxOff {
		locks, err := denySyscalls(s.setup.Foreign)
		s.locks = append(s.locks, locks...)
		if err != nil && s.setup.Sandbox == SandboxRequire {
			return exitSandbox, fmt.Errorf("install the system call filter: %w", err)
		}
	}
	r := ready{Locks: s.locks}
	if err := s.prepare(); err != nil {
		r.Error = err.Error()
	}
	return exitProtocol, s.say(report{Ready: &r})
}

func (s *server) prepare() error {
	if s.program.Configure != nil && s.setup.Settings != nil {
		if err := s.program.Configure(s.setup.Settings); err != nil {
			return fmt.Errorf("configure: %w", err)
		}
	}
	if s.setup.Warm && s.program.Warm != nil {
		if err := s.program.Warm(); err != nil {
			return fmt.Errorf("warm up: %w", err)
		}
	}
	return nil
}

// lifeline reads orders until standard input ends. When it ends during work, the parent is gone, and so is the child.
func (s *server) lifeline(orders chan<- order) {
	defer close(orders)
	for {
		var o order
		if _, err := readFrame(s.in, &o); err != nil {
			if s.busy.Load() || !errors.Is(err, io.EOF) {
				s.leave()
			}
			return
		}
		s.busy.Store(true)
		orders <- o
	}
}

// leave ends the process at once, and with it the programs that it started.
func (s *server) leave() {
	if s.setup.Foreign {
		killOwnGroup()
	}
	os.Exit(exitOrphaned)
}

func (s *server) obey(o order) (int, error) {
	switch {
	case o.Begin != nil:
		return s.shut(*o.Begin)
	case o.Job != nil:
		return exitProtocol, s.convert(*o.Job)
	}
	return exitProtocol, errors.New("an order that says nothing")
}

// shut closes the sandbox around the paths of the documents to come.
func (s *server) shut(b begin) (int, error) {
	if s.setup.Foreign { // its programs are locked in one by one (cage.go)
		return exitProtocol, s.say(report{Started: &started{Seq: lockedIn, Locks: s.locks}})
	}
	s.locks = append(s.locks, setBudgets(b)...)
	if s.setup.Sandbox != SandboxOff {
		locks, err := shutPaths(append(b.Read, s.setup.ReadOnly...), append(b.Write, s.setup.Temp))
		s.locks = append(s.locks, locks...)
		if err != nil && s.setup.Sandbox == SandboxRequire {
			return exitSandbox, fmt.Errorf("restrict the file system: %w", err)
		}
	}
	return exitProtocol, s.say(report{Started: &started{Seq: lockedIn, Locks: s.locks}})
}

// convert does one document and answers.
func (s *server) convert(o jobOrder) error {
	s.meter.resetPeak()
	if err := s.say(report{Started: &started{Seq: o.Seq, Locks: s.locks}}); err != nil {
		return err
	}
	q := o.Request
	q.Job.Options.Password = job.Secret(o.Password)
	q.Progress = s.progress()
	useProcessors(q.Input)
	result, err := s.program.Convert(context.Background(), q)
	a := answer{Seq: o.Seq}
	switch {
	case errors.Is(err, ErrUsedUp):
		a.Again = true
	case err != nil:
		a.Fault = toWire(sizeFault(err))
	default:
		a.Result = &result
	}
	s.refused = err != nil
	a.Peak, a.CPU = s.meter.read().peak, ownCPU()
	a.Retire = !o.Last && s.overMark()
	if s.program.Foreign != nil {
		state := s.program.Foreign()
		a.Locks, a.CPU, a.Retire = state.Locks, a.CPU+state.CPU, a.Retire || state.Done
	}
	// The answer may free the parent to end standard input: that is no emergency any more.
	s.busy.Store(false)
	return s.say(report{Answer: &a})
}

// overMark tells whether the process is too large for another document, garbage not counted.
func (s *server) overMark() bool {
	if s.meter.read().now <= s.setup.Recycle {
		return false
	}
	debug.FreeOSMemory()
	return s.meter.read().now > s.setup.Recycle
}

// sizeFault names a write that RLIMIT_FSIZE refused.
func sizeFault(err error) error {
	var f *fault.Error
	if errors.Is(err, syscall.EFBIG) && (!errors.As(err, &f) || f.Kind == fault.Internal) {
		return fault.New(fault.LimitOutput, "", err)
	}
	return err
}

// progress passes signs of life on. Each new stage and page goes out at once, so that a death can be pinned to its page;
// repeated ones, and pages beyond the first thousand, at most a hundred times a second.
func (s *server) progress() func(job.Progress) {
	const atOnce, pause = 1000, 10 * time.Millisecond
	var last job.Progress
	var at time.Time
	sent := 0
	var pace pace
	return func(p job.Progress) {
		pace.keep()
		now := time.Now()
		if (p == last || sent > atOnce) && now.Sub(at) < pause {
			return
		}
		last, at = p, now
		sent++
		_ = s.say(report{Progress: &p}) // the answer will fail too, and says so
	}
}

func (s *server) say(r report) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := writeFrame(s.out, r); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
