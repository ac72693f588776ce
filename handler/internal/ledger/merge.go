package ledger

import (
	"encoding/json"
	"fmt"
)

// MergeChunk gives a moved chunk's stored body: the fields of update over those of stored, so that fields which only the
// stored item has (somebody's embedding) stay.
func MergeChunk(stored, update json.RawMessage) (json.RawMessage, error) {
	merged := map[string]json.RawMessage{}
	if err := json.Unmarshal(stored, &merged); err != nil {
		return nil, fmt.Errorf("read stored chunk: %w", err)
	}
	if err := json.Unmarshal(update, &merged); err != nil {
		return nil, fmt.Errorf("read new chunk: %w", err)
	}
	return json.Marshal(merged)
}
