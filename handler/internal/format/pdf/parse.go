package pdf

import (
	"context"
	"errors"
	"fmt"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/layout"
	"decant/handler/internal/pdfium"
)

// parse is one document being read.
type parse struct {
	ctx         context.Context
	in          *format.Input
	engine      *pdfium.Engine
	pdf         *pdfium.Document
	out         *doc.Document
	builder     *layout.Builder
	glyphs      []layout.Glyph              // reused from page to page
	chars       []pdfium.Char               // reused from page to page
	words       func(page int, box doc.Box) // told of every word, for WriteDebug; may be nil
	restarts    int
	plain       bool            // what stands beside the pages' content traps the engine, and is left out
	trappedOnce bool            // while the page was read last
	recycled    int             // the page after which the engine was started anew last
	fields      []doc.Block     // form fields
	targets     map[int]bool    // pages that links lead to, from 1
	units       map[int]float64 // UserUnit by page, from 0, where a page has one
	layers      map[string]bool // by name: whether the layer is off
	saved       map[string]bool // pictures in the document already
	scans       int             // pages that are pictures without text
}

// maxRestarts is how often a trapped engine is started again for the pages that are left.
const maxRestarts = 5

func (p *parse) run() (*doc.Document, error) {
	if err := p.open(); err != nil {
		return nil, err
	}
	pages := p.pdf.Pages()
	if pages > p.in.Limits.Pages && p.in.Limits.Pages > 0 {
		return nil, fault.Newf(fault.TooManyPages, "The document has %d pages, more than the limit of %d. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES).", pages, p.in.Limits.Pages)
	}
	p.metadata()
	p.units = userUnits(p.in, p.in.Size)
	p.builder = layout.NewBuilder()
	p.builder.Words = p.words
	p.layers, p.saved, p.targets = map[string]bool{}, map[string]bool{}, map[int]bool{}
	for i := range pages {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		p.in.Progress(i+1, pages)
		if err := p.page(i); err != nil {
			return nil, err
		}
		if err := p.recycle(i); err != nil {
			return nil, err
		}
	}
	if !p.plain {
		p.builder.Outline = p.outline()
		p.attachments()
	}
	if err := p.engine.Err(); err != nil {
		p.out.Warn("limit_reached", "The bookmarks or attachments of the document are damaged and were left out.")
		if err := p.engine.Restart(); err != nil {
			return nil, p.trapped(err)
		}
	} else {
		p.pdf.Close()
	}
	if p.engine.MemoryBytes() > recycleMemory/2 {
		// What follows needs memory too, and no engine.
		if err := p.engine.Restart(); err != nil {
			return nil, p.trapped(err)
		}
	}
	p.finish(pages)
	return p.out, nil
}

func (p *parse) open() error {
	d, err := p.engine.Open(p.in, p.in.Size, p.in.Options.Password)
	switch {
	case errors.Is(err, pdfium.ErrPassword):
		words := ""
		if p.in.Options.Password != "" {
			words = "The password given does not open the document. Give the right one with --password, or remove the protection."
		}
		return fault.New(fault.Encrypted, words, err)
	case errors.Is(err, pdfium.ErrSecurity):
		return fault.New(fault.Encrypted, "The document is encrypted in a way that decant does not read. Remove the protection.", err)
	case errors.Is(err, pdfium.ErrFormat):
		return fault.New(fault.Corrupt, "", err)
	case err != nil:
		return p.trapped(err)
	}
	p.pdf = d
	return nil
}

// The engine keeps fonts and objects of pages that are closed, and its memory never shrinks. Above recycleMemory it is started anew,
// but not more often than every recyclePages pages, which then are simply large.
const (
	recycleMemory = 40 << 20
	recyclePages  = 24
)

// recycle starts the engine anew after page i when it has grown, so that memory does not follow the page count.
func (p *parse) recycle(i int) error {
	if p.engine.MemoryBytes() < recycleMemory || i-p.recycled < recyclePages {
		return nil
	}
	p.recycled = i
	if err := p.engine.Restart(); err != nil {
		return p.trapped(err)
	}
	return p.open()
}

// trapped translates a dead engine into a fault.
func (p *parse) trapped(err error) error {
	return fault.New(fault.Memory, "The PDF engine ran out of memory or failed on this document. Raise the limit (--memory, DECANT_MEMORY), or save the document again in the program that made it.", err)
}

// page reads page i (from 0). When the engine traps, it is started anew and the page read once more without what stands beside its
// content; when that fails too, the page is given up.
func (p *parse) page(i int) error {
	before := p.mark()
	read, err := p.try(i)
	if err != nil || read {
		return err
	}
	if p.trappedOnce && !p.plain {
		p.resetTo(before)
		p.plain = true
		if read, err = p.try(i); err != nil || read {
			p.out.Warn("limit_reached", "Tags, page labels, bookmarks, links, form fields, annotations or attachments of the document are damaged and were left out from here on.", doc.Place{Page: i + 1})
			return err
		}
		p.plain = false // they are not the reason
	}
	p.trappedOnce = false
	p.out.Pages = append(p.out.Pages, doc.Page{Number: i + 1, Kind: "page"})
	p.out.Warn("page_failed", fmt.Sprintf("Page %d could not be read.", i+1), doc.Place{Page: i + 1})
	return nil
}

