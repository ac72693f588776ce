package pdf

import (
	"math"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
	"decant/handler/internal/pdfium"
)

// graphics turns a page's paths and images into rules, shadings and pictures.
type graphics struct {
	v        view
	page     *pdfium.Page
	into     *layout.Page
	images   []doc.Box
	order    map[uint64]int // of text objects, in drawing order
	covers   []cover        // opaque areas
	drawn    int            // objects so far
	pictures []picture
	segments []pdfium.Segment // reused
	complete bool
}

func (g *graphics) read() {
	g.order = map[uint64]int{}
	g.complete = g.page.Objects(g.object)
}

// cover is an opaque area, which hides what was drawn before it.
type cover struct {
	box   doc.Box
	drawn int
}

// picture is an image object.
type picture struct {
	box    doc.Box
	handle uint64
}

func (g *graphics) object(o pdfium.Object) {
	g.drawn++
	if o.Kind == pdfium.TextObject {
		g.order[o.Handle] = g.drawn
		return
	}
	box := g.v.rect(o.Bounds)
	switch o.Kind {
	case pdfium.ImageObject:
		g.images = append(g.images, box)
		g.pictures = append(g.pictures, picture{box, o.Handle})
		g.covers = append(g.covers, cover{box, g.drawn})
	case pdfium.PathObject:
		g.path(o, box)
	}
}

// maxRuleWidth is how thick a filled rectangle may be to count as a rule, in points.
const maxRuleWidth = 2.5

// path takes straight lines along the axes as rules, and rectangles as shading.
func (g *graphics) path(o pdfium.Object, box doc.Box) {
	if !o.Filled && !o.Stroked || len(g.into.Strokes) > maxStrokes {
		return
	}
	var ok bool
	if g.segments, ok = g.page.Segments(o, g.segments[:0]); !ok {
		return
	}
	w, h := box.X1-box.X0, box.Y1-box.Y0
	visible := o.Stroked && o.Stroke.A > 0 && luma(o.Stroke) < 0.97
	if o.Filled && o.Fill.A > 0 {
		switch thin := min(w, h); {
		case thin <= maxRuleWidth && max(w, h) > 3*thin && luma(o.Fill) < 0.97:
			g.rule(box.X0, box.Y0, box.X1, box.Y1, thin)
			return
		case g.isRectangle():
			if o.Fill.A == 255 && len(g.covers) < maxCovers {
				g.covers = append(g.covers, cover{box, g.drawn})
			}
			if len(g.into.Fills) >= maxStrokes {
				return
			}
			g.into.Fills = append(g.into.Fills, layout.Fill{Box: box, Gray: luma(o.Fill)})
		}
	}
	if visible {
		g.strokes(o.LineWidth)
	}
}

// maxCovers bounds the opaque areas that are remembered.
const maxCovers = 2_000

// maxStrokes bounds the rules of a page: above it the page is a drawing.
const maxStrokes = 20_000

// strokes adds the path's straight pieces that run along an axis.
func (g *graphics) strokes(width float64) {
	var x, y, startX, startY float64
	for _, s := range g.segments {
		sx, sy := g.v.point(s.X, s.Y)
		switch s.Kind {
		case pdfium.MoveTo:
			startX, startY = sx, sy
		case pdfium.LineTo:
			g.axis(x, y, sx, sy, width)
		}
		x, y = sx, sy
		if s.Close {
			g.axis(x, y, startX, startY, width)
			x, y = startX, startY
		}
	}
}

func (g *graphics) axis(x0, y0, x1, y1, width float64) {
	const slope = 0.7 // points that a rule may lean
	if math.Abs(x0-x1) <= slope || math.Abs(y0-y1) <= slope {
		g.rule(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), width)
	}
}

func (g *graphics) rule(x0, y0, x1, y1, width float64) {
	if x1-x0 < 1 && y1-y0 < 1 {
		return
	}
	if x1-x0 >= y1-y0 {
		y0 = (y0 + y1) / 2
		y1 = y0
	} else {
		x0 = (x0 + x1) / 2
		x1 = x0
	}
	g.into.Strokes = append(g.into.Strokes, layout.Stroke{X0: x0, Y0: y0, X1: x1, Y1: y1, Width: width})
}

// isRectangle tells whether the path is one box along the axes.
func (g *graphics) isRectangle() bool {
	if n := len(g.segments); n < 4 || n > 6 {
		return false
	}
	for i := 1; i < len(g.segments); i++ {
		a, b := g.segments[i-1], g.segments[i]
		if b.Kind == pdfium.CurveTo || math.Abs(a.X-b.X) > 0.5 && math.Abs(a.Y-b.Y) > 0.5 {
			return false
		}
	}
	return true
}

// covered is the share of the page that its largest picture, or its pictures together, cover.
func (g *graphics) covered() float64 {
	area := 0.0
	for _, b := range g.images {
		w := min(b.X1, g.v.width) - max(b.X0, 0)
		h := min(b.Y1, g.v.height) - max(b.Y0, 0)
		if w > 0 && h > 0 {
			area += w * h
		}
	}
	return min(1, area/(g.v.width*g.v.height))
}

// background is how light the page is behind a box: 1 white paper, 0 black.
func (g *graphics) background(b doc.Box) float64 {
	x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
	in := func(o doc.Box) bool { return x >= o.X0 && x <= o.X1 && y >= o.Y0 && y <= o.Y1 }
	for _, image := range g.images {
		if in(image) {
			return 0.5
		}
	}
	gray := 1.0
	for _, f := range g.into.Fills {
		if in(f.Box) {
			gray = f.Gray
		}
	}
	return gray
}

// mayBeCovered tells whether something opaque was drawn over a text object's place later.
func (g *graphics) mayBeCovered(object uint64, b doc.Box) bool {
	x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
	at := g.order[object]
	for _, c := range g.covers {
		if c.drawn > at && x > c.box.X0 && x < c.box.X1 && y > c.box.Y0 && y < c.box.Y1 {
			return true
		}
	}
	return false
}
