package cosmos

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Values of an item's type.
const (
	typeDocument = "document"
	typeChunk    = "chunk"
)

// recordItem is a record as it is stored.
type recordItem struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	UpdatedMS int64  `json:"updatedMs"` // Record.Updated for queries: texts of times do not compare as times
	Write     string `json:"write"`     // names this write, so that one whose answer was lost is recognized
	ledger.Record
	SystemETag string `json:"_etag,omitempty"`
}

func newRecordItem(r ledger.Record) (recordItem, []byte, error) {
	i := recordItem{ID: string(r.DocumentID), Type: typeDocument, UpdatedMS: r.Updated.UnixMilli(), Write: rand.Text(), Record: r}
	text, err := json.Marshal(i)
	return i, text, err
}

func parseRecord(text []byte, etag string) (recordItem, error) {
	var i recordItem
	if err := json.Unmarshal(text, &i); err != nil {
		return i, fmt.Errorf("read record: %w", err)
	}
	i.Record.ETag = etag
	if etag == "" {
		i.Record.ETag = i.SystemETag
	}
	return i, nil
}

func partition(id job.ID) azcosmos.PartitionKey { return azcosmos.NewPartitionKeyString(string(id)) }

// Fields that this package adds to a chunk's own; they are taken off when it is read.
const (
	fieldType  = "type"
	fieldText  = "textHash"
	fieldPlace = "placeHash"
)

// maxChunk is how large a chunk item may be, in bytes. A larger one is stored without its text, which stays in chunks.jsonl.
const maxChunk = 1_500_000

// chunkItem gives a chunk's item, as fields and as JSON.
func chunkItem(id job.ID, c ledger.Chunk) (map[string]json.RawMessage, []byte, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(c.Body, &fields); err != nil {
		return nil, nil, fmt.Errorf("read chunk %s: %w", c.ID, err)
	}
	for name, value := range map[string]any{
		"id": c.ID, "documentId": id, fieldType: typeChunk, fieldText: c.Stamp.Text, fieldPlace: c.Stamp.Place,
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, nil, err
		}
		fields[name] = text
	}
	if len(c.Body) > maxChunk {
		delete(fields, "text")
		fields["textRef"] = json.RawMessage(`"` + job.ChunksFile + `"`)
	}
	text, err := json.Marshal(fields)
	return fields, text, err
}

// parseChunk takes off what the service and this package added.
func parseChunk(text []byte) (ledger.Chunk, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return ledger.Chunk{}, fmt.Errorf("read chunk: %w", err)
	}
	var c ledger.Chunk
	for name, into := range map[string]*string{"id": &c.ID, fieldText: &c.Stamp.Text, fieldPlace: &c.Stamp.Place} {
		if err := json.Unmarshal(fields[name], into); err != nil {
			return ledger.Chunk{}, fmt.Errorf("read chunk: %w", err)
		}
	}
	if index, ok := fields["index"]; ok {
		if err := json.Unmarshal(index, &c.Stamp.Index); err != nil {
			return ledger.Chunk{}, fmt.Errorf("read chunk: %w", err)
		}
	}
	for _, name := range []string{fieldType, fieldText, fieldPlace, "_rid", "_self", "_etag", "_attachments", "_ts"} {
		delete(fields, name)
	}
	body, err := json.Marshal(fields)
	c.Body = body
	return c, err
}
