package drawingml

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// Kind is what a shape is.
type Kind uint8

// The kinds of shapes.
const (
	TextShape Kind = iota + 1 // sp and cxnSp: a text, perhaps empty
	Group                     // grpSp: Children
	Frame                     // graphicFrame: a table, chart, diagram or embedded object
	Picture                   // pic
)

// Shape is one shape of a drawing.
type Shape struct {
	Kind        Kind
	Node        *xmltree.Node
	Name        string
	Alt         string // alternative text
	Hidden      bool
	Box         *doc.Box // nil when the shape has no place of its own
	Placeholder *Placeholder
	Children    []Shape
}

// Placeholder says which place of the layout a shape fills (19.3.1.36).
type Placeholder struct {
	Type  string // title, ctrTitle, subTitle, body, dt, ftr, sldNum, pic ...; "" is obj
	Index string
}

const (
	emuPerPoint = 12700
	maxNesting  = 64 // groups in groups; the shapes of deeper ones belong to the last
	maxShapes   = 50_000
)

var kinds = map[string]Kind{"sp": TextShape, "cxnSp": TextShape, "grpSp": Group, "graphicFrame": Frame, "pic": Picture}

// Local is a name without its prefix.
func Local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// Child is the first child with the given local name, or nil. It may be called with nil.
func Child(n *xmltree.Node, local string) *xmltree.Node {
	if n != nil {
		for _, c := range n.Children {
			if c.Name != "" && Local(c.Name) == local {
				return c
			}
		}
	}
	return nil
}

// Shapes reads the shapes below a tree, a group or an anchor. What is beyond the bounds is a warning of d, which may be nil.
func Shapes(tree *xmltree.Node, d *doc.Document) []Shape {
	w := walk{budget: maxShapes}
	out := w.shapes(tree, identity, 0)
	if d != nil && w.flattened {
		d.Warn("nesting_flattened", "Groups of shapes are nested deeper than the limit; their shapes were kept.")
	}
	if d != nil && w.cut {
		d.Warn("limit_reached", "A drawing has more shapes than are read; the rest was left out.")
	}
	return out
}

// walk is the state of Shapes.
type walk struct {
	budget    int  // shapes left to read
	flattened bool // groups were too deep
	cut       bool // there were more shapes
}

func (w *walk) shapes(tree *xmltree.Node, t transform, depth int) []Shape {
	var out []Shape
	if tree == nil {
		return nil
	}
	for _, n := range tree.Children {
		kind := kinds[Local(n.Name)]
		switch {
		case n.Name == "mc:AlternateContent":
			out = append(out, w.shapes(alternative(n), t, depth+1)...)
		case kind == 0 && (n.Name != "" || depth <= maxNesting || strings.TrimSpace(n.Text) == ""):
		case w.budget == 0:
			w.cut = true
			return out
		case kind == 0:
			w.budget--
			out = append(out, loose(n))
		case kind == Group && depth > maxNesting:
			out = append(out, w.flat(n, t, depth)...)
		default:
			w.budget--
			out = append(out, w.shape(n, t, depth))
		}
	}
	return out
}

// flat gives the shapes of a group that is too deep to be one. How deep the tree goes is bounded by who read it.
func (w *walk) flat(n *xmltree.Node, t transform, depth int) []Shape {
	w.flattened = true
	out := w.shapes(n, t.inside(transformNode(n)), depth+1)
	if isHidden(Child(nonVisual(n), "cNvPr")) {
		for i := range out {
			out[i].Hidden = true
		}
	}
	return out
}

// loose makes a shape of text that lost the elements around it, because they were nested deeper than the tree of the part is kept.
func loose(n *xmltree.Node) Shape {
	text := &xmltree.Node{Text: strings.TrimSpace(n.AllText())}
	for _, name := range []string{"a:t", "a:r", "a:p", "p:txBody", "p:sp"} {
		text = &xmltree.Node{Name: name, Children: []*xmltree.Node{text}}
	}
	return Shape{Kind: TextShape, Node: text}
}

// isLoose tells whether the elements are gone between a shape that deep and its text.
func (s *Shape) isLoose(depth int) bool {
	return depth > maxNesting && s.Kind != Picture && s.Kind != Group && s.Node.Find("a:t") == nil && strings.TrimSpace(s.Node.AllText()) != ""
}

func isHidden(properties *xmltree.Node) bool {
	hidden := properties.Attr("hidden")
	return hidden == "1" || hidden == "true"
}

