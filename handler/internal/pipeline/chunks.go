package pipeline

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

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
func (p *Pipeline) stamps(ctx context.Context, r ledger.Record) (*known, error) {
	if r.Generation <= 1 {
		return &known{}, nil
	}
	return readKnown(string(r.DocumentID), p.Ledger.Store().ChunkStamps(ctx, r.DocumentID))
}

// compareChunks finds what a new generation changes in the document's chunk items. It holds no texts in memory: the change reads
// them from source again when it is written.
func (p *Pipeline) compareChunks(ctx context.Context, r ledger.Record, source chunkSource) (ledger.ChunkChange, *ledger.Changes, error) {
	stored, err := p.stamps(ctx, r)
	if err != nil {
		return ledger.ChunkChange{}, nil, err
	}
	if len(stored.list) == 0 {
		return allNew(source)
	}
	var counts [added + 1]int
	var order []int32 // of the new chunks, as they are stored
	for c, err := range readChunks(source, nil) {
		if err != nil {
			return ledger.ChunkChange{}, nil, err
		}
		d, at := stored.compare(&c)
		counts[d]++
		order = append(order, int32(at))
		if at != none {
			stored.list[at].seen = true
		}
	}
	change := ledger.ChunkChange{Remove: stored.removed()}
	if counts[added]+counts[changed] > 0 {
		change.Put = readChunks(source, func(c *ledger.Chunk) bool { d, _ := stored.compare(c); return d >= changed })
	}
	if counts[moved] > 0 {
		change.Move = readChunks(source, func(c *ledger.Chunk) bool { d, _ := stored.compare(c); return d == moved })
	}
	rewritten := stored.rewrites(order)
	return change, &ledger.Changes{
		Added: counts[added] - rewritten, Changed: counts[changed] + rewritten, Moved: counts[moved],
		Unchanged: counts[same] + counts[moved], Removed: len(change.Remove) - rewritten,
	}, nil
}

// allNew is the change of a document that has no chunk items yet.
func allNew(source chunkSource) (ledger.ChunkChange, *ledger.Changes, error) {
	changes := &ledger.Changes{}
	for _, err := range chunkLines(source) {
		if err != nil {
			return ledger.ChunkChange{}, nil, err
		}
		changes.Added++
	}
	if changes.Added == 0 {
		return ledger.ChunkChange{}, changes, nil
	}
	return ledger.ChunkChange{Put: readChunks(source, nil)}, changes, nil
}

// readChunks reads the chunks of chunks.jsonl that are wanted; nil wants all.
func readChunks(source chunkSource, wanted func(*ledger.Chunk) bool) iter.Seq2[ledger.Chunk, error] {
	return func(yield func(ledger.Chunk, error) bool) {
		for line, err := range chunkLines(source) {
			var c ledger.Chunk
			if err == nil {
				c, err = parseChunk(line)
			}
			if err == nil && wanted != nil && !wanted(&c) {
				continue
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// chunkLines reads the lines of chunks.jsonl that are not blank. A line is good until the next.
func chunkLines(source chunkSource) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		r, err := source()
		if err != nil {
			yield(nil, err)
			return
		}
		if r == nil {
			return
		}
		defer r.Close()
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 64<<10), maxLine)
		for lines.Scan() {
			if len(bytes.TrimSpace(lines.Bytes())) > 0 && !yield(lines.Bytes(), nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("read chunks: %w", err))
		}
	}
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
