package batchtest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/ledger"
)

// looking counts how often a batch's members are looked at.
type looking struct {
	batch.Store
	looks atomic.Int64
}

func (l *looking) Members(ctx context.Context, id string, states []ledger.State, after string, limit int) ([]batch.Member, string, error) {
	l.looks.Add(1)
	return l.Store.Members(ctx, id, states, after, limit)
}

func testLarge(t *testing.T, store batch.Store) {
	const documents = 260
	counted := &looking{Store: store}
	b := newBench(t, counted, nil)
	for i := range documents {
		b.upload(fmt.Sprintf("l/%03d.txt", i), fmt.Sprintf("text %d", i))
	}
	h := submit(t, b, event.BatchSubmit{Prefix: "l/"})
	b.run(t, documents/10+1) // its documents are found
	began, before := time.Now(), counted.looks.Load()
	b.run(t, 100)
	most := int64(time.Since(began)/time.Second) + 2
	if n := counted.looks.Load() - before; n > most {
		t.Errorf("%d looks for 100 of %d documents, want one a second", n, documents)
	}
	b.run(t, forever)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		p, err := b.Find(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		if p.State.Terminal() {
			break
		}
	}
	expect(t, b, h.ID, batch.Succeeded, map[ledger.State]int{ledger.Succeeded: documents})
}