// alternative picks what is understood of alternative contents: the first choice that has a known shape, else the fallback.
func alternative(n *xmltree.Node) *xmltree.Node { return ooxml.Choose(n, hasShape) }

func hasShape(n *xmltree.Node) bool {
	for _, child := range n.Children {
		if kinds[Local(child.Name)] != 0 {
			return true
		}
	}
	return false
}

func (w *walk) shape(n *xmltree.Node, t transform, depth int) Shape {
	s := Shape{Kind: kinds[Local(n.Name)], Node: n}
	properties := nonVisual(n)
	c := Child(properties, "cNvPr")
	s.Name, s.Alt = c.Attr("name"), strings.TrimSpace(c.Attr("descr"))
	if s.Alt == "" {
		s.Alt = strings.TrimSpace(c.Attr("title"))
	}
	s.Hidden = isHidden(c)
	if ph := Child(Child(properties, "nvPr"), "ph"); ph != nil {
		s.Placeholder = &Placeholder{Type: ph.Attr("type"), Index: ph.Attr("idx")}
	}
	xfrm := transformNode(n)
	s.Box = t.box(xfrm)
	if s.Kind == Group {
		s.Children = w.shapes(n, t.inside(xfrm), depth+1)
		if s.Box == nil {
			s.Box = around(s.Children)
		}
	}
	if s.isLoose(depth) {
		s.Kind, s.Node = TextShape, loose(n).Node
	}
	return s
}

// nonVisual is the nvSpPr, nvPicPr ... of a shape.
func nonVisual(n *xmltree.Node) *xmltree.Node {
	for _, c := range n.Children {
		if strings.HasPrefix(Local(c.Name), "nv") {
			return c
		}
	}
	return nil
}

func transformNode(n *xmltree.Node) *xmltree.Node {
	for _, c := range n.Children {
		switch Local(c.Name) {
		case "spPr", "grpSpPr":
			return Child(c, "xfrm")
		case "xfrm":
			return c
		}
	}
	return nil
}

// transform maps a group's own coordinates to the slide's: scale, then move.
type transform struct{ scaleX, scaleY, moveX, moveY float64 }

var identity = transform{scaleX: 1, scaleY: 1}

// box is the place of a shape in points, or nil.
func (t transform) box(xfrm *xmltree.Node) *doc.Box {
	x, y, w, h, ok := rectangle(xfrm, "off", "ext")
	if !ok {
		return nil
	}
	return &doc.Box{
		X0: (x*t.scaleX + t.moveX) / emuPerPoint, Y0: (y*t.scaleY + t.moveY) / emuPerPoint,
		X1: ((x+w)*t.scaleX + t.moveX) / emuPerPoint, Y1: ((y+h)*t.scaleY + t.moveY) / emuPerPoint,
	}
}

// inside is the transform for the children of a group.
func (t transform) inside(xfrm *xmltree.Node) transform {
	x, y, w, h, ok1 := rectangle(xfrm, "off", "ext")
	cx, cy, cw, ch, ok2 := rectangle(xfrm, "chOff", "chExt")
	if !ok1 || !ok2 || cw == 0 || ch == 0 {
		return t
	}
	sx, sy := w/cw, h/ch
	return transform{
		scaleX: t.scaleX * sx, scaleY: t.scaleY * sy,
		moveX: (x-cx*sx)*t.scaleX + t.moveX, moveY: (y-cy*sy)*t.scaleY + t.moveY,
	}
}

func rectangle(xfrm *xmltree.Node, offset, extent string) (x, y, w, h float64, ok bool) {
	off, ext := Child(xfrm, offset), Child(xfrm, extent)
	if off == nil || ext == nil {
		return 0, 0, 0, 0, false
	}
	for _, v := range []struct {
		to   *float64
		text string
	}{{&x, off.Attr("x")}, {&y, off.Attr("y")}, {&w, ext.Attr("cx")}, {&h, ext.Attr("cy")}} {
		n, err := strconv.ParseInt(v.text, 10, 64)
		if err != nil {
			return 0, 0, 0, 0, false
		}
		*v.to = float64(n)
	}
	return x, y, w, h, true
}

// around is the box around shapes, or nil.
func around(shapes []Shape) *doc.Box {
	var out *doc.Box
	for i := range shapes {
		b := shapes[i].Box
		switch {
		case b == nil:
		case out == nil:
			copied := *b
			out = &copied
		default:
			out.X0, out.Y0, out.X1, out.Y1 = min(out.X0, b.X0), min(out.Y0, b.Y0), max(out.X1, b.X1), max(out.Y1, b.Y1)
		}
	}
	return out
}
