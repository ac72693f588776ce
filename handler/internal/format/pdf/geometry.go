package pdf

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/pdfium"
)

// view places user space on the page as it is seen: origin at the top left, y downwards, after crop box, rotation and UserUnit.
type view struct {
	box           pdfium.Rect
	rotation      int
	unit          float64
	width, height float64
}

// defaultPage is taken when a page has no usable size: US Letter, as PDFium does.
var defaultPage = pdfium.Rect{Left: 0, Bottom: 0, Right: 612, Top: 792}

func newView(g pdfium.Geometry, unit float64) view {
	v := view{box: g.Box, rotation: g.Rotation, unit: unit}
	if v.box.Right-v.box.Left <= 0 || v.box.Top-v.box.Bottom <= 0 {
		v.box = defaultPage
	}
	v.width, v.height = (v.box.Right-v.box.Left)*unit, (v.box.Top-v.box.Bottom)*unit
	if v.rotation&1 == 1 {
		v.width, v.height = v.height, v.width
	}
	return v
}

func (v view) point(x, y float64) (float64, float64) {
	b := v.box
	switch v.rotation {
	case 1:
		x, y = y-b.Bottom, x-b.Left
	case 2:
		x, y = b.Right-x, y-b.Bottom
	case 3:
		x, y = b.Top-y, b.Right-x
	default:
		x, y = x-b.Left, b.Top-y
	}
	return x * v.unit, y * v.unit
}

func (v view) rect(r pdfium.Rect) doc.Box {
	x0, y0 := v.point(r.Left, r.Bottom)
	x1, y1 := v.point(r.Right, r.Top)
	return doc.Box{X0: min(x0, x1), Y0: min(y0, y1), X1: max(x0, x1), Y1: max(y0, y1)}
}
