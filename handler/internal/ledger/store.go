package ledger

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"decant/handler/internal/job"
)

// Store keeps records and chunk items. It knows nothing of states: every condition is an ETag.
//
// Faults: fault.NotFound when the record is not there; fault.Conflict when it is there already (Create)
// or has another ETag by now (Replace, Commit, Delete); fault.Storage or fault.Throttled when the store cannot be used.
type Store interface {
	// Load reads a record, with its ETag.
	Load(ctx context.Context, id job.ID) (Record, error)
	// Create writes a record that must not exist, and returns it with its ETag.
	Create(ctx context.Context, r Record) (Record, error)
	// Replace writes a record if its ETag still holds, and returns it with the new one.
	Replace(ctx context.Context, r Record) (Record, error)
	// Commit is Replace(after) together with a change of the document's chunk items. Large changes are cut into several
	// writes, each of which holds only while the record is as it was (before, with its ETag); after is written last.
	// When it fails in the middle some chunks are changed and the record is still before: doing it again completes it.
	Commit(ctx context.Context, before, after Record, change ChunkChange) (Record, error)
	// Delete removes a record, if its ETag still holds, and all its chunk items.
	Delete(ctx context.Context, r Record) error
	// List gives the records that match, in no promised order.
	List(ctx context.Context, q Query) (Page, error)
	// ChunkStamps gives what is needed to tell which chunk items changed: all of them, without their bodies, in no promised order.
	ChunkStamps(ctx context.Context, id job.ID) iter.Seq2[Chunk, error]
	// Chunks gives the bodies of the chunk items in the order of their ids, after the id given, at most limit.
	Chunks(ctx context.Context, id job.ID, after string, limit int) ([]Chunk, error)
}

// Query selects records. The zero value is everything.
type Query struct {
	State   State     // one state, or "" for all
	Format  string    // one format, or "" for all
	BatchID string    // members of one batch, or "" for all
	Parent  job.ID    // attachments of one document, or "" for all
	Since   time.Time // updated at or after
	Before  time.Time // updated before
	Cleanup bool      // only records with Cleanup set
	Kept    bool      // only records without Removed: what people are to see
	Limit   int       // at most; 0 means 100
	After   string    // Page.Next of the page before
	_       struct{}  // named fields only
}

// PageSize is Limit with its default.
func (q Query) PageSize() int {
	if q.Limit <= 0 {
		return 100
	}
	return min(q.Limit, 1000)
}

// Matches tells whether a record is selected; stores without a query language use it.
func (q Query) Matches(r *Record) bool {
	return (q.State == "" || r.State == q.State) &&
		(q.Format == "" || r.Format == q.Format) &&
		(q.BatchID == "" || r.BatchID == q.BatchID) &&
		(q.Parent == "" || r.Parent == q.Parent) &&
		(q.Since.IsZero() || !r.Updated.Before(q.Since)) &&
		(q.Before.IsZero() || r.Updated.Before(q.Before)) &&
		(!q.Cleanup || r.Cleanup) &&
		(!q.Kept || !r.Removed)
}

// Page is a part of a listing.
type Page struct {
	Records []Record
	Next    string // pass as Query.After; empty at the end
}

// Chunk is one line of chunks.jsonl as it is stored. Fields that others add to the stored item, such as an embedding,
// are theirs: a chunk that is not in a ChunkChange is not touched, and a moved one keeps them.
type Chunk struct {
	ID    string
	Stamp Stamp
	Body  json.RawMessage // a JSON object
}

// Stamp tells whether a chunk changed without reading it.
type Stamp struct {
	Text  string // hash of its text
	Place string // hash of everything else: index, pages, range ...
	Index int    // in the document's order of chunks
}

// AllStamps gives what Store.ChunkStamps tells, by chunk id. A large document has a million of them.
func AllStamps(ctx context.Context, s Store, id job.ID) (map[string]Stamp, error) {
	stamps := map[string]Stamp{}
	for c, err := range s.ChunkStamps(ctx, id) {
		if err != nil {
			return nil, err
		}
		stamps[c.ID] = c.Stamp
	}
	return stamps, nil
}

// ChunkChange is what a new generation does to the document's chunk items.
type ChunkChange struct {
	Put    iter.Seq2[Chunk, error] // new or changed: written whole
	Move   iter.Seq2[Chunk, error] // same text in another place: fields are updated, foreign ones kept
	Remove []string                // ids
	// Touch renews the record that stands before the change, when it is written between two parts of it. Nil changes nothing.
	Touch func(Record) Record
}

// None tells whether there is nothing to change; nil sequences are empty.
func (c ChunkChange) None() bool { return c.Put == nil && c.Move == nil && len(c.Remove) == 0 }
