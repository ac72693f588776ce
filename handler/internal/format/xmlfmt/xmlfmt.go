package xmlfmt

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/datadoc"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Format describes XML.
func Format() format.Format {
	return format.Format{
		Name: "xml", Title: "XML",
		Extensions:  []string{".xml", ".nxml", ".jats", ".dbk", ".docbook", ".rss", ".atom", ".tei", ".xbrl"},
		MediaTypes:  []string{"application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "application/docbook+xml", "application/jats+xml"},
		Description: "JATS, DocBook, RSS, Atom and Excel's XML of 2003 by their vocabulary; other XML as text or as data",
		Match:       match,
		Parse:       parse,
	}
}

var (
	xmlStart = lazyregexp.New(`^\s*(?:<\?xml\s|<!DOCTYPE\s+[\w:.-]+[\s>])`)
	anyStart = lazyregexp.New(`^\s*(?:<!--[\s\S]*?-->\s*)*<[A-Za-z_][\w:.-]*(?:\s+[\w:.-]+\s*=\s*["'][^"'<]*["'])*\s*/?>`)
)

func match(h *format.Head) int {
	switch {
	case h.Text == "":
		return 0
	case xmlStart.MatchString(h.Text):
		return 62
	case anyStart.MatchString(h.Text) && (h.HasExtension(".xml", ".nxml", ".rss", ".atom", ".dbk") || strings.Contains(h.Text[:min(len(h.Text), 4096)], "xmlns")):
		return 55
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	text := textfile.Decode(raw, d, htmldoc.Declared(raw)...)
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "xml")
	}
	roots := parseAll(ctx, d, text)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		if strings.TrimSpace(text) == "" {
			return nil, fault.New(fault.Corrupt, "The file has no XML in it, only white space.", nil)
		}
		d.Warn("repaired", "The XML is not well-formed and was kept as text.")
		return d, textfile.Lean(ctx, in, d, text, "xml")
	}
	for _, root := range roots {
		if err := write(ctx, in, d, root, text); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// parseAll reads the documents of a file: one, or several that were put one after the other, each with its own declaration.
func parseAll(ctx context.Context, d *doc.Document, text string) []*html.Node {
	var roots []*html.Node
	for _, part := range splitDocuments(text) {
		root, err := parseTree(ctx, d, part)
		if root != nil {
			roots = append(roots, root)
		}
		if err != nil && ctx.Err() == nil && root != nil {
			d.Warn("truncated", "The XML is not well-formed; it was read up to the damage ("+err.Error()+").")
		}
	}
	return roots
}

func splitDocuments(text string) []string {
	var parts []string
	for {
		i := strings.Index(text[min(1, len(text)):], "<?xml ")
		if i < 0 || len(parts) > 10_000 {
			return append(parts, text)
		}
		parts = append(parts, text[:i+1])
		text = text[i+1:]
	}
}

// write makes blocks of one root by the vocabulary that knows it.
func write(ctx context.Context, in *format.Input, d *doc.Document, root *html.Node, text string) error {
	v, known := vocabularyOf(root)
	if !known && !isProse(root) {
		d.Blocks = append(d.Blocks, datadoc.Blocks(ctx, []datadoc.Value{dataOf(root, 0)})...)
		return nil
	}
	if d.Metadata.Other == nil {
		d.Metadata.Other = map[string]string{}
	}
	d.Metadata.Other["vocabulary"] = v.name
	if v.metadata != nil {
		v.metadata(&d.Metadata, root)
	}
	page := rewriter{v: v}.page(root)
	return htmldoc.ConvertTree(ctx, d, page, text, htmldoc.Options{Files: in.Files, Hidden: "include", Lines: true})
}
