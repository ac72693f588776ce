package convert

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/docling"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
	"decant/handler/internal/markdown"
	"decant/handler/internal/token"
)

// write renders, cuts and writes everything that the options ask for.
func (r *run) write(ctx context.Context, d *doc.Document, found format.Detection, input *os.File) (job.Result, error) {
	if err := ctx.Err(); err != nil {
		return job.Result{}, err
	}
	result := r.result(d, found)
	md := r.render(d, &result)
	chunks, err := r.writeChunks(d, md, &result)
	if err != nil {
		return job.Result{}, err
	}
	for _, output := range []struct {
		name, file, mediaType string
		fill                  func(io.Writer) error
	}{
		{"md", job.MarkdownFile, "text/markdown; charset=utf-8", func(w io.Writer) error { _, err := io.WriteString(w, md.Text); return err }},
		{"json", job.JSONFile, "application/json", func(w io.Writer) error { return r.writeJSON(w, d, &result) }},
		{"docling", job.DoclingFile, "application/json", func(w io.Writer) error { return docling.Write(w, d, r.req.Job.Source.Name()) }},
		{"layout", job.LayoutFile, "text/html; charset=utf-8", func(w io.Writer) error { return r.writeLayout(ctx, w, found, input) }},
		{"preview", job.PreviewFile, "text/html; charset=utf-8", func(w io.Writer) error { return r.writePreview(ctx, w, d, chunks, found, input) }},
	} {
		if !r.options.Wants(output.name) {
			continue
		}
		r.progress("write", 0, 0)
		if err := r.files.write(output.file, output.mediaType, output.fill); err != nil {
			return job.Result{}, err
		}
	}
	result.Files = r.files.written
	return result, nil
}

func (r *run) render(d *doc.Document, result *job.Result) *markdown.Output {
	r.progress("render", 0, 0)
	md := markdown.Render(d, markdown.Options{
		Hidden:    r.options.Hidden == "include",
		Furniture: r.options.Furniture == "keep",
		Comments:  r.options.Comments == "include",
	})
	result.Counts.Characters = utf8.RuneCountInString(md.Text)
	result.Empty = strings.TrimSpace(md.Text) == "" && len(d.Images) == 0 && len(d.Attachments) == 0
	return md
}

