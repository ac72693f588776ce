package pdfium

import "math"

// ObjectKind says what a page object is.
type ObjectKind int

// The kinds, as FPDFPageObj_GetType numbers them.
const (
	TextObject  ObjectKind = 1
	PathObject  ObjectKind = 2
	ImageObject ObjectKind = 3
	ShadeObject ObjectKind = 4
	formObject  ObjectKind = 5
)

// Object is a page object. Form objects are entered, not given; of text objects only kind and handle are set.
type Object struct {
	Kind   ObjectKind
	Handle uint64
	Bounds Rect       // in user space
	Matrix [6]float64 // from the space in which its points are given to user space
	Depth  int        // how many forms it is in
	// of paths
	Filled, Stroked bool
	Fill, Stroke    Color
	LineWidth       float64 // in user space
}

// Limits of one page.
const (
	maxObjects  = 300_000
	maxFormDeep = 24
	maxSegments = 2_000
)

// Objects visits the objects of the page in drawing order, forms entered.
// complete is false when the page has more than 300,000 objects or nests forms more than 24 deep.
func (p *Page) Objects(visit func(Object)) (complete bool) {
	w := &objectWalk{p: p, visit: visit, left: maxObjects}
	n := max(0, int32Of(p.d.e.call("FPDFPage_CountObjects", p.handle)))
	for i := range n {
		if !w.enter(p.d.e.call("FPDFPage_GetObject", p.handle, uint64(i)), identity, 0) {
			return false
		}
	}
	return true
}

type objectWalk struct {
	p     *Page
	visit func(Object)
	left  int
}

var identity = [6]float64{1, 0, 0, 1, 0, 0}

func (w *objectWalk) enter(handle uint64, outer [6]float64, depth int) bool {
	e := w.p.d.e
	w.left--
	if w.left < 0 || e.err != nil {
		return false
	}
	switch kind := ObjectKind(int32Of(e.call("FPDFPageObj_GetType", handle))); kind {
	case formObject:
		if depth >= maxFormDeep {
			return false
		}
		m, _ := e.matrix(handle)
		inner := Multiply(m, outer)
		n := max(0, int32Of(e.call("FPDFFormObj_CountObjects", handle)))
		for i := range n {
			if !w.enter(e.call("FPDFFormObj_GetObject", handle, uint64(i)), inner, depth+1) {
				return false
			}
		}
	case TextObject:
		w.visit(Object{Kind: kind, Handle: handle, Depth: depth})
	case PathObject, ImageObject, ShadeObject:
		w.visit(w.describe(kind, handle, outer, depth))
	}
	return true
}

func (w *objectWalk) describe(kind ObjectKind, handle uint64, outer [6]float64, depth int) Object {
	e := w.p.d.e
	o := Object{Kind: kind, Handle: handle, Depth: depth}
	s := uint64(e.scratch)
	if truth(e.call("FPDFPageObj_GetBounds", handle, s, s+4, s+8, s+12)) {
		left, bottom, right, top := e.f32(e.scratch), e.f32(e.scratch+4), e.f32(e.scratch+8), e.f32(e.scratch+12)
		o.Bounds = TransformRect(outer, Rect{Left: left, Bottom: bottom, Right: right, Top: top})
	}
	m, ok := e.matrix(handle)
	if !ok {
		m = identity
	}
	o.Matrix = Multiply(m, outer)
	if kind != PathObject {
		return o
	}
	if truth(e.call("FPDFPath_GetDrawMode", handle, s, s+4)) {
		o.Filled, o.Stroked = e.u32(e.scratch) != 0, e.u32(e.scratch+4) != 0
	}
	o.Fill = e.color("FPDFPageObj_GetFillColor", handle)
	o.Stroke = e.color("FPDFPageObj_GetStrokeColor", handle)
	if o.Stroked && truth(e.call("FPDFPageObj_GetStrokeWidth", handle, s)) {
		o.LineWidth = e.f32(e.scratch) * Scale(o.Matrix)
	}
	return o
}

// Segment is one piece of a path, in user space.
type Segment struct {
	Kind  SegmentKind
	X, Y  float64
	Close bool // the figure is closed after it
}

// SegmentKind says how a segment is drawn.
type SegmentKind int

// The kinds, as FPDFPathSegment_GetType numbers them.
const (
	LineTo  SegmentKind = 0
	CurveTo SegmentKind = 1 // three in a row make one Bezier curve
	MoveTo  SegmentKind = 2
)

// Segments reads a path, appended to into. A path of more than 2,000 segments gives none and false: it is a drawing.
func (p *Page) Segments(o Object, into []Segment) ([]Segment, bool) {
	e := p.d.e
	n := int32Of(e.call("FPDFPath_CountSegments", o.Handle))
	if n > maxSegments {
		return into, false
	}
	s := uint64(e.scratch)
	for i := range max(0, n) {
		handle := e.do(e.hot.segment, o.Handle, uint64(i))
		if uint32(handle) == 0 || !truth(e.do(e.hot.segmentPoint, handle, s, s+4)) {
			continue
		}
		x, y := Transform(o.Matrix, e.f32(e.scratch), e.f32(e.scratch+4))
		kind := SegmentKind(int32Of(e.do(e.hot.segmentType, handle)))
		closes := truth(e.do(e.hot.segmentClose, handle))
		into = append(into, Segment{Kind: kind, X: x, Y: y, Close: closes})
	}
	return into, true
}

// Multiply gives the matrix that applies a, then b.
func Multiply(a, b [6]float64) [6]float64 {
	return [6]float64{
		a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3],
		a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3],
		a[4]*b[0] + a[5]*b[2] + b[4], a[4]*b[1] + a[5]*b[3] + b[5],
	}
}

// Transform applies a matrix to a point.
func Transform(m [6]float64, x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// TransformRect gives the upright rectangle around the transformed r.
func TransformRect(m [6]float64, r Rect) Rect {
	if m == identity {
		return r
	}
	x0, y0 := Transform(m, r.Left, r.Bottom)
	x1, y1 := Transform(m, r.Right, r.Top)
	x2, y2 := Transform(m, r.Left, r.Top)
	x3, y3 := Transform(m, r.Right, r.Bottom)
	return Rect{
		Left: min(x0, x1, x2, x3), Right: max(x0, x1, x2, x3),
		Bottom: min(y0, y1, y2, y3), Top: max(y0, y1, y2, y3),
	}
}

// Scale is how much a matrix enlarges, as the square root of the area's ratio.
func Scale(m [6]float64) float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }
