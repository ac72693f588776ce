package odp

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/odf"
	"decant/handler/internal/xmltree"
)

// titleLevel is the heading level of slide titles; a presentation is one level of headings.
const titleLevel = 2

// page reads one draw:page.
func (p *parser) page(n *xmltree.Node) error {
	p.number++
	p.in.Progress(p.number, 0)
	p.r.Page = p.number
	group := doc.Block{Kind: doc.Group, Role: doc.RoleSlide, Places: []doc.Place{p.place(nil)}}
	titles, shapes, notes := p.sort(n)
	for _, s := range titles {
		if heading, ok := p.title(s); ok {
			if group.Label == "" {
				group.Label = heading.PlainText()
			}
			group.Children = append(group.Children, heading)
		}
	}
	for _, s := range drawingml.ReadingOrder(shapes) {
		group.Children = append(group.Children, drawingml.CodeBlocks(p.blocks(s))...)
	}
	if notes != nil {
		if blocks := p.notes(notes); len(blocks) > 0 {
			group.Children = append(group.Children, doc.Block{Kind: doc.Group, Role: doc.RoleNotes, Children: blocks, Places: []doc.Place{p.place(nil)}})
		}
	}
	return p.put(group, n.Attr("draw:master-page-name"), p.hidden[n.Attr("draw:style-name")])
}

func (p *parser) place(box *doc.Box) doc.Place {
	return doc.Place{Page: p.number, Slide: p.number, Box: box}
}

// sort tells titles, other shapes and notes from each other, and takes furniture and prompts out.
func (p *parser) sort(n *xmltree.Node) (titles, shapes []drawingml.Shape, notes *xmltree.Node) {
	for _, c := range n.Children {
		switch class := c.Attr("presentation:class"); {
		case c.Name == "presentation:notes":
			notes = c
		case c.Attr("presentation:placeholder") == "true": // an empty one: only its prompt would be shown
		case class == "title":
			titles = append(titles, newShape(c))
		case class == "footer" || class == "header" || class == "date-time" || class == "page-number":
			p.furniture(c.AllText(), p.place(boxOf(c)))
		case c.Name == "office:annotation":
			p.comment(c)
		case strings.HasPrefix(c.Name, "draw:") || strings.HasPrefix(c.Name, "dr3d:"):
			shapes = append(shapes, newShape(c))
		}
	}
	return titles, shapes, notes
}

// newShape is a shape with its box; a group's box is that around its shapes.
func newShape(n *xmltree.Node) drawingml.Shape {
	s := drawingml.Shape{Node: n, Box: boxOf(n)}
	if n.Name == "draw:g" || n.Name == "draw:a" {
		for _, c := range n.Children {
			if strings.HasPrefix(c.Name, "draw:") {
				child := newShape(c)
				s.Children = append(s.Children, child)
				s.Box = union(s.Box, child.Box)
			}
		}
	}
	return s
}

