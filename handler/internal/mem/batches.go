package mem

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Batches is a batch.Store in memory. The zero value is empty and ready.
type Batches struct {
	mu       sync.Mutex
	heads    map[string]batch.Head
	members  map[string]map[job.ID]batch.Member
	activity map[string][]batch.Activity
	version  int
}

var _ batch.Store = (*Batches)(nil)

// CreateHead implements batch.Store.
func (b *Batches) CreateHead(_ context.Context, h batch.Head) (batch.Head, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.heads[h.ID]; ok {
		return h, fault.New(fault.Conflict, "", nil)
	}
	return b.write(h), nil
}

func (b *Batches) write(h batch.Head) batch.Head {
	if b.heads == nil {
		b.heads, b.members, b.activity = map[string]batch.Head{}, map[string]map[job.ID]batch.Member{}, map[string][]batch.Activity{}
	}
	b.version++
	h.ETag = strconv.Itoa(b.version)
	b.heads[h.ID] = h
	return h
}

// Head implements batch.Store.
func (b *Batches) Head(_ context.Context, id string) (batch.Head, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.heads[id]
	if !ok {
		return h, fault.New(fault.NotFound, "", nil)
	}
	return h, nil
}

// ReplaceHead implements batch.Store.
func (b *Batches) ReplaceHead(_ context.Context, h batch.Head) (batch.Head, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.heads[h.ID].ETag != h.ETag {
		return h, fault.New(fault.Conflict, "", nil)
	}
	return b.write(h), nil
}

// Heads implements batch.Store.
func (b *Batches) Heads(_ context.Context, open bool, after string, limit int) (list []batch.Head, next string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(b.heads)) {
		h := b.heads[id]
		if id <= after || open && h.State.Terminal() && !h.Webhook.Pending {
			continue
		}
		if len(list) == limit {
			return list, list[limit-1].ID, nil
		}
		list = append(list, h)
	}
	return list, "", nil
}

// AddMembers implements batch.Store.
func (b *Batches) AddMembers(_ context.Context, id string, members []batch.Member) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range members {
		if _, known := b.members[id][m.DocumentID]; !known {
			b.set(id, m)
		}
	}
	return nil
}

// SetMember implements batch.Store.
func (b *Batches) SetMember(_ context.Context, id string, m batch.Member) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(id, m)
	return nil
}

func (b *Batches) set(id string, m batch.Member) {
	if b.members[id] == nil {
		b.members[id] = map[job.ID]batch.Member{}
	}
	b.members[id][m.DocumentID] = m
}

// Members implements batch.Store.
func (b *Batches) Members(_ context.Context, id string, states []ledger.State, after string, limit int) (list []batch.Member, next string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, document := range slices.Sorted(maps.Keys(b.members[id])) {
		m := b.members[id][document]
		if string(document) <= after || len(states) > 0 && !slices.Contains(states, m.State) {
			continue
		}
		if len(list) == limit {
			return list, string(list[limit-1].DocumentID), nil
		}
		list = append(list, m)
	}
	return list, "", nil
}

// Count implements batch.Store.
func (b *Batches) Count(_ context.Context, id string, state ledger.State) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, m := range b.members[id] {
		if state == "" || m.State == state {
			n++
		}
	}
	return n, nil
}

// Log implements batch.Store.
func (b *Batches) Log(_ context.Context, id string, a batch.Activity) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.activity[id] = append(b.activity[id], a)
	return nil
}

// Activity implements batch.Store.
func (b *Batches) Activity(_ context.Context, id, before string, limit int) ([]batch.Activity, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []batch.Activity
	for _, a := range b.activity[id] {
		if before == "" || a.ID < before {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(x, y batch.Activity) int { return cmp.Compare(y.ID, x.ID) })
	return list[:min(limit, len(list))], nil
}

// Queue keeps messages by queue; tests take them. The zero value is ready.
type Queue struct {
	mu       sync.Mutex
	messages map[string][][]byte
}

// Enqueue implements batch.Queue; delays are not kept.
func (q *Queue) Enqueue(_ context.Context, queue string, message []byte, _ time.Duration) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.messages == nil {
		q.messages = map[string][][]byte{}
	}
	q.messages[queue] = append(q.messages[queue], slices.Clone(message))
	return nil
}

// Take gives the oldest message of a queue, nil when there is none.
func (q *Queue) Take(queue string) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.messages[queue]
	if len(list) == 0 {
		return nil
	}
	q.messages[queue] = list[1:]
	return list[0]
}

// Letters keeps texts by name. The zero value is ready.
type Letters struct {
	mu    sync.Mutex
	texts map[string][]byte
}

// Save keeps a text.
func (l *Letters) Save(_ context.Context, name string, text []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts == nil {
		l.texts = map[string][]byte{}
	}
	l.texts[name] = slices.Clone(text)
	return nil
}

// Read gives a text; fault.NotFound when it is not there.
func (l *Letters) Read(_ context.Context, name string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, ok := l.texts[name]
	if !ok {
		return nil, fault.New(fault.NotFound, "", nil)
	}
	return slices.Clone(text), nil
}

// Remove deletes a text.
func (l *Letters) Remove(_ context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.texts, name)
	return nil
}

// List gives the names that begin with prefix, all at once.
func (l *Letters) List(_ context.Context, prefix, _ string) (names []string, next string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.texts)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, "", nil
}
