package pdf

import (
	"context"
	"io"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

// WriteDebug reads a document and writes an HTML page that shows each page's picture with what was found on it:
// words, lines, blocks in their order, tables with their cells, figures, notes, furniture and hidden text. It keeps no files.
func WriteDebug(ctx context.Context, options Options, in *format.Input, w io.Writer) error {
	r := &reader{engines: &engines{cacheDir: options.CacheDir}}
	defer r.engines.close()
	return r.debug(ctx, in, w)
}

// debug reads the document once more, as what is drawn is more than the document keeps: every word has a box here.
func (r *reader) debug(ctx context.Context, in *format.Input, w io.Writer) error {
	e, err := r.engines.take(ctx, engineMemory(in.Limits.Memory))
	if err != nil {
		return err
	}
	defer r.engines.giveBack(e)
	once := *in
	once.Files = nowhere{}
	once.Options.Images, once.Options.Attachments = "none", "list"
	words := map[int][]doc.Box{}
	job := &parse{ctx: ctx, in: &once, engine: e, out: &doc.Document{}, words: func(page int, box doc.Box) { words[page] = append(words[page], box) }}
	d, err := job.run()
	if err != nil {
		return err
	}
	if err := job.open(); err != nil {
		return err
	}
	out := newDebugPage(w, in.Name)
	for i := range d.Pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.Progress(i+1, len(d.Pages))
		out.page(d, i, words[i+1], func() []byte { return job.drawn(i) })
	}
	if e.Err() == nil {
		job.pdf.Close()
	}
	return out.end(d)
}

// drawn is picture, or nil once the engine has died: what was found is shown all the same.
func (p *parse) drawn(i int) []byte {
	if p.engine.Err() != nil {
		return nil
	}
	return p.picture(i)
}

// nowhere is a format.Files that keeps nothing.
type nowhere struct{}

func (nowhere) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	return doc.Image{ID: "image", MediaType: mediaType, Bytes: int64(len(data)), Source: source, Alt: alt}, nil
}

func (nowhere) Attachment(name, mediaType string, _ io.Reader) (doc.Attachment, error) {
	return doc.Attachment{Name: name, MediaType: mediaType}, nil
}
