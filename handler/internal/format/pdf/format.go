package pdf

import (
	"bytes"
	"context"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

// Options say what the reader needs to know of the process it runs in.
type Options struct {
	// CacheDir is where pdfium.Warm put the compiled engine. Empty, or unusable: the engine is compiled in memory, in seconds.
	CacheDir string
}

// Format is the format for the list of formats.
func Format(options Options) format.Format {
	r := &reader{engines: &engines{cacheDir: options.CacheDir}}
	return format.Format{
		Name:        "pdf",
		Title:       "PDF",
		Extensions:  []string{".pdf"},
		MediaTypes:  []string{"application/pdf", "application/x-pdf"},
		Paged:       "page",
		Description: "text in reading order, headings, lists, tables, footnotes, links, pictures, furniture, hidden text, metadata",
		Match:       match,
		Warm:        r.warm,
		Parse:       r.parse,
		Check:       r.check,
		Draw:        r.draw,
		Layout:      r.debug,
	}
}

// match looks for the header, which readers accept within the first 1024 bytes (ISO 32000-2, annex I).
func match(h *format.Head) int {
	at := bytes.Index(h.Bytes[:min(len(h.Bytes), 1024+5)], []byte("%PDF-"))
	switch {
	case at == 0:
		return 100
	case at > 0:
		return 90
	}
	return 0
}

type reader struct{ engines *engines }

// warm loads the engine, which takes longer than reading most documents.
func (r *reader) warm(ctx context.Context, limits format.Limits) error {
	e, err := r.engines.take(ctx, engineMemory(limits.Memory))
	if err == nil {
		r.engines.giveBack(e)
	}
	return err
}

func (r *reader) parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	e, err := r.engines.take(ctx, engineMemory(in.Limits.Memory))
	if err != nil {
		return nil, err
	}
	defer r.engines.giveBack(e)
	job := &parse{ctx: ctx, in: in, engine: e, out: &doc.Document{}}
	return job.run()
}
