package pdfium

// Rect is a rectangle in user space; Top is above Bottom.
type Rect struct{ Left, Top, Right, Bottom float64 }

// Geometry is what places user space on the page as it is seen.
type Geometry struct {
	Box      Rect // what is shown of user space: the crop box within the media box
	Rotation int  // quarter turns clockwise, 0 to 3
}

// Page is a loaded page. Close must be called once.
type Page struct {
	d      *Document
	handle uint64
	text   uint64
}

// Page loads a page (from 0), or gives nil when it cannot be read.
func (d *Document) Page(index int) *Page {
	handle := d.e.call("FPDF_LoadPage", d.handle, uint64(index))
	if uint32(handle) == 0 {
		return nil
	}
	return &Page{d: d, handle: handle}
}

// Close gives the page's memory back.
func (p *Page) Close() {
	if p.text != 0 {
		p.d.e.call("FPDFText_ClosePage", p.text)
	}
	p.d.e.call("FPDF_ClosePage", p.handle)
}

// Geometry says how the page lies.
func (p *Page) Geometry() Geometry {
	e := p.d.e
	g := Geometry{Rotation: int32Of(e.call("FPDFPage_GetRotation", p.handle)) & 3}
	if truth(e.call("FPDF_GetPageBoundingBox", p.handle, uint64(e.scratch))) {
		g.Box = e.rect(e.scratch)
	}
	return g
}

// Link is a link annotation.
type Link struct {
	Box  Rect
	URI  string  // target outside, or ""
	Page int     // target page inside (from 0), or -1
	Top  float64 // height on the target page in user space; 0 when not given
}

// maxLinks bounds the links of one page.
const maxLinks = 10_000

// Links lists the page's link annotations.
func (p *Page) Links() []Link {
	e := p.d.e
	var links []Link
	position, handle := e.scratch, e.scratch+8
	e.memory.WriteUint32Le(position, 0)
	for len(links) < maxLinks && truth(e.call("FPDFLink_Enumerate", p.handle, uint64(position), uint64(handle))) {
		resume := e.u32(position)
		if link, ok := p.link(uint64(e.u32(handle))); ok {
			links = append(links, link)
		}
		e.memory.WriteUint32Le(position, resume)
	}
	return links
}

func (p *Page) link(handle uint64) (Link, bool) {
	e := p.d.e
	link := Link{Page: -1}
	if !truth(e.call("FPDFLink_GetAnnotRect", handle, uint64(e.scratch+16))) {
		return link, false
	}
	link.Box = e.rect(e.scratch + 16)
	dest := e.call("FPDFLink_GetDest", p.d.handle, handle)
	if action := e.call("FPDFLink_GetAction", handle); uint32(action) != 0 {
		if int32Of(e.call("FPDFAction_GetType", action)) == 3 {
			link.URI = cText(e.fetch(func(buffer, size uint64) uint64 {
				return e.call("FPDFAction_GetURIPath", p.d.handle, action, buffer, size)
			}))
		}
		if uint32(dest) == 0 {
			dest = e.call("FPDFAction_GetDest", p.d.handle, action)
		}
	}
	if link.URI == "" && uint32(dest) != 0 {
		link.Page, link.Top = p.d.destination(dest)
	}
	return link, link.URI != "" || link.Page >= 0
}
