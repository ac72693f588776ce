package child

import (
	"sync"
	"time"
)

// kept are children that have done a document, may do more, and wait for it: programs that take long to load are worth keeping.
type kept struct {
	keep   time.Duration
	mu     sync.Mutex
	idle   []keptChild
	closed bool
}

type keptChild struct {
	p     *process
	since *time.Timer // ends the child when nothing came
}

// put keeps a child that is ready for more, or says that it must be closed.
func (k *kept) put(p *process) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keep <= 0 || k.closed || !p.alive() {
		return false
	}
	k.idle = append(k.idle, keptChild{p, time.AfterFunc(k.keep, func() { k.expire(p) })})
	return true
}

// take gives the child with the given cap that was used last, or nil.
func (k *kept) take(memory int64) *process {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := len(k.idle) - 1; i >= 0; i-- {
		if p := k.idle[i].p; p.memory == memory {
			k.drop(i)
			if p.alive() {
				return p
			}
			p.close()
		}
	}
	return nil
}

// drop forgets a child. The lock is held.
func (k *kept) drop(i int) {
	k.idle[i].since.Stop()
	k.idle = append(k.idle[:i], k.idle[i+1:]...)
}

func (k *kept) expire(p *process) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.idle {
		if k.idle[i].p == p {
			k.drop(i)
			p.close()
			return
		}
	}
}

func (k *kept) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	for len(k.idle) > 0 {
		p := k.idle[0].p
		k.drop(0)
		p.close()
	}
}
