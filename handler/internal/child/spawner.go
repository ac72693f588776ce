package child

import (
	"os/exec"
	"runtime"
	"sync"
)

// spawner starts every child from one operating system thread. PR_SET_PDEATHSIG fires when the *thread* that forked ends,
// not when the process does (prctl(2)), and Go ends a thread when a goroutine that locked it returns: children started
// from any goroutine could die with a stranger's thread.
type spawner struct {
	work chan func()
	done chan struct{}
	stop sync.Once
}

func newSpawner() *spawner {
	s := &spawner{work: make(chan func()), done: make(chan struct{})}
	go s.run()
	return s
}

func (s *spawner) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread() // a thread given back lives on
	for {
		select {
		case f := <-s.work:
			f()
		case <-s.done:
			return
		}
	}
}

func (s *spawner) start(cmd *exec.Cmd) error {
	result := make(chan error, 1)
	select {
	case s.work <- func() { result <- cmd.Start() }:
		return <-result
	case <-s.done:
		return errClosed
	}
}

func (s *spawner) close() { s.stop.Do(func() { close(s.done) }) }
