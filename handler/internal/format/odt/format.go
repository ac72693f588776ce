package odt

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/odf"
	"decant/handler/internal/xmltree"
)

// Format describes OpenDocument texts to the registry.
func Format() format.Format {
	return format.Format{
		Name:       "odt",
		Title:      "OpenDocument text",
		Extensions: []string{".odt", ".ott", ".fodt", ".odm", ".oth", ".sxw", ".stw"},
		MediaTypes: []string{
			"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text-template", "application/vnd.oasis.opendocument.text-flat-xml",
			"application/vnd.oasis.opendocument.text-master", "application/vnd.sun.xml.writer",
		},
		Description: "headings, numbering, lists, tables with spans, notes, comments, tracked changes, frames, formulas, charts, pictures, metadata",
		Match:       match,
		Parse:       Parse,
	}
}

func match(h *format.Head) int {
	if strings.HasPrefix(string(h.Member("mimetype")), "application/vnd.sun.xml.writer") {
		return format.Certain
	}
	return odf.Match(h, "text", ".odt", ".ott")
}

// Parse reads an OpenDocument text.
func Parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	p, err := odf.Open(in)
	if err != nil {
		return nil, err
	}
	d := &doc.Document{Format: "odt"}
	r := odf.NewReader(ctx, in, p, d)
	r.Math = latex
	flow := r.NewFlow()
	if err := r.Stream("office:text", func(n *xmltree.Node) { flow.Add(n) }); err != nil {
		return nil, err
	}
	d.Blocks = flow.Finish()
	r.Finish()
	return d, nil
}

// latex turns a formula's MathML, with or without a prefix on its names, into LaTeX.
func latex(mathML []byte) string {
	text := string(mathML)
	for _, prefix := range []string{"math:", "m:"} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "<"+prefix, "<"), "</"+prefix, "</")
	}
	start := strings.Index(text, "<math")
	if start < 0 {
		return ""
	}
	root, _ := htmldoc.Tree(text[start:])
	if math := find(root, "math"); math != nil {
		return htmldoc.LaTeX(math)
	}
	return ""
}

func find(n *html.Node, name string) *html.Node {
	if n == nil || n.Type == html.ElementNode && n.Data == name {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if found := find(c, name); found != nil {
			return found
		}
	}
	return nil
}
