package convert

import (
	"cmp"
	"context"
	"io"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/preview"
)

// Page pictures are a help, so they stay small: the first pages that hold chunks, up to so many bytes of PNG together.
// The page holds them as text, a third larger, and more than once while it is written.
const (
	maxPictures     = 300
	maxPictureBytes = 16 << 20
)

// writePreview writes the page that shows the chunks. Pages that have no picture are shown as outlines.
func (r *run) writePreview(ctx context.Context, w io.Writer, d *doc.Document, chunks []chunk.Chunk, found format.Detection) error {
	pictures, err := r.pictures(ctx, chunks, found)
	if err != nil {
		return err
	}
	p := preview.Preview{Title: cmp.Or(d.Metadata.Title, r.req.Job.Source.Name()), Limit: r.options.MaxTokens, Chunks: chunks}
	for _, page := range d.Pages {
		if page.Width > 0 && page.Height > 0 {
			p.Pages = append(p.Pages, preview.Page{Number: page.Number, Width: page.Width, Height: page.Height, PNG: pictures[page.Number]})
		}
	}
	return preview.Write(w, p)
}

// pictures draws the pages of the chunks within the bounds. What the format's drawing dies of costs the pictures, not the document.
func (r *run) pictures(ctx context.Context, chunks []chunk.Chunk, found format.Detection) (pictures map[int][]byte, err error) {
	pictures = map[int][]byte{}
	pages := pagesOf(chunks)
	if found.Format.Draw == nil || len(pages) == 0 {
		return pictures, nil
	}
	defer func() {
		if recover() != nil {
			err = ctx.Err()
		}
	}()
	left := maxPictureBytes
	_ = found.Format.Draw(ctx, r.formatInput("preview"), pages, func(page int, png []byte) bool {
		left -= len(png)
		if left >= 0 {
			pictures[page] = png
		}
		return left > 0
	})
	return pictures, ctx.Err()
}

// pagesOf lists the pages that chunks are on, in order of first use, up to maxPictures.
func pagesOf(chunks []chunk.Chunk) []int {
	var pages []int
	seen := map[int]bool{}
	add := func(page int) {
		if page > 0 && !seen[page] && len(pages) < maxPictures {
			seen[page] = true
			pages = append(pages, page)
		}
	}
	for i := range chunks {
		if chunks[i].Pages != nil {
			add(chunks[i].Pages.First)
		}
		for _, b := range chunks[i].Boxes {
			add(b.Page)
		}
	}
	return pages
}
