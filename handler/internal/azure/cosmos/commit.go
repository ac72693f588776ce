package cosmos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// Limits of a transactional batch, with room for the record that goes with each and for the envelope.
const (
	maxTransaction = 100
	maxOperations  = maxTransaction - 1
	maxBytes       = 1_800_000
	maxPatch       = 10 // operations in one patch
)

// operation is one change of a chunk item.
type operation struct {
	kind   string // put, move, remove
	id     string
	item   []byte                     // the whole item, for put and as move's way out
	fields map[string]json.RawMessage // for move
}

// commit is one Commit on its way: chunk changes, gathered into transactional batches.
type commit struct {
	store   *Store
	before  ledger.Record // as stored, its ETag moves along
	after   ledger.Record
	touch   func(ledger.Record) ledger.Record
	waiting []operation
	bytes   int
}

// Commit implements ledger.Store. Each transactional batch writes the record too, on the condition of its ETag, so that
// nobody who lost the claim changes a chunk. The last batch writes after.
func (s *Store) Commit(ctx context.Context, before, after ledger.Record, change ledger.ChunkChange) (ledger.Record, error) {
	if change.None() {
		after.ETag = before.ETag
		return s.Replace(ctx, after)
	}
	c := &commit{store: s, before: before, after: after, touch: change.Touch}
	if err := c.gather(ctx, change); err != nil {
		return c.before, err
	}
	return c.send(ctx, c.waiting, true)
}

func (c *commit) gather(ctx context.Context, change ledger.ChunkChange) error {
	for _, part := range []struct {
		kind   string
		chunks func(func(ledger.Chunk, error) bool)
	}{{"put", change.Put}, {"move", change.Move}} {
		if part.chunks == nil {
			continue
		}
		for chunk, err := range part.chunks {
			if err != nil {
				return err
			}
			fields, item, err := chunkItem(c.after.DocumentID, chunk)
			if err != nil {
				return err
			}
			if err := c.add(ctx, operation{kind: part.kind, id: chunk.ID, item: item, fields: fields}); err != nil {
				return err
			}
		}
	}
	for _, id := range change.Remove {
		if err := c.add(ctx, operation{kind: "remove", id: id}); err != nil {
			return err
		}
	}
	return nil
}

// add puts an operation to those that wait, and sends them when there is no room for it.
func (c *commit) add(ctx context.Context, o operation) error {
	size, count := len(o.item)+200, 1
	if o.kind == "move" {
		count = 1 + len(o.fields)/maxPatch
	}
	if c.operations()+count > maxOperations || c.bytes+size > maxBytes && len(c.waiting) > 0 {
		if _, err := c.send(ctx, c.waiting, false); err != nil {
			return err
		}
		c.waiting, c.bytes = nil, 0
	}
	c.waiting = append(c.waiting, o)
	c.bytes += size
	return nil
}

func (c *commit) operations() int {
	n := 0
	for _, o := range c.waiting {
		n++
		if o.kind == "move" {
			n += len(o.fields) / maxPatch
		}
	}
	return n
}

// maxTries is how often one batch is sent: answers to refusals of single operations, not to throttling alone.
const maxTries = 20

// send writes operations and the record in one transaction: the record as it will be when last, else as it is.
func (c *commit) send(ctx context.Context, operations []operation, last bool) (ledger.Record, error) {
	operations = slices.Clone(operations)
	for try := range maxTries {
		record := c.after
		if !last {
			if record = c.before; c.touch != nil {
				record = c.touch(c.before)
			}
		}
		record.ETag = c.before.ETag
		written, failed, err := c.execute(ctx, record, operations)
		if err == nil {
			c.before = written
			return written, nil
		}
		switch status := account.Status(err); {
		case failed > 0 && status == http.StatusNotFound:
			operations = withoutMissing(operations, failed-1)
		case status == http.StatusRequestEntityTooLarge && len(operations) > 1:
			return c.split(ctx, operations, last)
		case isBusy(status) && failed >= 0:
			if err := pause(ctx, time.Duration(try+1)*200*time.Millisecond); err != nil {
				return c.before, err
			}
		default:
			return c.before, account.Fault(err)
		}
	}
	return c.before, fault.New(fault.Throttled, "", nil)
}

