package cosmos

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/batch"
	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// Batches is a batch.Store.
type Batches struct{ items *azcosmos.ContainerClient }

var _ batch.Store = (*Batches)(nil)

// Batches gives the batches' store.
func (c *Client) Batches() *Batches { return &Batches{items: c.batches} }

// Types of items in a batch's partition; the id of a member begins with "m-", of a log entry with "a-".
const (
	typeBatch    = "batch"
	typeMember   = "member"
	typeActivity = "activity"
	headID       = "batch"
)

type headItem struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Open  bool   `json:"open"`  // has not ended, or its webhook is pending
	Write string `json:"write"` // names this write, so that one whose answer was lost is recognized
	batch.Head
	SystemETag string `json:"_etag,omitempty"`
}

type memberItem struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	BatchID string `json:"batchId"`
	batch.Member
}

type activityItem struct {
	ID      string         `json:"id"`
	Type    string         `json:"type"`
	BatchID string         `json:"batchId"`
	Entry   batch.Activity `json:"entry"`
}

func batchKey(id string) azcosmos.PartitionKey { return azcosmos.NewPartitionKeyString(id) }

func newHeadItem(h batch.Head) (headItem, []byte, error) {
	i := headItem{ID: headID, Type: typeBatch, Open: !h.State.Terminal() || h.Webhook.Pending, Write: rand.Text(), Head: h}
	text, err := json.Marshal(i)
	return i, text, err
}

// resolve looks whether a write that was refused was in fact done: its first answer was lost, and it was sent again.
func (b *Batches) resolve(ctx context.Context, i headItem, refused error) (batch.Head, error) {
	refused = account.Fault(refused)
	if fault.KindOf(refused) != fault.Conflict {
		return i.Head, refused
	}
	r, err := again(ctx, func() (azcosmos.ItemResponse, error) { return b.items.ReadItem(ctx, batchKey(i.Head.ID), headID, nil) })
	if err != nil {
		return i.Head, refused
	}
	var now headItem
	if err := json.Unmarshal(r.Value, &now); err != nil || now.Write != i.Write {
		return i.Head, refused
	}
	now.Head.ETag = now.SystemETag
	return now.Head, nil
}

func parseHead(text []byte) (batch.Head, error) {
	var i headItem
	if err := json.Unmarshal(text, &i); err != nil {
		return batch.Head{}, fmt.Errorf("read batch: %w", err)
	}
	i.Head.ETag = i.SystemETag
	return i.Head, nil
}

// CreateHead implements batch.Store.
func (b *Batches) CreateHead(ctx context.Context, h batch.Head) (batch.Head, error) {
	i, text, err := newHeadItem(h)
	if err != nil {
		return h, err
	}
	r, err := again(ctx, func() (azcosmos.ItemResponse, error) { return b.items.CreateItem(ctx, batchKey(h.ID), text, nil) })
	if err != nil {
		return b.resolve(ctx, i, err)
	}
	h.ETag = string(r.ETag)
	return h, nil
}

// Head implements batch.Store.
func (b *Batches) Head(ctx context.Context, id string) (batch.Head, error) {
	r, err := again(ctx, func() (azcosmos.ItemResponse, error) { return b.items.ReadItem(ctx, batchKey(id), headID, nil) })
	if err != nil {
		return batch.Head{}, account.Fault(err)
	}
	return parseHead(r.Value)
}

// ReplaceHead implements batch.Store.
func (b *Batches) ReplaceHead(ctx context.Context, h batch.Head) (batch.Head, error) {
	i, text, err := newHeadItem(h)
	if err != nil {
		return h, err
	}
	etag := azcore.ETag(h.ETag)
	r, err := again(ctx, func() (azcosmos.ItemResponse, error) {
		return b.items.ReplaceItem(ctx, batchKey(h.ID), headID, text, &azcosmos.ItemOptions{IfMatchEtag: &etag})
	})
	if err != nil {
		return b.resolve(ctx, i, err)
	}
	h.ETag = string(r.ETag)
	return h, nil
}

// Heads implements batch.Store. Like Store.List it looks at all partitions.
func (b *Batches) Heads(ctx context.Context, open bool, after string, limit int) (list []batch.Head, next string, err error) {
	sql := "SELECT * FROM c WHERE c.type = @type"
	if open {
		sql += " AND c.open = true"
	}
	page, err := overAll(b.items, sql, limit, after, []azcosmos.QueryParameter{{Name: "@type", Value: typeBatch}}).nextFull(ctx)
	if err != nil {
		return nil, "", continuation(after, err)
	}
	for _, text := range page.Items {
		h, err := parseHead(text)
		if err != nil {
			return nil, "", err
		}
		list = append(list, h)
	}
	if page.ContinuationToken != nil {
		next = *page.ContinuationToken
	}
	return list, next, nil
}

