package rtf

import (
	"bytes"
	"context"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Format describes Rich Text to the registry.
func Format() format.Format {
	return format.Format{
		Name:        "rtf",
		Title:       "Rich Text",
		Extensions:  []string{".rtf"},
		MediaTypes:  []string{"application/rtf", "text/rtf", "text/richtext"},
		Description: "text in any code page, styles, lists with their labels, tables with spans and nested, notes, comments, tracked changes, equations, pictures, metadata",
		Match:       match,
		Parse:       Parse,
	}
}

func match(h *format.Head) int {
	switch {
	case h.HasPrefix(`{\rtf`):
		return format.Certain
	case bytes.HasPrefix(bytes.TrimLeft(h.Bytes, "\xef\xbb\xbf \t\r\n"), []byte(`{\rtf`)):
		return format.Structure
	}
	return 0
}

// Parse reads a Rich Text document.
func Parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	if in.Size == 0 {
		return nil, fault.New(fault.Empty, "", nil)
	}
	p := newParser(ctx, in)
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.doc, nil
}
