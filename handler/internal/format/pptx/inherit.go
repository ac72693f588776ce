package pptx

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/xmltree"
)

// sheet is a layout or a master: what placeholders of slides inherit from it.
type sheet struct {
	placeholders []heir
	styles       map[string]drawingml.Levels // of a master: title, body, other
	above        *sheet                      // a layout's master
}

// heir is a placeholder from which others inherit.
type heir struct {
	drawingml.Placeholder
	box    *doc.Box
	levels drawingml.Levels
}

// maxAbove bounds slide -> layout -> master; honest files have two steps.
const maxAbove = 3

// sheetAbove reads the layout of a slide, or the master of a layout, once for all slides. It is nil when there is none.
func (p *parser) sheetAbove(part string, depth int) (*sheet, error) {
	rels := p.pkg.Rels(part)
	target := rels.First("slideLayout")
	if target == "" || depth > 0 {
		target = rels.First("slideMaster")
	}
	if known, ok := p.sheets[target]; ok || target == "" || depth >= maxAbove {
		return known, nil
	}
	p.sheets[target] = nil // a circle ends here
	root, err := p.tree(target)
	if err != nil || root == nil {
		return nil, err
	}
	s := &sheet{styles: map[string]drawingml.Levels{}}
	for _, shape := range drawingml.Shapes(root.Child("p:cSld", "p:spTree"), p.d) {
		if shape.Placeholder == nil {
			p.background(shape, target)
		} else {
			body := drawingml.Child(shape.Node, "txBody")
			s.placeholders = append(s.placeholders, heir{*shape.Placeholder, shape.Box, drawingml.ReadLevels(drawingml.Child(body, "lstStyle"))})
		}
	}
	s.readStyles(root.Child("p:txStyles"))
	if root.Name == "p:sldLayout" {
		if s.above, err = p.sheetAbove(target, depth+1); err != nil {
			return nil, err
		}
	}
	p.sheets[target] = s
	return s, nil
}

func (s *sheet) readStyles(n *xmltree.Node) {
	for name, element := range map[string]string{"title": "p:titleStyle", "body": "p:bodyStyle", "other": "p:otherStyle"} {
		s.styles[name] = drawingml.ReadLevels(n.Child(element))
	}
}

// find is the placeholder that another one inherits from: of the same index in a layout, of the same type in a master.
func (s *sheet) find(ph *drawingml.Placeholder) *heir {
	var byType *heir
	for i := range s.placeholders {
		h := &s.placeholders[i]
		switch {
		case ph.Index != "" && h.Index == ph.Index:
			return h
		case byType == nil && family(h.Type) == family(ph.Type):
			byType = h
		}
	}
	return byType
}

// family joins the types that inherit from each other.
func family(kind string) string {
	switch kind {
	case "ctrTitle", "title":
		return "title"
	case "", "obj", "body", "subTitle", "tbl", "chart", "dgm", "media", "clipArt", "pic":
		return "body"
	}
	return kind
}

// inherited are the list styles of a shape from its layout, its master and the presentation, nearest first.
func (p *parser) inherited(above *sheet, s *drawingml.Shape) []drawingml.Levels {
	var out []drawingml.Levels
	style := "other"
	ph := s.Placeholder
	if ph != nil {
		if style = family(ph.Type); style != "title" && style != "body" {
			style = "other"
		}
	}
	for ; above != nil; above = above.above {
		if ph != nil {
			if h := above.find(ph); h != nil {
				out = append(out, h.levels)
			}
		}
		if above.above == nil {
			out = append(out, above.styles[style])
		}
	}
	return append(out, p.defaults)
}

// place gives placeholders without a place of their own that of their layout or master.
func place(above *sheet, shapes []drawingml.Shape) {
	for i := range shapes {
		s := &shapes[i]
		for up := above; up != nil && s.Box == nil && s.Placeholder != nil; up = up.above {
			if h := up.find(s.Placeholder); h != nil && h.box != nil {
				s.Box = h.box
			}
		}
	}
}

// background keeps a text that a layout or master puts on all its slides: once, as furniture.
func (p *parser) background(shape drawingml.Shape, part string) {
	reader := &drawingml.Reader{Package: p.pkg, Part: part, Doc: p.d, Files: p.in.Files, Place: func(*doc.Box) doc.Place { return doc.Place{Part: part} }}
	for _, b := range reader.Text(drawingml.Child(shape.Node, "txBody"), nil) {
		b.Places = []doc.Place{{Part: part, Box: shape.Box}}
		p.d.Furniture = append(p.d.Furniture, b)
	}
}