// try reads page i, and tells whether that went well. After a trap the engine is ready again.
func (p *parse) try(i int) (read bool, err error) {
	out := doc.Page{Number: i + 1, Kind: "page", Label: p.label(i)}
	page := p.pdf.Page(i)
	if page != nil {
		p.read(page, &out)
		if p.engine.Err() == nil {
			page.Close()
		}
	}
	trap := p.engine.Err()
	if trap == nil {
		if page != nil {
			p.out.Pages = append(p.out.Pages, out)
		}
		return page != nil, nil
	}
	p.trappedOnce = true
	if p.restarts++; p.restarts > maxRestarts {
		return false, p.trapped(trap)
	}
	if err := p.engine.Restart(); err != nil {
		return false, p.trapped(err)
	}
	return false, p.open()
}

// pageMark is how much of the document there was before a page.
type pageMark struct{ hidden, annotations, images, warnings, attachments, fields int }

func (p *parse) mark() pageMark {
	d := p.out
	return pageMark{len(d.Hidden), len(d.Annotations), len(d.Images), len(d.Warnings), len(d.Attachments), len(p.fields)}
}

func (p *parse) resetTo(m pageMark) {
	d := p.out
	d.Hidden, d.Annotations, d.Images = d.Hidden[:m.hidden], d.Annotations[:m.annotations], d.Images[:m.images]
	d.Warnings, d.Attachments, p.fields = d.Warnings[:m.warnings], d.Attachments[:m.attachments], p.fields[:m.fields]
	clear(p.saved)
	for _, image := range d.Images {
		p.saved[image.ID] = true
	}
}

// unit is how many points one unit of page i (from 0) is.
func (p *parse) unit(i int) float64 {
	if unit, ok := p.units[i]; ok {
		return unit
	}
	return 1
}

// label is the page's printed number when the document has labels that say more than the plain count.
func (p *parse) label(i int) string {
	if p.plain {
		return ""
	}
	label := clean(p.pdf.Label(i))
	if label == fmt.Sprint(i+1) {
		return ""
	}
	return label
}

func (p *parse) finish(pages int) {
	p.builder.KeepFurniture = p.in.Options.Furniture == "keep"
	r := p.builder.Finish()
	p.out.Blocks, p.out.Furniture, p.out.Notes = r.Blocks, r.Furniture, r.Notes
	if len(p.fields) > 0 {
		p.out.Blocks = append(p.out.Blocks, doc.Block{Kind: doc.Group, Role: doc.RoleForm, Children: p.fields})
	}
	p.anchors()
	if pages > 0 {
		p.out.Metadata.Scanned = float64(p.scans) / float64(pages)
	}
	if len(r.Turned) > 0 {
		p.out.Warn("visual_order", "Right-to-left words stand backwards on the page and were turned round.", r.Turned[:min(len(r.Turned), 20)]...)
	}
	if r.Hyphens > 0 {
		p.out.Warn("hyphen_joined", fmt.Sprintf("%d words divided at line ends were joined.", r.Hyphens))
	}
	if r.Headings > 0 {
		p.out.Warn("headings_guessed", fmt.Sprintf("%d headings were recognized by their looks.", r.Headings))
	}
	if len(r.Guessed) > 0 {
		p.out.Warn("table_guessed", fmt.Sprintf("%d tables without rules were found by alignment.", len(r.Guessed)), r.Guessed[:min(len(r.Guessed), 20)]...)
	}
	if len(r.Furniture) > 0 {
		p.out.Warn("furniture_dropped", fmt.Sprintf("%d running headers, footers and page numbers were taken out of the body.", len(r.Furniture)))
	}
	if len(p.out.Blocks) == 0 && p.scans == 0 {
		p.out.Warn("empty_document", "There is no text in the document.")
	}
}

// maxOutline bounds the bookmarks that are read.
const maxOutline = 20_000

func (p *parse) outline() []layout.Outline {
	var list []layout.Outline
	for _, b := range p.pdf.Outline(maxOutline) {
		list = append(list, layout.Outline{Title: clean(b.Title), Level: b.Level, Page: b.Page + 1})
	}
	return list
}

// anchors names the first block of each page that a link inside the document leads to.
func (p *parse) anchors() {
	doc.Walk(p.out.Blocks, func(b *doc.Block) bool {
		if len(b.Places) > 0 && p.targets[b.Places[0].Page] {
			b.Anchor = pageAnchor(b.Places[0].Page)
			delete(p.targets, b.Places[0].Page)
		}
		return true
	})
}

func pageAnchor(page int) string { return fmt.Sprintf("page-%d", page) }