func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable || status == 449
}

// split sends a batch that was too large in two.
func (c *commit) split(ctx context.Context, operations []operation, last bool) (ledger.Record, error) {
	half := len(operations) / 2
	if _, err := c.send(ctx, operations[:half], false); err != nil {
		return c.before, err
	}
	return c.send(ctx, operations[half:], last)
}

// withoutMissing mends a batch in which an item was not there: what is to be removed is removed already,
// what was to be moved is written whole.
func withoutMissing(operations []operation, missing int) []operation {
	count := 0
	for i, o := range operations {
		count += len(steps(o))
		if missing < count {
			if o.kind == "remove" {
				return slices.Delete(operations, i, i+1)
			}
			operations[i].kind = "put"
			return operations
		}
	}
	return operations
}

// step puts one operation, or a part of one, into a batch.
type step func(b *azcosmos.TransactionalBatch)

// steps are the service's operations for one of ours: a patch takes ten fields at most.
func steps(o operation) []step {
	switch o.kind {
	case "put":
		return []step{func(b *azcosmos.TransactionalBatch) { b.UpsertItem(o.item, nil) }}
	case "remove":
		return []step{func(b *azcosmos.TransactionalBatch) { b.DeleteItem(o.id, nil) }}
	}
	var names []string
	for name := range o.fields {
		if name != "id" && name != "documentId" && name != "text" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []step
	for part := range slices.Chunk(names, maxPatch) {
		list = append(list, func(b *azcosmos.TransactionalBatch) {
			patch := azcosmos.PatchOperations{}
			for _, name := range part {
				patch.AppendSet("/"+escapePointer(name), o.fields[name])
			}
			b.PatchItem(o.id, patch, nil)
		})
	}
	return list
}

// escapePointer makes a field's name a part of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// execute sends one transactional batch, the record first. failed is the index of the operation that was refused.
func (c *commit) execute(ctx context.Context, r ledger.Record, operations []operation) (written ledger.Record, failed int, err error) {
	item, text, err := newRecordItem(r)
	if err != nil {
		return r, -1, err
	}
	etag := azcore.ETag(r.ETag)
	batch := c.store.items.NewTransactionalBatch(partition(r.DocumentID))
	batch.ReplaceItem(item.ID, text, &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &etag})
	for _, o := range operations {
		for _, add := range steps(o) {
			add(&batch)
		}
	}
	response, err := again(ctx, func() (azcosmos.TransactionalBatchResponse, error) {
		return c.store.items.ExecuteTransactionalBatch(ctx, batch, nil)
	})
	if err != nil {
		return r, -1, err
	}
	if response.Success && len(response.OperationResults) > 0 {
		r.ETag = string(response.OperationResults[0].ETag)
		return r, -1, nil
	}
	failed, status := refusal(response)
	if response.Success || failed == 0 && status == http.StatusPreconditionFailed {
		written, err = c.store.resolve(ctx, item, conflict())
		return written, failed, err
	}
	return r, failed, &azcore.ResponseError{StatusCode: status, ErrorCode: fmt.Sprintf("operation %d of a batch", failed), RawResponse: response.RawResponse}
}

func conflict() error { return fault.New(fault.Conflict, "", nil) }

// refusal finds the operation for which a batch was rolled back: the first that is not a mere consequence.
func refusal(r azcosmos.TransactionalBatchResponse) (index, status int) {
	for i, o := range r.OperationResults {
		if o.StatusCode >= 400 && o.StatusCode != http.StatusFailedDependency {
			return i, int(o.StatusCode)
		}
	}
	return 0, http.StatusInternalServerError
}
