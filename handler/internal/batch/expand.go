package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// parallel is how many documents of a page are queued at once.
const parallel = 16

// expand finds documents from the cursor on and queues them, for one slice of time; then a message goes on.
func (s *Service) expand(ctx context.Context, id, cursor string) error {
	h, err := s.begin(ctx, id)
	if err != nil {
		return ended(err)
	}
	documents, err := s.documents(ctx, h)
	if err != nil {
		return err
	}
	if h.Cursor != "" { // a delivery before this one came further
		cursor = h.Cursor
	}
	until := s.now().Add(s.opt.Slice)
	for {
		if h.State != Running {
			return nil // cancelled meanwhile
		}
		sources, next, err := s.page(ctx, h, documents, cursor)
		if err != nil {
			return err
		}
		if err := s.addPage(ctx, h, sources); err != nil {
			return err
		}
		if next == "" {
			return s.expanded(ctx, h)
		}
		if cursor = next; s.now().After(until) || ctx.Err() != nil {
			return s.send(context.WithoutCancel(ctx), s.opt.Queue, &event.BatchExpand{BatchID: id, Cursor: cursor}, 0)
		}
		if h, err = s.reached(ctx, id, cursor); err != nil {
			return err
		}
	}
}

// reached notes how far the documents are members, so that a delivery that follows a killed one goes on from there.
func (s *Service) reached(ctx context.Context, id, cursor string) (Head, error) {
	return s.updateHead(ctx, id, func(h *Head) (bool, error) {
		if h.State != Running {
			return false, nil
		}
		h.Cursor = cursor
		return true, nil
	})
}

// ended: a batch that is not there, or has ended, needs nothing more.
func ended(err error) error {
	if kind := fault.KindOf(err); kind == fault.NotFound || kind == fault.Conflict {
		return nil
	}
	return err
}

// begin takes a submitted batch into work.
func (s *Service) begin(ctx context.Context, id string) (Head, error) {
	return s.updateHead(ctx, id, func(h *Head) (bool, error) {
		if h.State.Terminal() || h.State == Cancelling || h.Expanded {
			return false, fault.New(fault.Conflict, "", nil)
		}
		if h.State == Running {
			return false, nil
		}
		h.State, h.Started = Running, s.now()
		return true, nil
	})
}

// documents reads those that the batch named one by one; none when it named a prefix.
func (s *Service) documents(ctx context.Context, h Head) (documents []event.Document, err error) {
	if h.Listed == 0 {
		return nil, nil
	}
	text, err := s.Lists.Read(ctx, listName(h))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &documents); err != nil {
		return nil, fault.New(fault.BadMessage, "", fmt.Errorf("read the batch's list: %w", err))
	}
	return documents, nil
}

// page gives the next documents. The cursor is an offset in the batch's own list, or the container listing's.
func (s *Service) page(ctx context.Context, h Head, documents []event.Document, cursor string) (list []job.Source, next string, err error) {
	if h.Listed > 0 {
		list, next = s.listed(documents, cursor)
		return list, next, nil
	}
	found, next, err := s.Lister.List(ctx, h.Submit.Container, h.Submit.Prefix, cursor, s.opt.Page)
	for _, src := range found {
		if wanted(h.Submit, src) {
			list = append(list, src)
		}
	}
	return list, next, err
}

// listed gives a page of the documents that were named one by one.
func (s *Service) listed(documents []event.Document, cursor string) (list []job.Source, next string) {
	from, _ := strconv.Atoi(cursor)
	from = min(max(from, 0), len(documents))
	to := min(from+s.opt.Page, len(documents))
	for _, d := range documents[from:to] {
		src := job.Source{Account: d.Account, Container: d.Container, Path: d.Path, ETag: d.ETag, Sequencer: d.Sequencer, MediaType: d.MediaType, Size: -1}
		if d.Size != nil {
			src.Size = *d.Size
		}
		list = append(list, src)
	}
	if to < len(documents) {
		next = strconv.Itoa(to)
	}
	return list, next
}

// wanted applies the batch's filters to a document's base name.
func wanted(submit event.BatchSubmit, src job.Source) bool {
	matches := func(patterns []string) bool {
		for _, p := range patterns {
			if ok, _ := path.Match(strings.ToLower(p), strings.ToLower(src.Name())); ok {
				return true
			}
		}
		return false
	}
	return (len(submit.Include) == 0 || matches(submit.Include)) && !matches(submit.Exclude)
}

// addPage makes members of documents and queues them.
func (s *Service) addPage(ctx context.Context, h Head, sources []job.Source) error {
	members := make([]Member, 0, len(sources))
	for _, src := range sources {
		members = append(members, Member{DocumentID: src.ID(), Path: src.Path, State: ledger.Queued})
	}
	if err := s.Store.AddMembers(ctx, h.ID, members); err != nil {
		return err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(parallel)
	for _, src := range sources {
		work.Go(func() error { return s.start(ctx, h, src) })
	}
	return work.Wait()
}

// start queues one document, unless it is done already.
func (s *Service) start(ctx context.Context, h Head, src job.Source) error {
	j := job.Job{Source: src, Options: h.Submit.Options.Normalize(), Limits: h.Submit.Limits.Job(), BatchID: h.ID, NotAfter: h.Submit.Expires}
	r, fresh, err := s.Ledger.Enqueue(ctx, j)
	if err != nil {
		return err
	}
	if !fresh && r.State != ledger.Queued {
		return s.Store.SetMember(ctx, h.ID, memberOf(r))
	}
	return s.send(ctx, s.queueOf(h), &event.Convert{Job: j}, 0)
}

func (s *Service) queueOf(h Head) string {
	if h.Submit.Priority == "normal" || s.opt.Bulk == "" {
		return s.opt.Queue
	}
	return s.opt.Bulk
}

func memberOf(r ledger.Record) Member {
	m := Member{DocumentID: r.DocumentID, Path: r.Source.Path, State: r.State}
	if r.State.Terminal() {
		m.Finished = r.Finished
	}
	if r.Cause != nil {
		m.Kind = r.Cause.Kind
	}
	return m
}

// expanded notes that all documents are known.
func (s *Service) expanded(ctx context.Context, h Head) error {
	_, err := s.updateHead(ctx, h.ID, func(h *Head) (bool, error) {
		changed := !h.Expanded
		h.Expanded, h.Cursor = true, ""
		return changed, nil
	})
	if err != nil {
		return err
	}
	s.note(ctx, h.ID, "expanded", "All documents of the batch are found.", "")
	return s.close(ctx, h.ID)
}
