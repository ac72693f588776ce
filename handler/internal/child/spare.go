package child

import (
	"fmt"
	"sync"
	"time"
)

// warmLimit is how long a spare may take to warm up before it is given up: loading the PDF engine takes 70 ms from a warm
// compile cache and about two seconds without one.
const warmLimit = 30 * time.Second

// shelf keeps warm children ready. One goroutine at a time fills it, in the background.
type shelf struct {
	r       *Runner
	mu      sync.Mutex
	ready   []*process
	want    int
	filling bool
	closed  bool
	idle    sync.WaitGroup
}

func newShelf(r *Runner) *shelf { return &shelf{r: r} }

// SetSpares says how many warm children are kept ready. Fewer than now gives the rest up at once, more are started in the background.
func (r *Runner) SetSpares(n int) { r.shelf.set(max(0, n)) }

// Spares is how many warm children wait now.
func (r *Runner) Spares() int {
	r.shelf.mu.Lock()
	defer r.shelf.mu.Unlock()
	return len(r.shelf.ready)
}

// take gives a warm child with the wanted cap, or starts a cold one.
func (r *Runner) take(memory int64) (*process, error) {
	if p := r.kept.take(memory); p != nil {
		return p, nil
	}
	if memory == r.options.Memory {
		if p := r.shelf.take(); p != nil {
			r.counts.warm.Add(1)
			return p, nil
		}
	}
	r.counts.started.Add(1)
	return r.start(memory, false)
}

func (s *shelf) take() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.fill()
	for len(s.ready) > 0 {
		p := s.ready[0]
		s.ready = s.ready[1:]
		if p.alive() {
			return p
		}
		p.close()
	}
	return nil
}

func (s *shelf) set(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.want = n
	for len(s.ready) > n {
		last := s.ready[len(s.ready)-1]
		s.ready = s.ready[:len(s.ready)-1]
		s.idle.Go(last.close)
	}
	s.fill()
}

// fill starts the filling goroutine if there is need for one. The lock is held.
func (s *shelf) fill() {
	if s.filling || s.closed || len(s.ready) >= s.want {
		return
	}
	s.filling = true
	s.idle.Go(s.fillUp)
}

func (s *shelf) fillUp() {
	for {
		p, err := s.r.warm()
		s.mu.Lock()
		unwanted := s.closed || len(s.ready) >= s.want
		if err == nil && !unwanted {
			s.ready = append(s.ready, p)
		}
		more := err == nil && !s.closed && len(s.ready) < s.want
		s.filling = more
		s.mu.Unlock()
		if err == nil && unwanted {
			p.close()
		}
		if err != nil {
			s.r.options.Log.Warn("no spare child", "err", err)
		}
		if !more {
			return
		}
	}
}

func (s *shelf) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.set(0)
	s.idle.Wait()
}

// warm starts a child and waits until it says that it is ready.
func (r *Runner) warm() (*process, error) {
	r.counts.started.Add(1)
	p, err := r.start(r.options.Memory, true)
	if err != nil {
		return nil, err
	}
	if err := p.awaitReady(warmLimit); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *process) awaitReady(limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case in, open := <-p.reports:
		switch {
		case !open || in.err != nil || in.report.Ready == nil:
			return fmt.Errorf("warm up: the child ended: %s", shorten(p.stderr.Head(), 500))
		case in.report.Ready.Error != "":
			return fmt.Errorf("warm up: %s", in.report.Ready.Error)
		}
		p.welcome(in.report.Ready)
		return nil
	case <-timer.C:
		return fmt.Errorf("warm up: not ready after %s", limit)
	}
}
