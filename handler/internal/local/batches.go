package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"decant/handler/internal/batch"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Batches is a batch.Store on a folder: a folder for each batch, with a file for its head, each member and each log entry.
type Batches struct{ root string }

var _ batch.Store = (*Batches)(nil)

// NewBatches opens, or makes when it is first written to, the batches in a folder.
func NewBatches(root string) *Batches { return &Batches{root: root} }

// keptHead is a head as it lies in its file.
type keptHead struct {
	ETag string     `json:"etag"`
	Head batch.Head `json:"head"`
}

func (b *Batches) dir(id string) (string, error) {
	if id == "" || strings.ContainsAny(id, `/\.`) {
		return "", fault.New(fault.NotFound, "", nil)
	}
	return filepath.Join(b.root, id), nil
}

// Head implements batch.Store.
func (b *Batches) Head(_ context.Context, id string) (batch.Head, error) {
	dir, err := b.dir(id)
	if err != nil {
		return batch.Head{}, err
	}
	var k keptHead
	err = readJSON(filepath.Join(dir, "batch.json"), &k)
	k.Head.ETag = k.ETag
	return k.Head, err
}

func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return storage(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.New(fault.Internal, "", fmt.Errorf("read %s: %w", filepath.Base(file), err))
	}
	return nil
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return storage(err)
	}
	return writeFile(file, text)
}

// CreateHead implements batch.Store.
func (b *Batches) CreateHead(ctx context.Context, h batch.Head) (batch.Head, error) {
	return b.writeHead(ctx, h, func(_ batch.Head, err error) bool { return fault.KindOf(err) == fault.NotFound })
}

// ReplaceHead implements batch.Store.
func (b *Batches) ReplaceHead(ctx context.Context, h batch.Head) (batch.Head, error) {
	return b.writeHead(ctx, h, func(now batch.Head, err error) bool { return err == nil && now.ETag == h.ETag })
}

// writeHead writes a head if what is there allows it.
func (b *Batches) writeHead(ctx context.Context, h batch.Head, allowed func(batch.Head, error) bool) (batch.Head, error) {
	dir, err := b.dir(h.ID)
	if err != nil {
		return h, err
	}
	err = withLock(filepath.Join(dir, ".lock"), func() error {
		if !allowed(b.Head(ctx, h.ID)) {
			return fault.New(fault.Conflict, "", nil)
		}
		h.ETag = rand.Text()
		return writeJSON(filepath.Join(dir, "batch.json"), keptHead{ETag: h.ETag, Head: h})
	})
	return h, err
}

// Heads implements batch.Store.
func (b *Batches) Heads(ctx context.Context, open bool, after string, limit int) (list []batch.Head, next string, err error) {
	dirs, err := filepath.Glob(filepath.Join(b.root, "*", "batch.json"))
	if err != nil {
		return nil, "", storage(err)
	}
	for _, file := range dirs {
		id := filepath.Base(filepath.Dir(file))
		if id <= after {
			continue
		}
		h, err := b.Head(ctx, id)
		switch {
		case err != nil:
			return list, "", err
		case open && h.State.Terminal() && !h.Webhook.Pending:
			continue
		case len(list) == limit:
			return list, list[limit-1].ID, nil
		}
		list = append(list, h)
	}
	return list, "", nil
}

func memberFile(dir string, id job.ID) string {
	return filepath.Join(dir, "members", string(id)+".json")
}

// AddMembers implements batch.Store.
func (b *Batches) AddMembers(_ context.Context, id string, members []batch.Member) error {
	dir, err := b.dir(id)
	if err != nil {
		return err
	}
	return withLock(filepath.Join(dir, ".lock"), func() error {
		for _, m := range members {
			if _, err := os.Stat(memberFile(dir, m.DocumentID)); err == nil {
				continue
			}
			if err := writeJSON(memberFile(dir, m.DocumentID), m); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetMember implements batch.Store.
func (b *Batches) SetMember(_ context.Context, id string, m batch.Member) error {
	dir, err := b.dir(id)
	if err != nil || !validID(m.DocumentID) {
		return errors.Join(err, fault.New(fault.NotFound, "", nil))
	}
	return withLock(filepath.Join(dir, ".lock"), func() error { return writeJSON(memberFile(dir, m.DocumentID), m) })
}

// Members implements batch.Store.
func (b *Batches) Members(_ context.Context, id string, states []ledger.State, after string, limit int) (list []batch.Member, next string, err error) {
	dir, err := b.dir(id)
	if err != nil {
		return nil, "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "members", "*.json"))
	if err != nil {
		return nil, "", storage(err)
	}
	for _, file := range files {
		if strings.TrimSuffix(filepath.Base(file), ".json") <= after {
			continue
		}
		var m batch.Member
		switch err := readJSON(file, &m); {
		case err != nil:
			return list, "", err
		case len(states) > 0 && !slices.Contains(states, m.State):
			continue
		case len(list) == limit:
			return list, string(list[limit-1].DocumentID), nil
		}
		list = append(list, m)
	}
	return list, "", nil
}

// Count implements batch.Store.
func (b *Batches) Count(ctx context.Context, id string, state ledger.State) (int, error) {
	var states []ledger.State
	if state != "" {
		states = []ledger.State{state}
	}
	list, _, err := b.Members(ctx, id, states, "", 1<<30)
	return len(list), err
}

// Log implements batch.Store.
func (b *Batches) Log(_ context.Context, id string, a batch.Activity) error {
	dir, err := b.dir(id)
	if err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "activity", a.ID+".json"), a)
}

// Activity implements batch.Store.
func (b *Batches) Activity(_ context.Context, id, before string, limit int) ([]batch.Activity, error) {
	dir, err := b.dir(id)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "activity", "*.json"))
	if err != nil {
		return nil, storage(err)
	}
	slices.SortFunc(files, func(x, y string) int { return cmp.Compare(y, x) })
	var list []batch.Activity
	for _, file := range files {
		if before != "" && strings.TrimSuffix(filepath.Base(file), ".json") >= before || len(list) == limit {
			continue
		}
		var a batch.Activity
		if err := readJSON(file, &a); err != nil {
			return list, err
		}
		list = append(list, a)
	}
	return list, nil
}
