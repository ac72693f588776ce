package cosmos

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Store is a ledger.Store.
type Store struct{ items *azcosmos.ContainerClient }

var _ ledger.Store = (*Store)(nil)

// Store gives the ledger's store.
func (c *Client) Store() *Store { return &Store{items: c.documents} }

// Load implements ledger.Store.
func (s *Store) Load(ctx context.Context, id job.ID) (ledger.Record, error) {
	i, err := s.load(ctx, id)
	return i.Record, err
}

func (s *Store) load(ctx context.Context, id job.ID) (recordItem, error) {
	r, err := again(ctx, func() (azcosmos.ItemResponse, error) { return s.items.ReadItem(ctx, partition(id), string(id), nil) })
	if err != nil {
		return recordItem{}, account.Fault(err)
	}
	return parseRecord(r.Value, string(r.ETag))
}

// Create implements ledger.Store.
func (s *Store) Create(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	i, text, err := newRecordItem(r)
	if err != nil {
		return r, err
	}
	response, err := again(ctx, func() (azcosmos.ItemResponse, error) {
		return s.items.CreateItem(ctx, partition(r.DocumentID), text, nil)
	})
	if err != nil {
		return s.resolve(ctx, i, err)
	}
	r.ETag = string(response.ETag)
	return r, nil
}

// Replace implements ledger.Store.
func (s *Store) Replace(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	i, text, err := newRecordItem(r)
	if err != nil {
		return r, err
	}
	etag := azcore.ETag(r.ETag)
	response, err := again(ctx, func() (azcosmos.ItemResponse, error) {
		return s.items.ReplaceItem(ctx, partition(r.DocumentID), i.ID, text, &azcosmos.ItemOptions{IfMatchEtag: &etag})
	})
	if err != nil {
		return s.resolve(ctx, i, err)
	}
	r.ETag = string(response.ETag)
	return r, nil
}

// resolve looks whether a write that was refused was in fact done: its first answer was lost, and the SDK tried again.
func (s *Store) resolve(ctx context.Context, i recordItem, refused error) (ledger.Record, error) {
	refused = account.Fault(refused)
	if fault.KindOf(refused) != fault.Conflict {
		return i.Record, refused
	}
	now, err := s.load(ctx, i.Record.DocumentID)
	if err != nil || now.Write != i.Write {
		return i.Record, refused
	}
	return now.Record, nil
}

// Delete implements ledger.Store: chunks first, so that an interrupted one can be done again.
func (s *Store) Delete(ctx context.Context, r ledger.Record) error {
	change := ledger.ChunkChange{}
	for c, err := range s.ChunkStamps(ctx, r.DocumentID) {
		if err != nil {
			return err
		}
		change.Remove = append(change.Remove, c.ID)
	}
	if !change.None() {
		var err error
		if r, err = s.Commit(ctx, r, r, change); err != nil {
			return err
		}
	}
	etag := azcore.ETag(r.ETag)
	_, err := again(ctx, func() (azcosmos.ItemResponse, error) {
		return s.items.DeleteItem(ctx, partition(r.DocumentID), string(r.DocumentID), &azcosmos.ItemOptions{IfMatchEtag: &etag})
	})
	if err = account.Fault(err); fault.KindOf(err) == fault.NotFound { // the answer to the first try was lost
		return nil
	}
	return err
}

// List implements ledger.Store. It looks at all partitions, a page at a time, and asks for no order: the gateway has none
// to give over partitions.
func (s *Store) List(ctx context.Context, q ledger.Query) (ledger.Page, error) {
	where, parameters := conditions(q)
	var page ledger.Page
	r, err := overAll(s.items, "SELECT * FROM c WHERE "+where, q.PageSize(), q.After, parameters).nextFull(ctx)
	if err != nil {
		return page, continuation(q.After, err)
	}
	for _, text := range r.Items {
		i, err := parseRecord(text, "")
		if err != nil {
			return page, err
		}
		page.Records = append(page.Records, i.Record)
	}
	if r.ContinuationToken != nil {
		page.Next = *r.ContinuationToken
	}
	return page, nil
}