// AddMembers implements batch.Store: a transaction of all, and where some are there already, of the rest.
func (b *Batches) AddMembers(ctx context.Context, id string, members []batch.Member) error {
	for part := range slices.Chunk(members, maxTransaction) {
		if err := b.addSome(ctx, id, part); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batches) addSome(ctx context.Context, id string, members []batch.Member) error {
	members = slices.Clone(members)
	for len(members) > 0 {
		transaction := b.items.NewTransactionalBatch(batchKey(id))
		for _, m := range members {
			text, err := marshalMember(id, m)
			if err != nil {
				return err
			}
			transaction.CreateItem(text, nil)
		}
		r, err := again(ctx, func() (azcosmos.TransactionalBatchResponse, error) {
			return b.items.ExecuteTransactionalBatch(ctx, transaction, nil)
		})
		if err != nil || r.Success {
			return account.Fault(err)
		}
		failed, status := refusal(r)
		if status != 409 {
			return account.Fault(&azcore.ResponseError{StatusCode: status, RawResponse: r.RawResponse})
		}
		if members, err = b.missing(ctx, id, slices.Delete(members, failed, failed+1)); err != nil {
			return err
		}
	}
	return nil
}

// missing leaves the members that are not there yet.
func (b *Batches) missing(ctx context.Context, id string, members []batch.Member) ([]batch.Member, error) {
	if len(members) == 0 {
		return nil, nil
	}
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = "m-" + string(m.DocumentID)
	}
	const sql = "SELECT c.id FROM c WHERE c.batchId = @batch AND ARRAY_CONTAINS(@ids, c.id)"
	known := map[string]bool{}
	err := b.query(ctx, id, sql, 1000, func(text []byte) error {
		var row struct{ ID string }
		err := json.Unmarshal(text, &row)
		known[row.ID] = true
		return err
	}, azcosmos.QueryParameter{Name: "@ids", Value: ids})
	return slices.DeleteFunc(members, func(m batch.Member) bool { return known["m-"+string(m.DocumentID)] }), err
}

// query runs a query in a batch's partition, to its end or until enough rows were seen.
func (b *Batches) query(ctx context.Context, id, sql string, enough int, row func([]byte) error, more ...azcosmos.QueryParameter) error {
	parameters := append([]azcosmos.QueryParameter{{Name: "@batch", Value: id}}, more...)
	answer := pages{items: b.items, sql: sql, partition: batchKey(id), options: azcosmos.QueryOptions{PageSizeHint: int32(min(enough, 1000)), QueryParameters: parameters}}
	for seen := 0; answer.more() && seen < enough; {
		page, err := answer.next(ctx)
		if err != nil {
			return err
		}
		for _, text := range page.Items {
			seen++
			if err := row(text); err != nil {
				return err
			}
		}
	}
	return nil
}

func marshalMember(id string, m batch.Member) ([]byte, error) {
	return json.Marshal(memberItem{ID: "m-" + string(m.DocumentID), Type: typeMember, BatchID: id, Member: m})
}

// SetMember implements batch.Store.
func (b *Batches) SetMember(ctx context.Context, id string, m batch.Member) error {
	text, err := marshalMember(id, m)
	if err != nil {
		return err
	}
	_, err = again(ctx, func() (azcosmos.ItemResponse, error) { return b.items.UpsertItem(ctx, batchKey(id), text, nil) })
	return account.Fault(err)
}

// Members implements batch.Store.
func (b *Batches) Members(ctx context.Context, id string, states []ledger.State, after string, limit int) (list []batch.Member, next string, err error) {
	if len(states) == 0 {
		states = ledger.States()
	}
	sql := fmt.Sprintf("SELECT TOP %d * FROM c WHERE c.batchId = @batch AND c.type = @type AND c.id > @after AND ARRAY_CONTAINS(@states, c.state) ORDER BY c.id", limit)
	err = b.query(ctx, id, sql, limit, func(text []byte) error {
		var i memberItem
		err := json.Unmarshal(text, &i)
		list = append(list, i.Member)
		return err
	}, azcosmos.QueryParameter{Name: "@type", Value: typeMember}, azcosmos.QueryParameter{Name: "@after", Value: "m-" + after},
		azcosmos.QueryParameter{Name: "@states", Value: states})
	if len(list) == limit && limit > 0 {
		next = string(list[limit-1].DocumentID)
	}
	return list, next, err
}

// Count implements batch.Store.
func (b *Batches) Count(ctx context.Context, id string, state ledger.State) (n int, err error) {
	sql := "SELECT VALUE COUNT(1) FROM c WHERE c.batchId = @batch AND c.type = @type"
	parameters := []azcosmos.QueryParameter{{Name: "@type", Value: typeMember}}
	if state != "" {
		sql += " AND c.state = @state"
		parameters = append(parameters, azcosmos.QueryParameter{Name: "@state", Value: state})
	}
	err = b.query(ctx, id, sql, math.MaxInt, func(text []byte) error { // each page counts its own part
		var part int
		err := json.Unmarshal(text, &part)
		n += part
		return err
	}, parameters...)
	return n, err
}

// Log implements batch.Store.
func (b *Batches) Log(ctx context.Context, id string, a batch.Activity) error {
	text, err := json.Marshal(activityItem{ID: "a-" + a.ID, Type: typeActivity, BatchID: id, Entry: a})
	if err != nil {
		return err
	}
	_, err = again(ctx, func() (azcosmos.ItemResponse, error) { return b.items.CreateItem(ctx, batchKey(id), text, nil) })
	if err = account.Fault(err); fault.KindOf(err) == fault.Conflict { // the answer to the first try was lost
		return nil
	}
	return err
}

// Activity implements batch.Store.
func (b *Batches) Activity(ctx context.Context, id, before string, limit int) (list []batch.Activity, err error) {
	if before == "" {
		before = "~"
	}
	sql := fmt.Sprintf("SELECT TOP %d * FROM c WHERE c.batchId = @batch AND c.type = @type AND c.id < @before ORDER BY c.id DESC", limit)
	err = b.query(ctx, id, sql, limit, func(text []byte) error {
		var i activityItem
		err := json.Unmarshal(text, &i)
		list = append(list, i.Entry)
		return err
	}, azcosmos.QueryParameter{Name: "@type", Value: typeActivity}, azcosmos.QueryParameter{Name: "@before", Value: "a-" + before})
	return list, err
}