// writeChunks cuts the document where chunks are wanted, by themselves or for the preview.
func (r *run) writeChunks(d *doc.Document, md *markdown.Output, result *job.Result) ([]chunk.Chunk, error) {
	if !r.options.Wants("chunks") && !r.options.Wants("preview") {
		return nil, nil
	}
	r.progress("chunk", 0, 0)
	chunks, err := r.chunks(d, md)
	if err != nil {
		return nil, err
	}
	result.Counts.Chunks = len(chunks)
	for i := range chunks {
		result.Counts.Tokens += chunks[i].Tokens
	}
	if !r.options.Wants("chunks") {
		return chunks, nil
	}
	return chunks, r.files.write(job.ChunksFile, "application/jsonl", func(w io.Writer) error {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for i := range chunks {
			if err := lines.Encode(&chunks[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *run) chunks(d *doc.Document, md *markdown.Output) ([]chunk.Chunk, error) {
	o := r.options
	counter, err := token.New(o.Tokenizer)
	if err != nil {
		return nil, fault.New(fault.BadRequest, fmt.Sprintf("The tokenizer %q cannot be used. Choose one of %s, or the path of a tokenizer.json.", o.Tokenizer, strings.Join(token.Names(), ", ")), err)
	}
	chunks, err := chunk.Split(d, md, chunk.Options{
		DocumentID: string(r.req.Job.ID), Counter: counter, MaxTokens: o.MaxTokens, MinTokens: o.MinTokens, Overlap: o.Overlap,
		Strategy: o.Strategy, TableFormat: o.TableFormat, NoMerge: o.NoMerge,
	})
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The chunk options do not go together: "+err.Error()+".", err)
	}
	return chunks, nil
}

func (r *run) result(d *doc.Document, found format.Detection) job.Result {
	result := job.Result{
		Format:      string(found.Format.Name),
		Title:       d.Metadata.Title,
		Language:    d.Metadata.Language,
		Counts:      count(d, found.Format.Paged),
		ContentHash: r.hash,
		Fingerprint: r.options.Fingerprint(r.converter.version),
		Version:     r.converter.version,
		Warnings:    classes(d.Warnings),
	}
	for _, a := range d.Attachments {
		result.Attachments = append(result.Attachments, job.Attachment{
			Name: a.Name, File: a.File, MediaType: a.MediaType, Bytes: a.Bytes, Fault: a.Fault, Message: a.Message,
		})
	}
	return result
}

func count(d *doc.Document, paged string) job.Counts {
	counts := job.Counts{Images: len(d.Images)}
	switch paged {
	case "page":
		counts.Pages = len(d.Pages)
	case "slide":
		counts.Slides = len(d.Pages)
	case "sheet":
		counts.Sheets = len(d.Pages)
	}
	doc.Walk(d.Blocks, func(b *doc.Block) bool {
		counts.Blocks++
		if b.Kind == doc.Table {
			counts.Tables++
		}
		return true
	})
	return counts
}

// classes adds the warnings up by class.
func classes(warnings []doc.Warning) []job.Warning {
	sums := map[doc.Class]int{}
	for _, w := range warnings {
		sums[w.Class] += max(1, w.Count)
	}
	list := make([]job.Warning, 0, len(sums))
	for class, n := range sums {
		list = append(list, job.Warning{Class: string(class), Count: n})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Class < list[j].Class })
	return list
}

// jsonHead is the first part of document.json; the members of doc.Document follow it in the same object.
type jsonHead struct {
	Schema     string         `json:"schema"`
	DocumentID job.ID         `json:"documentId"`
	Source     jsonSource     `json:"source"`
	Conversion jsonConversion `json:"conversion"`
	Counts     job.Counts     `json:"counts"`
}

type jsonSource struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	MediaType string `json:"mediaType,omitempty"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Parent    job.ID `json:"parent,omitempty"`
}

type jsonConversion struct {
	Version     string      `json:"version"`
	Fingerprint string      `json:"fingerprint"`
	Options     job.Options `json:"options"`
	Seconds     float64     `json:"seconds"`    // until this file was written
	PeakMemory  int64       `json:"peakMemory"` // bytes, until this file was written
}

// documentSchema names the version of document.json's form; docs/schemas/document.schema.json describes it.
const documentSchema = "decant/document/1"

// writeJSON writes document.json block by block, so that a large document is never in memory twice.
func (r *run) writeJSON(w io.Writer, d *doc.Document, result *job.Result) error {
	source := r.req.Job.Source
	head := jsonHead{
		Schema:     documentSchema,
		DocumentID: r.req.Job.ID,
		Source:     jsonSource{Name: source.Name(), Path: source.Path, MediaType: source.MediaType, Bytes: r.size, SHA256: r.hash, Parent: source.Parent},
		Conversion: r.conversion(result),
		Counts:     result.Counts,
	}
	rest := *d
	rest.Blocks = nil
	buffered := bufio.NewWriterSize(w, 64<<10)
	s := jsonStream{w: buffered}
	s.object(head)
	s.list("blocks", len(d.Blocks), func(i int) any { return &d.Blocks[i] })
	s.object(rest)
	s.end()
	if s.err != nil {
		return s.err
	}
	return buffered.Flush()
}

// jsonStream writes one object from members of several values.
type jsonStream struct {
	w     io.Writer
	err   error
	begun bool
}

func (s *jsonStream) print(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, text)
	}
}

func (s *jsonStream) encode(v any) []byte {
	if s.err != nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		s.err = err
	}
	return text
}

// object adds the members of v, except an empty "blocks".
func (s *jsonStream) object(v any) {
	var members map[string]json.RawMessage
	if text := s.encode(v); s.err == nil {
		s.err = json.Unmarshal(text, &members)
	}
	delete(members, "blocks")
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		s.member(name)
		s.print(string(members[name]))
	}
}

func (s *jsonStream) list(name string, n int, item func(int) any) {
	s.member(name)
	s.print("[")
	for i := range n {
		if i > 0 {
			s.print(",\n")
		}
		s.print(string(s.encode(item(i))))
	}
	s.print("]")
}

func (s *jsonStream) member(name string) {
	if s.begun {
		s.print(",\n")
	} else {
		s.print("{\n")
	}
	s.begun = true
	s.print(string(s.encode(name)) + ": ")
}

func (s *jsonStream) end() { s.print("\n}\n") }