// continuation tells an error about the place to go on from, which somebody gave us, from one of our own.
func continuation(after string, err error) error {
	if after != "" && account.Status(err) == http.StatusBadRequest {
		return fault.New(fault.BadRequest, "after: it must be the next of the page before, as it was.", err)
	}
	return err
}

func conditions(q ledger.Query) (string, []azcosmos.QueryParameter) {
	where := []string{"c.type = @type"}
	parameters := []azcosmos.QueryParameter{{Name: "@type", Value: typeDocument}}
	add := func(used bool, condition, name string, value any) {
		if used {
			where = append(where, condition)
			parameters = append(parameters, azcosmos.QueryParameter{Name: name, Value: value})
		}
	}
	add(q.State != "", "c.state = @state", "@state", q.State)
	add(q.Format != "", "c.format = @format", "@format", q.Format)
	add(q.BatchID != "", "c.batchId = @batch", "@batch", q.BatchID)
	add(q.Parent != "", "c.parent = @parent", "@parent", q.Parent)
	add(!q.Since.IsZero(), "c.updatedMs >= @since", "@since", q.Since.UnixMilli())
	add(!q.Before.IsZero(), "c.updatedMs < @before", "@before", q.Before.UnixMilli())
	add(q.Cleanup, "c.cleanup = @cleanup", "@cleanup", true)
	if q.Kept {
		where = append(where, "NOT IS_DEFINED(c.removed)") // stored only when it is true
	}
	return strings.Join(where, " AND "), parameters
}

// wholePages lets the service fill its pages, up to 4 MB each: fewer answers than any number of items that we could ask for.
const wholePages = -1

// ChunkStamps implements ledger.Store.
func (s *Store) ChunkStamps(ctx context.Context, id job.ID) iter.Seq2[ledger.Chunk, error] {
	const sql = "SELECT c.id, c.textHash, c.placeHash, c.index FROM c WHERE c.documentId = @document AND c.type = @type"
	return func(yield func(ledger.Chunk, error) bool) {
		answer := pages{items: s.items, sql: sql, partition: partition(id), options: azcosmos.QueryOptions{PageSizeHint: wholePages, QueryParameters: chunksOf(id)}}
		for answer.more() {
			page, err := answer.next(ctx)
			if err != nil {
				yield(ledger.Chunk{}, err)
				return
			}
			for _, text := range page.Items {
				c, err := parseStamp(text)
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

func parseStamp(text []byte) (ledger.Chunk, error) {
	var row struct {
		ID, TextHash, PlaceHash string
		Index                   int
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return ledger.Chunk{}, fmt.Errorf("read chunk stamps: %w", err)
	}
	return ledger.Chunk{ID: row.ID, Stamp: ledger.Stamp{Text: row.TextHash, Place: row.PlaceHash, Index: row.Index}}, nil
}

func chunksOf(id job.ID) []azcosmos.QueryParameter {
	return []azcosmos.QueryParameter{{Name: "@document", Value: id}, {Name: "@type", Value: typeChunk}}
}

// Chunks implements ledger.Store.
func (s *Store) Chunks(ctx context.Context, id job.ID, after string, limit int) ([]ledger.Chunk, error) {
	limit = min(max(limit, 1), 1000)
	sql := fmt.Sprintf("SELECT TOP %d * FROM c WHERE c.documentId = @document AND c.type = @type AND c.id > @after ORDER BY c.id", limit)
	parameters := append(chunksOf(id), azcosmos.QueryParameter{Name: "@after", Value: after})
	answer := pages{items: s.items, sql: sql, partition: partition(id), options: azcosmos.QueryOptions{PageSizeHint: int32(limit), QueryParameters: parameters}}
	var list []ledger.Chunk
	for answer.more() && len(list) < limit {
		page, err := answer.next(ctx)
		if err != nil {
			return nil, err
		}
		for _, text := range page.Items {
			c, err := parseChunk(text)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}
