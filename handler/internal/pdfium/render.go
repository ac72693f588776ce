package pdfium

import (
	"bytes"
	"math"
)

// Gray is a picture of eight-bit gray pixels, row by row.
type Gray struct {
	Width, Height int
	Pixels        []byte
}

// maxPixels bounds a rendered page or an image taken out of one.
const maxPixels = 40_000_000

// Render draws the page in gray at the given resolution, or gives nil when it would be too large or there is no memory.
// Gray costs a third to a thirteenth of colour.
func (p *Page) Render(dpi float64) *Gray {
	width := float32Of(p.d.e.call("FPDF_GetPageWidthF", p.handle))
	height := float32Of(p.d.e.call("FPDF_GetPageHeightF", p.handle))
	w, h := int(math.Ceil(width*dpi/72)), int(math.Ceil(height*dpi/72))
	return p.draw(w, h, func(bitmap uint64) {
		p.d.e.call("FPDF_RenderPageBitmap", bitmap, p.handle, 0, 0, uint64(w), uint64(h), 0, 0)
	})
}

// renderArea draws a piece of the page, in points from the top left of the page as it is seen.
func (p *Page) renderArea(x, y, width, height, scale float64) *Gray {
	e := p.d.e
	w, h := int(math.Ceil(width*scale)), int(math.Ceil(height*scale))
	return p.draw(w, h, func(bitmap uint64) {
		matrix, clip := e.scratch, e.scratch+32
		for i, v := range []float64{scale, 0, 0, scale, -x * scale, -y * scale} {
			e.memory.WriteFloat32Le(matrix+uint32(4*i), float32(v))
		}
		for i, v := range []float64{0, 0, float64(w), float64(h)} {
			e.memory.WriteFloat32Le(clip+uint32(4*i), float32(v))
		}
		e.call("FPDF_RenderPageBitmapWithMatrix", bitmap, p.handle, uint64(matrix), uint64(clip), 0)
	})
}

func (p *Page) draw(w, h int, render func(bitmap uint64)) *Gray {
	e := p.d.e
	if w <= 0 || h <= 0 || w > maxPixels/h {
		return nil
	}
	const gray, white = 1, 0xFFFFFFFF
	bitmap := e.call("FPDFBitmap_CreateEx", uint64(w), uint64(h), gray, 0, 0)
	if uint32(bitmap) == 0 {
		return nil
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	e.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(h), white)
	render(bitmap)
	return e.pixels(bitmap, w, h)
}

// pixels copies a gray bitmap out of the module.
func (e *Engine) pixels(bitmap uint64, w, h int) *Gray {
	stride := int(uint32(e.call("FPDFBitmap_GetStride", bitmap)))
	buffer := uint32(e.call("FPDFBitmap_GetBuffer", bitmap))
	view, ok := e.memory.Read(buffer, uint32(stride*h))
	if !ok || e.err != nil || stride < w {
		return nil
	}
	g := &Gray{Width: w, Height: h, Pixels: make([]byte, 0, w*h)}
	for row := range h {
		g.Pixels = append(g.Pixels, view[row*stride:row*stride+w]...)
	}
	return g
}

// Shows tells whether an object leaves any mark in a piece of the page, given in points from the top left of the page as it is seen:
// the page is drawn with and without it. That tells of switched-off layers, covers and clips, at the price of two small renderings.
func (p *Page) Shows(object uint64, x, y, width, height float64) bool {
	e := p.d.e
	const most = 300 // points; a part is enough
	width, height = min(max(width, 1), most), min(max(height, 1), most)
	with := p.renderArea(x, y, width, height, 1.5)
	e.call("FPDFPageObj_SetIsActive", object, 0)
	without := p.renderArea(x, y, width, height, 1.5)
	e.call("FPDFPageObj_SetIsActive", object, 1)
	return with == nil || without == nil || !bytes.Equal(with.Pixels, without.Pixels)
}
