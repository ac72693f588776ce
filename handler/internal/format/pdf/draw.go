package pdf

import (
	"bytes"
	"context"
	"image"
	"image/png"

	"decant/handler/internal/format"
	"decant/handler/internal/pdfium"
)

// Pictures of pages are to be looked at beside text: readable, and no larger than a screen.
const (
	drawDPI  = 90
	drawSide = 1600 // most pixels of the longer side
)

// draw makes pictures of pages, in gray. A page that is too large or traps the engine is left out.
func (r *reader) draw(ctx context.Context, in *format.Input, pages []int, take func(page int, png []byte) bool) error {
	e, err := r.engines.take(ctx, engineMemory(in.Limits.Memory))
	if err != nil {
		return err
	}
	defer r.engines.giveBack(e)
	job := &parse{ctx: ctx, in: in, engine: e}
	if err := job.open(); err != nil {
		return err
	}
	for i, page := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.Progress(i+1, len(pages))
		picture := job.picture(page - 1)
		if err := e.Err(); err != nil {
			return job.trapped(err)
		}
		if picture != nil && !take(page, picture) {
			break
		}
	}
	job.pdf.Close()
	return nil
}

// picture is page i (from 0) as PNG, or nil.
func (p *parse) picture(i int) []byte {
	page := p.pdf.Page(i)
	if page == nil {
		return nil
	}
	seen := newView(page.Geometry(), 1)
	gray := page.Render(min(drawDPI, drawSide*72/max(seen.width, seen.height)))
	if p.engine.Err() == nil {
		page.Close()
	}
	if gray == nil {
		return nil
	}
	return encodeGray(gray)
}

func encodeGray(g *pdfium.Gray) []byte {
	var out bytes.Buffer
	for i, v := range g.Pixels {
		g.Pixels[i] = v / 17 * 17 // 16 grays are enough, and take half the bytes
	}
	picture := &image.Gray{Pix: g.Pixels, Stride: g.Width, Rect: image.Rect(0, 0, g.Width, g.Height)}
	if err := png.Encode(&out, picture); err != nil {
		return nil
	}
	return out.Bytes()
}
