package batch

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"decant/handler/internal/event"
	"decant/handler/internal/ledger"
)

// errKeep is what a visit returns for a member that stays in its state.
var errKeep = errors.New("stays as it is")

// walk visits the members in some states, each of which leaves them by the visit, until none is left; after one slice of
// time it sends next, which goes on. At the end it looks whether the batch is over.
func (s *Service) walk(ctx context.Context, id string, states []ledger.State, next event.Message, visit func(Member) error) error {
	until := s.now().Add(s.opt.Slice)
	after := ""
	for {
		page, _, err := s.Store.Members(ctx, id, states, after, s.opt.Page)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return s.close(ctx, id)
		}
		if err := visitAll(page, visit); err != nil {
			return err
		}
		after = string(page[len(page)-1].DocumentID)
		if s.now().After(until) || ctx.Err() != nil {
			return s.send(context.WithoutCancel(ctx), s.opt.Queue, next, 0)
		}
	}
}

func visitAll(page []Member, visit func(Member) error) error {
	var work errgroup.Group
	work.SetLimit(parallel)
	var mu sync.Mutex
	var failures []error
	for _, m := range page {
		work.Go(func() error {
			if err := visit(m); err != nil && !errors.Is(err, errKeep) {
				mu.Lock()
				defer mu.Unlock()
				failures = append(failures, err)
			}
			return nil
		})
	}
	_ = work.Wait() // the functions keep their failures in the list
	return errors.Join(failures...)
}
