package pdfium

import (
	"image"
	"strings"
)

// ImageData takes an image object's picture: the JPEG as it is stored, or the decoded pixels. Both nil when it cannot be read.
func (p *Page) ImageData(object uint64) (jpeg []byte, pixels image.Image) {
	e := p.d.e
	w, h := p.imageSize(object)
	if w <= 0 || h <= 0 || w > maxPixels/h {
		return nil, nil
	}
	if p.imageFilters(object) == "DCTDecode" {
		jpeg = e.fetchLarge(func(buffer, size uint64) uint64 {
			return e.call("FPDFImageObj_GetImageDataRaw", object, buffer, size)
		})
		if len(jpeg) > 3 && jpeg[0] == 0xFF && jpeg[1] == 0xD8 && !isCMYK(jpeg) {
			return jpeg, nil
		}
	}
	bitmap := e.call("FPDFImageObj_GetBitmap", object)
	if uint32(bitmap) == 0 {
		return nil, nil
	}
	defer e.call("FPDFBitmap_Destroy", bitmap)
	return nil, e.picture(bitmap)
}

// imageSize is an image's size in pixels.
func (p *Page) imageSize(object uint64) (w, h int) {
	e := p.d.e
	s := uint64(e.scratch)
	if !truth(e.call("FPDFImageObj_GetImagePixelSize", object, s, s+4)) {
		return 0, 0
	}
	return int(int32(e.u32(e.scratch))), int(int32(e.u32(e.scratch + 4)))
}

func (p *Page) imageFilters(object uint64) string {
	e := p.d.e
	var names []string
	for i := range min(int32Of(e.call("FPDFImageObj_GetImageFilterCount", object)), 8) {
		names = append(names, cText(e.fetch(func(buffer, size uint64) uint64 {
			return e.call("FPDFImageObj_GetImageFilter", object, uint64(i), buffer, size)
		})))
	}
	return strings.Join(names, " ")
}

// isCMYK tells whether a JPEG has four components, which few programs show rightly.
func isCMYK(jpeg []byte) bool {
	for i := 2; i+9 < len(jpeg) && jpeg[i] == 0xFF; {
		marker, length := jpeg[i+1], int(jpeg[i+2])<<8|int(jpeg[i+3])
		if marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC {
			return jpeg[i+9] == 4
		}
		i += 2 + length
	}
	return false
}

// picture converts a bitmap of any of PDFium's formats.
func (e *Engine) picture(bitmap uint64) image.Image {
	const gray, bgr, bgrx, bgra = 1, 2, 3, 4
	w, h := int32Of(e.call("FPDFBitmap_GetWidth", bitmap)), int32Of(e.call("FPDFBitmap_GetHeight", bitmap))
	format := int32Of(e.call("FPDFBitmap_GetFormat", bitmap))
	stride := int32Of(e.call("FPDFBitmap_GetStride", bitmap))
	if w <= 0 || h <= 0 || w > maxPixels/h || stride <= 0 {
		return nil
	}
	view, ok := e.memory.Read(uint32(e.call("FPDFBitmap_GetBuffer", bitmap)), uint32(stride*h))
	if !ok || e.err != nil {
		return nil
	}
	if format == gray {
		img := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			copy(img.Pix[y*img.Stride:y*img.Stride+w], view[y*stride:])
		}
		return img
	}
	step := 4
	if format == bgr {
		step = 3
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		from, to := view[y*stride:], img.Pix[y*img.Stride:]
		for x := range w {
			f, t := from[x*step:], to[x*4:x*4+4]
			t[0], t[1], t[2], t[3] = f[2], f[1], f[0], 255
			if format == bgra {
				t[3] = f[3]
			}
		}
	}
	return img
}

// maxImageBytes bounds a stored image taken out as it is.
const maxImageBytes = 64 << 20

func (e *Engine) fetchLarge(get func(buffer, size uint64) uint64) []byte {
	size := uint32(get(0, 0))
	if size == 0 || size > maxImageBytes || e.err != nil {
		return nil
	}
	address := uint32(e.call("malloc", uint64(size)))
	if address == 0 {
		return nil
	}
	defer e.free(address)
	get(uint64(address), uint64(size))
	view, _ := e.memory.Read(address, size)
	return append([]byte(nil), view...)
}
