package pipeline

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// maxLine bounds one line of chunks.jsonl, in bytes.
const maxLine = 64 << 20

// chunkSource opens chunks.jsonl; it is read more than once. A nil reader means that there is none.
type chunkSource func() (io.ReadCloser, error)

func fileChunks(path string) chunkSource {
	return func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return file, err
	}
}

// compareChunks finds what a new generation changes in the document's chunk items. It holds ids and hashes in memory,
// not texts: the change reads them from source again when it is written.
func (p *Pipeline) compareChunks(ctx context.Context, id job.ID, source chunkSource) (ledger.ChunkChange, *ledger.Changes, error) {
	stored, err := p.Ledger.Store().ChunkStamps(ctx, id)
	if err != nil {
		return ledger.ChunkChange{}, nil, err
	}
	put, move, changes := map[string]bool{}, map[string]bool{}, &ledger.Changes{}
	for c, err := range readChunks(source, nil) {
		if err != nil {
			return ledger.ChunkChange{}, nil, err
		}
		before, known := stored[c.ID]
		delete(stored, c.ID)
		switch {
		case !known:
			changes.Added++
			put[c.ID] = true
		case before.Text != c.Stamp.Text:
			changes.Changed++
			put[c.ID] = true
		case before.Place != c.Stamp.Place:
			changes.Moved++
			changes.Unchanged++
			move[c.ID] = true
		default:
			changes.Unchanged++
		}
	}
	change := ledger.ChunkChange{}
	if len(put) > 0 {
		change.Put = readChunks(source, put)
	}
	if len(move) > 0 {
		change.Move = readChunks(source, move)
	}
	for gone := range stored {
		changes.Removed++
		change.Remove = append(change.Remove, gone)
	}
	return change, changes, nil
}

// readChunks reads the lines of chunks.jsonl whose ids are wanted; nil wants all.
func readChunks(source chunkSource, wanted map[string]bool) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		r, err := source()
		if err != nil {
			yield(ledger.Chunk{}, err)
			return
		}
		if r == nil {
			return
		}
		defer r.Close()
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 64<<10), maxLine)
		for lines.Scan() {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			c, err := parseChunk(lines.Bytes())
			if err == nil && wanted != nil && !wanted[c.ID] {
				continue
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(ledger.Chunk{}, fmt.Errorf("read chunks: %w", err))
		}
	}
}

// parseChunk makes a chunk item of a line: its text's hash, and a hash of all its other fields.
func parseChunk(line []byte) (ledger.Chunk, error) {
	fields := map[string]json.RawMessage{}
	var head struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	if err := errors.Join(json.Unmarshal(line, &fields), json.Unmarshal(line, &head)); err != nil || head.ID == "" {
		return ledger.Chunk{}, fault.New(fault.Internal, "", fmt.Errorf("chunks.jsonl has a line that is not a chunk: %w", err))
	}
	delete(fields, "text")
	rest, err := json.Marshal(fields)
	if err != nil {
		return ledger.Chunk{}, err
	}
	return ledger.Chunk{
		ID:    head.ID,
		Stamp: ledger.Stamp{Text: shortHash([]byte(head.Text)), Place: shortHash(rest)},
		Body:  bytes.Clone(line),
	}, nil
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
