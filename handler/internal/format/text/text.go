package text

import (
	"context"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/textfile"
)

// Format describes plain text.
func Format() format.Format {
	return format.Format{
		Name: "text", Title: "Plain text",
		Extensions:  []string{".txt", ".text", ".log", ".asc", ".nfo", ".me", ".1st"},
		MediaTypes:  []string{"text/plain"},
		Description: "any encoding; paragraphs, simple lists, aligned columns kept",
		Match:       match,
		Parse:       parse,
	}
}

// match takes whatever is text, with the lowest score, so that every format with structure comes first.
func match(h *format.Head) int {
	if h.Text != "" || len(h.Bytes) > 0 && charset.IsText(h.Bytes) {
		return format.Fallback
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "")
	}
	stanzas := textfile.Stanzas{Width: textfile.WrapWidth(text)}
	for line := range textfile.Lines(text) {
		if line.Number%4096 == 0 {
			in.Progress(0, 0)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		stanzas.Add(line)
	}
	d.Blocks = stanzas.Blocks()
	return d, nil
}
