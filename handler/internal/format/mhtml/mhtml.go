package mhtml

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/mail"
	"decant/handler/internal/textfile"
)

// Format describes MHTML.
func Format() format.Format {
	return format.Format{
		Name: "mhtml", Title: "Saved web page",
		Extensions: []string{".mhtml", ".mht"}, MediaTypes: []string{"multipart/related", "application/x-mimearchive"},
		Description: "the page with its pictures, frames included",
		Match:       match,
		Parse:       parse,
	}
}

// match tells a saved page from a mail: browsers write a location, and nobody sent it.
func match(h *format.Head) int {
	head, _, _ := strings.Cut(strings.ReplaceAll(h.Text, "\r\n", "\n"), "\n\n")
	lower := strings.ToLower(head[:min(len(head), 8<<10)])
	if !strings.Contains(lower, "content-type: multipart/related") && !strings.Contains(lower, "content-type: text/html") {
		return 0
	}
	switch {
	case strings.Contains(lower, "snapshot-content-location:"), strings.Contains(lower, "from: <saved by"):
		return 95
	case h.HasExtension(".mhtml", ".mht"):
		return 85
	case strings.Contains(lower, "\ncontent-location:") && !strings.Contains(lower, "\nreceived:") && !strings.Contains(lower, "\nto:"):
		return 85
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	d := &doc.Document{}
	m := mail.Parse(raw)
	pages := map[string]*mail.Part{}
	var root *mail.Part
	collect(m.Root, pages, &root)
	if root == nil {
		return nil, fault.New(fault.Corrupt, "The file has no web page in it.", nil)
	}
	text := root.Text(htmldoc.Declared(root.Bytes())...)
	textfile.Warn(d, text)
	if m.Unclosed > 0 {
		d.Warn("unclosed_boundary", "A multipart has no closing boundary; the page may be cut off.")
	}
	if m.Flattened > 0 {
		d.Warn("nesting_flattened", "Parts are nested deeper than the limit; they were read side by side.")
	}
	if m.Cut {
		d.Warn("limit_reached", "The page has more parts than are read; the rest was left out.")
	}
	base := root.Location
	if base == "" {
		base = m.Root.Header.Raw("snapshot-content-location")
	}
	p := pageReader{ctx: ctx, in: in, d: d, parts: pages, done: map[*mail.Part]bool{root: true}}
	if err := p.read(root, text.String, base, true); err != nil {
		return nil, err
	}
	if d.Metadata.Title == "" {
		d.Metadata.Title = m.Root.Header.Text("subject")
	}
	if d.Metadata.Created == "" {
		d.Metadata.Created = mail.Date(m.Root.Header.Raw("date"))
	}
	return d, nil
}

// collect lists the parts by location and id, and finds the root: the first page.
func collect(p *mail.Part, parts map[string]*mail.Part, root **mail.Part) {
	if *root == nil && (p.Type == "text/html" || p.Type == "application/xhtml+xml") {
		*root = p
	}
	if p.Location != "" {
		parts[p.Location] = p
	}
	if p.ID != "" {
		parts["cid:"+p.ID] = p
	}
	for _, child := range p.Parts {
		collect(child, parts, root)
	}
}

// pageReader reads the page and the pages in its frames.
type pageReader struct {
	ctx   context.Context
	in    *format.Input
	d     *doc.Document
	parts map[string]*mail.Part
	done  map[*mail.Part]bool
}

func (p *pageReader) read(part *mail.Part, text, base string, top bool) error {
	return htmldoc.Convert(p.ctx, p.d, text, htmldoc.Options{
		Base: base, Main: p.in.Options.HTML == "main", Files: p.in.Files, Hidden: p.in.Options.Hidden, Metadata: top,
		Place: doc.Place{Part: part.Path}, Resource: p.resource, Frame: p.frame,
	})
}

func (p *pageReader) find(reference string) *mail.Part {
	return p.parts[reference]
}

// maxPicture bounds a picture, in bytes.
const maxPicture = 64 << 20

func (p *pageReader) resource(reference string) ([]byte, string) {
	part := p.find(reference)
	if part == nil || len(part.Body) > 2*maxPicture {
		return nil, ""
	}
	return []byte(part.Bytes()), part.Type
}

// frame gives the page that a frame shows, once.
func (p *pageReader) frame(reference string) (string, bool) {
	part := p.find(reference)
	if part == nil || p.done[part] || part.Type != "text/html" {
		return "", false
	}
	p.done[part] = true
	return part.Text(htmldoc.Declared(part.Bytes())...).String, true
}
