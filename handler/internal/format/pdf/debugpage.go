package pdf

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"

	"decant/handler/internal/doc"
)

// The picture under an overlay is a help: pages beyond these bounds are shown without one, and beyond maxDebugPages not at all.
const (
	maxDebugPages        = 500
	maxDebugPictureBytes = 48 << 20
	maxDebugTitle        = 160 // characters of a block's text in its tooltip
)

//go:embed debug.html
var debugHead string

// debugPage writes the page of WriteDebug, one page of the document after the other.
type debugPage struct {
	w        *bufio.Writer
	pictures int // bytes of them that may still be written
	pages    int
	n        int      // number of the block on this page
	track    []string // points of the line through the blocks of this page
}

func newDebugPage(w io.Writer, name string) *debugPage {
	p := &debugPage{w: bufio.NewWriterSize(w, 64<<10), pictures: maxDebugPictureBytes}
	p.printf("%s", strings.ReplaceAll(debugHead, "{{name}}", html.EscapeString(name)))
	return p
}

// printf writes to the buffer, which keeps its first error until end.
func (p *debugPage) printf(text string, args ...any) { fmt.Fprintf(p.w, text, args...) }

// page writes page i (from 0) of the document. The picture is only asked for when there is room for it.
func (p *debugPage) page(d *doc.Document, i int, words []doc.Box, picture func() []byte) {
	if p.pages++; p.pages > maxDebugPages {
		return
	}
	info := &d.Pages[i]
	p.printf("<h2>Page %d %s</h2>\n<figure style=\"width:%.0fpt;height:%.0fpt\">", info.Number, html.EscapeString(info.Label), info.Width, info.Height)
	if p.pictures > 0 {
		if png := picture(); png != nil {
			p.pictures -= len(png)
			p.printf(`<img alt="" src="data:image/png;base64,%s">`, base64.StdEncoding.EncodeToString(png))
		}
	}
	p.printf(`<svg viewBox="0 0 %g %g">`, info.Width, info.Height)
	for _, b := range words {
		p.rect("word", b, "")
	}
	p.n, p.track = 0, nil
	for k := range d.Furniture {
		p.block(&d.Furniture[k], "furniture", info.Number)
	}
	for k := range d.Hidden {
		for m := range d.Hidden[k].Blocks {
			p.block(&d.Hidden[k].Blocks[m], "hidden", info.Number)
		}
	}
	for k := range d.Notes {
		for m := range d.Notes[k].Blocks {
			p.block(&d.Notes[k].Blocks[m], "note", info.Number)
		}
	}
	p.body(d.Blocks, info.Number)
	p.printf("</svg></figure>\n")
}

// body draws the blocks in reading order, with their numbers and the line through them.
func (p *debugPage) body(blocks []doc.Block, page int) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		if b.Kind == doc.Table && b.Table != nil {
			p.cells(b.Table, page)
		}
		box, ok := p.block(b, string(b.Kind), page)
		if ok {
			p.n++
			p.printf(`<text x="%.1f" y="%.1f">%d %s</text>`, max(0, box.X0-8), box.Y0+3, p.n, kindLabel(b))
			p.track = append(p.track, fmt.Sprintf("%.1f,%.1f", box.X0, box.Y0))
		}
		return b.Kind != doc.Table // the text of a table is its cells'
	})
	if len(p.track) > 1 {
		p.printf(`<path d="M%s"/>`, strings.Join(p.track, " "))
	}
}

// kindLabel is a short name of what the block was taken for.
func kindLabel(b *doc.Block) string {
	switch b.Kind {
	case doc.Paragraph:
		return ""
	case doc.Heading:
		return fmt.Sprintf("h%d", b.Level)
	}
	return string(b.Kind)
}

func (p *debugPage) cells(g *doc.Grid, page int) {
	for i := range g.Cells {
		c := &g.Cells[i]
		class := "cell"
		if c.Header {
			class = "cell head"
		}
		places := c.Places
		for k := range c.Blocks {
			places = append(places[:len(places):len(places)], c.Blocks[k].Places...)
		}
		if box, ok := around(places, page); ok {
			p.rect(class, box, fmt.Sprintf("row %d, column %d: %s", c.Row+1, c.Column+1, c.PlainText()))
		}
	}
}

// block draws a block's lines on a page and the box around them, which it gives.
func (p *debugPage) block(b *doc.Block, class string, page int) (doc.Box, bool) {
	for _, place := range b.Places {
		if place.Page == page && place.Box != nil {
			p.rect("line", *place.Box, "")
		}
	}
	box, found := around(b.Places, page)
	if found {
		p.rect(class, box, strings.TrimSpace(string(b.Kind)+": "+b.Number+" "+b.PlainText()))
	}
	return box, found
}

// around is the box around all places on a page.
func around(places []doc.Place, page int) (box doc.Box, found bool) {
	for _, place := range places {
		if place.Page != page || place.Box == nil {
			continue
		}
		if !found {
			box, found = *place.Box, true
			continue
		}
		box = doc.Box{X0: min(box.X0, place.Box.X0), Y0: min(box.Y0, place.Box.Y0), X1: max(box.X1, place.Box.X1), Y1: max(box.Y1, place.Box.Y1)}
	}
	return box, found
}

func (p *debugPage) rect(class string, b doc.Box, title string) {
	p.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"`, class, b.X0, b.Y0, b.X1-b.X0, b.Y1-b.Y0)
	if title == "" {
		p.printf("/>")
		return
	}
	if runes := []rune(title); len(runes) > maxDebugTitle {
		title = string(runes[:maxDebugTitle]) + "…"
	}
	p.printf("><title>%s</title></rect>", html.EscapeString(title))
}

// end writes the warnings and gives the first error of all that was written.
func (p *debugPage) end(d *doc.Document) error {
	if p.pages > maxDebugPages {
		p.printf("<p>%d further pages are not shown.</p>\n", p.pages-maxDebugPages)
	}
	p.printf("<h2>Warnings</h2>\n<ul>\n")
	for _, w := range d.Warnings {
		p.printf("<li><code>%s</code> %s (%d)</li>\n", html.EscapeString(string(w.Class)), html.EscapeString(w.Message), max(1, w.Count))
	}
	p.printf("</ul>\n</body>\n</html>\n")
	return p.w.Flush()
}
