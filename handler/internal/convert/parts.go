package convert

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/facts"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
	"decant/handler/internal/markdown"
	"decant/handler/internal/token"
)

// output writes document.md, document.json and chunks.jsonl, part by part: most documents are one part, the largest are many, of
// which only one is in memory.
type output struct {
	run     *run
	md      *file // nil when not wanted
	chunks  *file // nil when not wanted
	json    *file // nil when not wanted
	stream  jsonStream
	lines   chunkLines
	cut     chunk.Parts
	options chunk.Options
	chunked []chunk.Chunk // kept for the preview only

	ids   int // of blocks so far
	at    int // bytes of document.md so far
	shown bool
	sums  job.Counts
	parts int
	found doc.Metadata // in the first part
}

func (r *run) newOutput() (*output, error) {
	o := &output{run: r}
	var err error
	open := func(name, file, mediaType string) (f *file) {
		if err != nil || !r.options.Wants(name) {
			return nil
		}
		f, err = r.files.create(file, mediaType)
		return f
	}
	o.chunks = open("chunks", job.ChunksFile, "application/jsonl")
	o.md = open("md", job.MarkdownFile, "text/markdown; charset=utf-8")
	o.json = open("json", job.JSONFile, "application/json")
	if err == nil && o.cutsChunks() {
		o.options, err = r.chunkOptions()
	}
	if err != nil {
		o.discard()
		return nil, err
	}
	if o.chunks != nil {
		o.lines.w = o.chunks.to
	}
	if o.json != nil {
		o.stream.w = o.json.to
		o.stream.object(r.jsonHead())
		o.stream.open("blocks")
	}
	return o, nil
}

// cutsChunks: chunks are wanted by themselves or for the preview.
func (o *output) cutsChunks() bool {
	return o.run.options.Wants("chunks") || o.run.options.Wants("preview")
}

// takesParts: what is wanted can be written without holding the whole document. Where nothing is written there is no output.
func (o *output) takesParts() bool {
	return o != nil && !o.run.options.Wants("docling") && !o.run.options.Wants("preview")
}

func (r *run) chunkOptions() (chunk.Options, error) {
	o := r.options
	counter, err := token.New(o.Tokenizer)
	if err != nil {
		return chunk.Options{}, fault.New(fault.BadRequest, fmt.Sprintf("The tokenizer %q cannot be used. Choose one of %s, or the path of a tokenizer.json.", o.Tokenizer, strings.Join(token.Names(), ", ")), err)
	}
	return chunk.Options{
		DocumentID: string(r.req.Job.ID), Counter: counter, MaxTokens: o.MaxTokens, MinTokens: o.MinTokens, Overlap: o.Overlap,
		Strategy: o.Strategy, TableFormat: o.TableFormat, NoMerge: o.NoMerge,
	}, nil
}

// part writes a part of a large document. It is the parsers' Input.Part.
func (o *output) part(d *doc.Document, p format.Part) error {
	view := &doc.Document{Metadata: d.Metadata, Pages: d.Pages, Images: d.Images, Warnings: d.Warnings}
	if o.parts == 0 {
		view.Blocks, view.Metadata.Sources = p.Blocks, nil
		facts.Fill(view)
		o.found = view.Metadata
	}
	o.parts++
	view.Blocks = p.Blocks[p.Above:]
	o.ids = view.FinishAfter(o.ids)
	view.Blocks = append(p.Blocks[:p.Above:p.Above], view.Blocks...)
	if err := o.add(view, p); err != nil {
		return err
	}
	d.Warnings = view.Warnings
	return nil
}

// last writes what the parser returned.
func (o *output) last(d *doc.Document) error {
	if o.parts > 0 {
		facts.Adopt(d, o.found)
	}
	facts.Fill(d)
	d.FinishAfter(o.ids)
	return o.add(d, format.Part{})
}

// add renders, cuts and writes the blocks of d. They are counted and written as JSON beside the rest: both only read.
func (o *output) add(d *doc.Document, p format.Part) error {
	written := make(chan error, 1)
	go func() {
		o.count(d.Blocks[p.Above:])
		if o.json != nil {
			o.stream.blocks(d.Blocks[p.Above:])
		}
		written <- o.stream.err
	}()
	err := o.text(d, p)
	return cmp.Or(<-written, err)
}