func union(a, b *doc.Box) *doc.Box {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return &doc.Box{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}

// blocks reads a shape; those of a group stand in reading order.
func (p *parser) blocks(s drawingml.Shape) []doc.Block {
	if s.Node.Name == "draw:g" {
		var out []doc.Block
		for _, c := range drawingml.ReadingOrder(s.Children) {
			out = append(out, p.blocks(c)...)
		}
		return out
	}
	out := unboxed(p.r.Blocks(&xmltree.Node{Name: "draw:page", Children: []*xmltree.Node{s.Node}}))
	for i := range out {
		out[i].Places = []doc.Place{p.place(s.Box)}
		if out[i].Kind == doc.Table {
			useFirstRow(s.Node, out[i].Table)
			plainCells(out[i].Table)
		}
	}
	return out
}

// useFirstRow makes the first row a header when the table's look says so and no header rows are declared.
func useFirstRow(frame *xmltree.Node, g *doc.Grid) {
	if g.HeaderRows > 0 || g.Rows < 2 || frame.Find("table:table").Attr("table:use-first-row-styles") != "true" {
		return
	}
	g.HeaderRows = 1
	for i := range g.Cells {
		g.Cells[i].Header = g.Cells[i].Row == 0
	}
}

// plainCells takes cells out of lists of one item: slides write every text as a list, and one bullet in a cell says nothing.
func plainCells(g *doc.Grid) {
	for i := range g.Cells {
		blocks := g.Cells[i].Blocks
		if len(blocks) == 1 && blocks[0].Kind == doc.List && !blocks[0].Ordered && len(blocks[0].Children) == 1 {
			g.Cells[i].Blocks = blocks[0].Children[0].Children
		}
	}
}

// unboxed takes blocks out of text boxes: on a slide every text is in one.
func unboxed(blocks []doc.Block) []doc.Block {
	var out []doc.Block
	for _, b := range blocks {
		if b.Kind == doc.Group && b.Role == doc.RoleTextBox {
			out = append(out, unboxed(b.Children)...)
			continue
		}
		if b.Kind == doc.Heading { // by a style that outlines use for their levels
			b.Kind, b.Level, b.Number = doc.Paragraph, 0, ""
		}
		out = append(out, b)
	}
	return out
}

// title makes a heading of a title's text, on one line.
func (p *parser) title(s drawingml.Shape) (doc.Block, bool) {
	var inlines []doc.Inline
	blocks := p.blocks(s)
	doc.Walk(blocks, func(b *doc.Block) bool {
		if len(b.Inlines) > 0 && len(inlines) > 0 {
			inlines = append(inlines, doc.T(" "))
		}
		inlines = append(inlines, b.Inlines...)
		return true
	})
	for i := range inlines {
		inlines[i].Marks &^= doc.Strong | doc.Underline
		if inlines[i].Kind == doc.Break {
			inlines[i] = doc.T(" ")
		}
	}
	return doc.Block{Kind: doc.Heading, Level: titleLevel, Inlines: inlines, Places: []doc.Place{p.place(s.Box)}}, len(inlines) > 0
}

// notes reads the notes page: its text, without the picture of the slide and without furniture.
func (p *parser) notes(n *xmltree.Node) []doc.Block {
	var out []doc.Block
	for _, c := range n.Children {
		class := c.Attr("presentation:class")
		if c.Attr("presentation:placeholder") == "true" || class != "notes" && class != "" || c.Name == "draw:page-thumbnail" || c.Name == "" {
			continue
		}
		s := newShape(c)
		s.Box = nil // on the notes page, not on the slide
		out = append(out, p.blocks(s)...)
	}
	return out
}

func (p *parser) comment(n *xmltree.Node) {
	var lines []string
	for _, c := range n.All("text:p") {
		lines = append(lines, strings.TrimSpace(c.AllText()))
	}
	if text := strings.TrimSpace(strings.Join(lines, "\n")); text != "" {
		p.d.Annotations = append(p.d.Annotations, doc.Annotation{
			Kind: "comment", Author: strings.TrimSpace(n.Child("dc:creator").AllText()), Date: strings.TrimSpace(n.Child("dc:date").AllText()),
			Text: text, Places: []doc.Place{p.place(nil)},
		})
	}
}

// boxOf is the place of a shape in points, or nil. Lines have two ends instead of a size.
func boxOf(n *xmltree.Node) *doc.Box {
	x, ok1 := odf.Length(n.Attr("svg:x"))
	y, ok2 := odf.Length(n.Attr("svg:y"))
	w, ok3 := odf.Length(n.Attr("svg:width"))
	h, ok4 := odf.Length(n.Attr("svg:height"))
	if !ok3 {
		w, ok3 = 0, true
	}
	if !ok4 {
		h, ok4 = 0, true
	}
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil
	}
	return &doc.Box{X0: x, Y0: y, X1: x + w, Y1: y + h}
}
