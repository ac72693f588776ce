package batch

import (
	"context"
	"sync"
	"time"
)

// A batch with manyLeft members to come, or more, is not looked at again for its end within lookPause: of a thousand documents that
// finish in one second only the first looks, and one look follows when the second is over.
const (
	manyLeft  = 100
	lookPause = time.Second
	lookTime  = 30 * time.Second // that the look which follows may take
)

// looks remembers which batches were looked at lately. The zero value is ready.
type looks struct {
	mu    sync.Mutex
	until map[string]time.Time // no look at the batch before
	after map[string]bool      // a look follows by itself
}

// hold tells whether the batch is to be left alone for now. The first time it is, follow is called when the pause is over.
func (l *looks) hold(id string, follow func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	pause := time.Until(l.until[id])
	if pause <= 0 {
		return false
	}
	if !l.after[id] {
		l.after[id] = true
		time.AfterFunc(pause, func() {
			l.mu.Lock()
			delete(l.after, id)
			l.mu.Unlock()
			follow()
		})
	}
	return true
}

// note remembers a look by how many members were left.
func (l *looks) note(id string, left int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if left < manyLeft {
		delete(l.until, id)
		return
	}
	if l.until == nil {
		l.until, l.after = map[string]time.Time{}, map[string]bool{}
	}
	l.until[id] = time.Now().Add(lookPause)
}

// closeLater is close for a batch of which one more member has ended: where many are left it is done once a second. When this
// process dies before the look that follows, the sweeper's Reconcile closes the batch.
func (s *Service) closeLater(ctx context.Context, id string) error {
	held := s.looks.hold(id, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
		defer cancel()
		if err := s.closeLater(ctx, id); err != nil {
			s.Ports.Log.WarnContext(ctx, "close batch", "batch", id, "error", err)
		}
	})
	if held {
		return nil
	}
	left, err := s.closeUnless(ctx, id)
	s.looks.note(id, left)
	return err
}
