package pdf

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/pdfium"
)

// debugDPI is the resolution of the page pictures under the overlay, and maxDebugPages how many there are.
const (
	debugDPI      = 96
	maxDebugPages = 200
)

// WriteDebug reads a document and writes an HTML page that shows each page's picture with what was found on it:
// words, lines, blocks in their order, tables with their cells, figures, furniture and hidden text.
func WriteDebug(ctx context.Context, options Options, in *format.Input, w io.Writer) error {
	r := &reader{engines: &engines{cacheDir: options.CacheDir}}
	e, err := r.engines.take(ctx, engineMemory(in.Limits.Memory))
	if err != nil {
		return err
	}
	defer e.Close()
	words := map[int][]doc.Box{}
	job := &parse{ctx: ctx, in: in, engine: e, out: &doc.Document{}, words: func(page int, box doc.Box) { words[page] = append(words[page], box) }}
	d, err := job.run()
	if err != nil {
		return err
	}
	file, err := e.Open(in, in.Size, in.Options.Password)
	if err != nil {
		return err
	}
	return (&debugPage{w: w, d: d, words: words}).write(file)
}

type debugPage struct {
	w     io.Writer
	d     *doc.Document
	words map[int][]doc.Box
	err   error
}

func (p *debugPage) printf(text string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, text, args...)
	}
}

const debugHead = `<!doctype html><meta charset="utf-8"><title>layout</title>
<style>
body{font:14px system-ui;background:#ddd;margin:1em} figure{margin:0 0 2em;display:inline-block;background:#fff;position:relative}
svg{position:absolute;left:0;top:0} rect{fill:none;stroke-width:.6} .word{stroke:#ccc} .line{stroke:#7a7} .table{stroke:#c00;stroke-width:1.5}
.cell{stroke:#e88} .paragraph{stroke:#36c} .heading{stroke:#c0c;stroke-width:1.2} .list,.item,.toc{stroke:#088} .code{stroke:#630} .figure{stroke:#f80;stroke-width:1.2}
.note{stroke:#660} .furniture{fill:#8884;stroke:#888} text{font:8px sans-serif;fill:#c0c} path{stroke:#c0c8;stroke-width:.7;fill:none}
</style><p>Numbers and the line between them are the reading order. Blue: paragraph; violet: heading; teal: list; red: table; orange: figure; brown: code; gray: furniture.
<label><input type=checkbox onchange="document.body.classList.toggle('w')"> words</label><style>.word{display:none}.w .word{display:inline}</style>
`

func (p *debugPage) write(file *pdfium.Document) error {
	p.printf("%s", debugHead)
	for i := range p.d.Pages {
		if i >= maxDebugPages || p.err != nil {
			break
		}
		p.page(&p.d.Pages[i], file.Page(i))
	}
	p.printf("<h2>Warnings</h2><ul>")
	for _, w := range p.d.Warnings {
		p.printf("<li>%s: %s (%d)</li>", w.Class, html.EscapeString(w.Message), max(1, w.Count))
	}
	p.printf("</ul>\n")
	return p.err
}

func (p *debugPage) page(info *doc.Page, page *pdfium.Page) {
	p.printf("<h2>Page %d %s</h2><figure style=\"width:%gpx;height:%gpx\">", info.Number, html.EscapeString(info.Label), info.Width*debugDPI/72, info.Height*debugDPI/72)
	if page != nil {
		p.picture(page.Render(debugDPI))
		page.Close()
	}
	p.printf(`<svg width="%g" height="%g" viewBox="0 0 %g %g">`, info.Width*debugDPI/72, info.Height*debugDPI/72, info.Width, info.Height)
	for _, b := range p.words[info.Number] {
		p.rect("word", b)
	}
	var track string
	n := 0
	doc.Walk(p.d.Blocks, func(b *doc.Block) bool {
		if box, ok := p.block(b, string(b.Kind), info.Number); ok {
			n++
			p.printf(`<text x="%.1f" y="%.1f">%d</text>`, box.X0-8, box.Y0+6, n)
			track += fmt.Sprintf(" %.1f,%.1f", box.X0, box.Y0)
		}
		return true
	})
	if n > 1 {
		p.printf(`<path d="M%s"/>`, track)
	}
	for i := range p.d.Furniture {
		p.block(&p.d.Furniture[i], "furniture", info.Number)
	}
	for i := range p.d.Notes {
		for k := range p.d.Notes[i].Blocks {
			p.block(&p.d.Notes[i].Blocks[k], "note", info.Number)
		}
	}
	p.printf("</svg></figure>\n")
}

// block draws a block's lines on a page and the box around them, which it gives.
func (p *debugPage) block(b *doc.Block, class string, page int) (doc.Box, bool) {
	var around doc.Box
	found := false
	for _, place := range b.Places {
		if place.Page != page || place.Box == nil {
			continue
		}
		if !found {
			around = *place.Box
		}
		found = true
		around = doc.Box{X0: min(around.X0, place.Box.X0), Y0: min(around.Y0, place.Box.Y0), X1: max(around.X1, place.Box.X1), Y1: max(around.Y1, place.Box.Y1)}
		p.rect("line", *place.Box)
	}
	if found {
		p.rect(class, around)
	}
	return around, found
}

func (p *debugPage) rect(class string, b doc.Box) {
	p.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, b.X0, b.Y0, b.X1-b.X0, b.Y1-b.Y0)
}

func (p *debugPage) picture(g *pdfium.Gray) {
	if g == nil {
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, &image.Gray{Pix: g.Pixels, Stride: g.Width, Rect: image.Rect(0, 0, g.Width, g.Height)}); err != nil {
		p.err = err
		return
	}
	p.printf(`<img src="data:image/png;base64,%s" width="%d" height="%d">`, base64.StdEncoding.EncodeToString(b.Bytes()), g.Width, g.Height)
}
