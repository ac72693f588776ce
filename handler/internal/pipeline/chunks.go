package pipeline

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"

	"decant/handler/internal/fault"
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

// stamps reads what is known of the document's chunk items. Nobody wrote any before the first generation.
func (p *Pipeline) stamps(ctx context.Context, r ledger.Record) (map[string]ledger.Stamp, error) {
	if r.Generation <= 1 {
		return map[string]ledger.Stamp{}, nil
	}
	return p.Ledger.Store().ChunkStamps(ctx, r.DocumentID)
}

// compareChunks finds what a new generation changes in the document's chunk items. It holds ids and hashes in memory,
// not texts: the change reads them from source again when it is written.
func (p *Pipeline) compareChunks(ctx context.Context, r ledger.Record, source chunkSource) (ledger.ChunkChange, *ledger.Changes, error) {
	stored, err := p.stamps(ctx, r)
	if err != nil {
		return ledger.ChunkChange{}, nil, err
	}
	put, move, changes := map[string]bool{}, map[string]bool{}, &ledger.Changes{}
	before := maps.Clone(stored)
	var order []string // of the new chunks
	for c, err := range readChunks(source, nil) {
		if err != nil {
			return ledger.ChunkChange{}, nil, err
		}
		old, known := stored[c.ID]
		order = append(order, c.ID)
		delete(stored, c.ID)
		switch {
		case !known:
			changes.Added++
			put[c.ID] = true
		case old.Text != c.Stamp.Text:
			changes.Changed++
			put[c.ID] = true
		case old.Place != c.Stamp.Place:
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
	rewritten := rewrites(before, order)
	changes.Changed, changes.Added, changes.Removed = changes.Changed+rewritten, changes.Added-rewritten, changes.Removed-rewritten
	return change, changes, nil
}

// rewrites counts the chunks that took another's place: the same number removed and added after the same chunk that stayed.
func rewrites(before map[string]ledger.Stamp, after []string) (n int) {
	gaps := map[string]int{} // removed after the chunk that stayed; "" is the beginning
	kept := make(map[string]bool, len(after))
	for _, id := range after {
		_, kept[id] = before[id]
	}
	ids := slices.SortedFunc(maps.Keys(before), func(a, b string) int { return cmp.Compare(before[a].Index, before[b].Index) })
	for last, i := "", 0; i < len(ids); i++ {
		if id := ids[i]; kept[id] {
			last = id
		} else {
			gaps[last]++
		}
	}
	last := ""
	for _, id := range after {
		switch {
		case kept[id]:
			last = id
		case gaps[last] > 0:
			gaps[last]--
			n++
		}
	}
	return n
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
		ID    string `json:"id"`
		Index int    `json:"index"`
		Text  string `json:"text"`
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
		Stamp: ledger.Stamp{Text: shortHash([]byte(head.Text)), Place: shortHash(rest), Index: head.Index},
		Body:  bytes.Clone(line),
	}, nil
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
