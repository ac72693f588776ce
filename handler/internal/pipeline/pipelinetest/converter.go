package pipelinetest

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Converter converts a small language of its own, line by line. A plain line becomes a chunk of its text. These lines do more:
//
//	!fault KIND         fail with that kind
//	!fault KIND shared  fail with that kind unless run alone
//	!wait               wait until the context ends, or Release is closed
//	!attach NAME TEXT   a document inside this one; "\n" in TEXT is a line break
type Converter struct {
	Release chan struct{} // may be nil
	Started chan job.ID   // may be nil; hears of every conversion that comes to a !wait

	mu    sync.Mutex
	count map[job.ID]int
}

// Conversions tells how often a document was converted; "" counts all.
func (c *Converter) Conversions(id job.ID) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != "" {
		return c.count[id]
	}
	n := 0
	for _, count := range c.count {
		n += count
	}
	return n
}

// Convert implements pipeline.Converter.
func (c *Converter) Convert(ctx context.Context, req job.Request) (job.Result, job.Usage, error) {
	c.mu.Lock()
	if c.count == nil {
		c.count = map[job.ID]int{}
	}
	c.count[req.Job.ID]++
	c.mu.Unlock()
	usage := job.Usage{PeakMemory: 42 * job.MiB, Last: job.Progress{Stage: "parse", Page: 3}, Stderr: "the last words"}
	w := &writing{ctx: ctx, converter: c, req: req, seen: map[string]int{}}
	if err := w.read(); err != nil {
		return job.Result{}, usage, err
	}
	err := w.write()
	return w.result, usage, err
}

// writing is one conversion.
type writing struct {
	ctx       context.Context
	converter *Converter
	req       job.Request
	result    job.Result
	markdown  strings.Builder
	chunks    strings.Builder
	seen      map[string]int
}

func (w *writing) read() error {
	file, err := os.Open(w.req.Input)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if err := w.line(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (w *writing) line(text string) error {
	command, rest, _ := strings.Cut(text, " ")
	switch command {
	case "!fault":
		kind, shared, _ := strings.Cut(rest, " ")
		if shared == "shared" && w.req.Alone {
			return nil
		}
		return fault.New(fault.Kind(kind), "", nil)
	case "!wait":
		return w.wait()
	case "!attach":
		return w.attach(rest)
	}
	return w.chunk(text)
}

func (w *writing) wait() error {
	w.req.Progress(job.Progress{Stage: "parse", Page: 3})
	if w.converter.Started != nil {
		w.converter.Started <- w.req.Job.ID
	}
	select {
	case <-w.ctx.Done():
		return w.ctx.Err()
	case <-w.converter.Release:
		return nil
	}
}

func (w *writing) attach(rest string) error {
	name, text, _ := strings.Cut(rest, " ")
	text = strings.ReplaceAll(text, `\n`, "\n")
	file := fmt.Sprintf("%s/%d%s", job.AttachDir, len(w.result.Attachments)+1, filepath.Ext(name))
	w.result.Attachments = append(w.result.Attachments, job.Attachment{Name: name, File: file, Bytes: int64(len(text))})
	return w.save(file, text, "application/octet-stream")
}

// chunk writes one line as a chunk whose id depends on its text's first word, so that tests can change texts and places.
func (w *writing) chunk(text string) error {
	w.markdown.WriteString(text + "\n")
	word, _, _ := strings.Cut(text, " ")
	w.seen[word]++
	line, err := json.Marshal(map[string]any{
		"id": fmt.Sprintf("%s-%s-%d", w.req.Job.ID, word, w.seen[word]), "documentId": w.req.Job.ID,
		"index": w.result.Counts.Chunks, "text": text,
	})
	w.result.Counts.Chunks++
	w.chunks.Write(append(line, '\n'))
	return err
}

func (w *writing) write() error {
	w.result.Format, w.result.Empty = "test", w.result.Counts.Chunks == 0 && len(w.result.Attachments) == 0
	for _, f := range []struct{ path, text, mediaType string }{
		{job.MarkdownFile, w.markdown.String(), "text/markdown"},
		{job.JSONFile, w.json(), "application/json"},
		{job.ChunksFile, w.chunks.String(), "application/jsonl"},
	} {
		if err := w.save(f.path, f.text, f.mediaType); err != nil {
			return err
		}
	}
	return nil
}

// json is document.json with what tells documents apart.
func (w *writing) json() string {
	s := w.req.Job.Source
	text, err := json.Marshal(map[string]any{"documentId": w.req.Job.ID, "source": map[string]any{"name": s.Name(), "path": s.Path, "bytes": s.Size}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (w *writing) save(path, text, mediaType string) error {
	file := filepath.Join(w.req.OutDir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(text))
	w.result.Files = append(w.result.Files, job.File{Path: path, Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), MediaType: mediaType})
	return os.WriteFile(file, []byte(text), 0o644)
}