// text writes the Markdown and the chunks.
func (o *output) text(d *doc.Document, p format.Part) error {
	r := o.run
	r.progress("render", 0, 0)
	md := markdown.Render(d, markdown.Options{
		Hidden:    r.options.Hidden == "include",
		Furniture: r.options.Furniture == "keep",
		Comments:  r.options.Comments == "include",
	})
	at := chunk.Section{Known: known(md, p), At: o.at}
	text := md.Text[at.Known:]
	if o.at > 0 && text != "" {
		text, at.At = "\n"+text, o.at+1
	}
	o.at += len(text)
	o.sums.Characters += utf8.RuneCountInString(text)
	o.shown = o.shown || strings.TrimSpace(text) != ""
	if o.md != nil {
		if _, err := io.WriteString(o.md.to, text); err != nil {
			return fmt.Errorf("write %s: %w", o.md.name, err)
		}
	}
	if !o.cutsChunks() {
		return nil
	}
	r.progress("chunk", 0, 0)
	return o.cutText(d, md, at)
}

// known is how many bytes at the start of a part's Markdown an earlier part has shown.
func known(md *markdown.Output, p format.Part) int {
	next := int32(0)
	for range p.Above {
		if int(next) < len(md.Nodes) {
			next = md.Nodes[next].Last
		}
	}
	if p.Continues && int(next)+1 < len(md.Nodes) && md.Nodes[next+1].Kind == markdown.LabelNode {
		next = md.Nodes[next+1].Last
	}
	switch {
	case next == 0:
		return 0
	case int(next) == len(md.Nodes):
		return len(md.Text)
	}
	return md.Nodes[next].Start
}

func (o *output) cutText(d *doc.Document, md *markdown.Output, at chunk.Section) error {
	chunks, err := o.cut.Split(d, md, o.options, at)
	if err != nil {
		return fault.New(fault.BadRequest, "The chunk options do not go together: "+err.Error()+".", err)
	}
	o.sums.Chunks += len(chunks)
	for i := range chunks {
		o.sums.Tokens += chunks[i].Tokens
	}
	if o.run.options.Wants("preview") {
		o.chunked = chunks
	}
	if o.chunks == nil {
		return nil
	}
	for i := range chunks {
		if err := o.lines.write(&chunks[i]); err != nil {
			return fmt.Errorf("write %s: %w", o.chunks.name, err)
		}
	}
	return nil
}

func (o *output) count(blocks []doc.Block) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		o.sums.Blocks++
		if b.Kind == doc.Table {
			o.sums.Tables++
		}
		return true
	})
}

// counts are the sums over all parts.
func (o *output) counts(d *doc.Document, paged string) job.Counts {
	counts := o.sums
	counts.Images = len(d.Images)
	switch paged {
	case "page":
		counts.Pages = len(d.Pages)
	case "slide":
		counts.Slides = len(d.Pages)
	case "sheet":
		counts.Sheets = len(d.Pages)
	}
	return counts
}

func (o *output) isEmpty(d *doc.Document) bool {
	return !o.shown && len(d.Images) == 0 && len(d.Attachments) == 0
}

// close writes the end of document.json and closes the files.
func (o *output) close(d *doc.Document, result *job.Result) error {
	if o.json != nil {
		rest := *d
		rest.Blocks = nil
		o.stream.shut()
		o.stream.object(jsonTail{Conversion: o.run.conversion(result), Counts: result.Counts})
		o.stream.object(rest)
		o.stream.end()
		if o.stream.err != nil {
			return fmt.Errorf("write %s: %w", o.json.name, o.stream.err)
		}
	}
	for _, f := range []*file{o.chunks, o.md, o.json} {
		if f == nil {
			continue
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

// discard closes files that were not finished.
func (o *output) discard() {
	for _, f := range []*file{o.chunks, o.md, o.json} {
		if f != nil {
			f.discard()
		}
	}
}
