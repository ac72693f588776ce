package epub

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
)

// Format describes EPUB books to the registry.
func Format() format.Format {
	return format.Format{
		Name:        "epub",
		Title:       "EPUB book",
		Extensions:  []string{".epub"},
		MediaTypes:  []string{"application/epub+zip"},
		Description: "chapters in the order of the spine, labelled by the navigation, with notes, tables, formulas, pictures and metadata",
		Match:       match,
		Parse:       Parse,
	}
}

func match(h *format.Head) int {
	if strings.HasPrefix(strings.TrimSpace(string(h.Member("mimetype"))), "application/epub+zip") {
		return format.Certain
	}
	if h.HasMember("META-INF/container.xml") {
		for _, name := range h.Members {
			if strings.HasSuffix(strings.ToLower(name), ".opf") {
				return format.Structure
			}
		}
	}
	if h.IsTornPackage(".epub") {
		return format.Structure
	}
	return 0
}

// Parse reads an EPUB book.
func Parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	b, err := open(in)
	if err != nil {
		return nil, err
	}
	d := &doc.Document{Format: "epub"}
	for _, note := range b.zip.Notes() {
		d.Warn("repaired", note)
	}
	b.metadata(&d.Metadata)
	r := &reader{ctx: ctx, in: in, book: b, doc: d, toc: b.contents(), sheets: map[string]htmldoc.Styles{}}
	if err := r.chapters(); err != nil {
		return nil, err
	}
	return d, nil
}
