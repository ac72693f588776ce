package pptx

import (
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/xmltree"
)

// titleLevel is the heading level of slide titles; a presentation is one level of headings.
const titleLevel = 2

// slide reads one slide into the document: as a group in the body, or apart when it is hidden.
func (p *parser) slide(part string, number int) error {
	where := doc.Place{Page: number, Slide: number}
	page := doc.Page{Number: number, Kind: "slide", Width: p.width, Height: p.height}
	root, err := p.tree(part)
	if err != nil {
		return err
	}
	if root == nil {
		p.d.Pages = append(p.d.Pages, page)
		p.d.Warn("missing_part", fmt.Sprintf("Slide %d is in the presentation's list, but missing in the file or damaged.", number), where)
		return nil
	}
	page.Hidden = root.Attr("show") == "0" || root.Attr("show") == "false"
	s := slideReader{p: p, number: number, part: part}
	group, err := s.read(root)
	if err != nil {
		return err
	}
	page.Label = group.Label
	p.d.Pages = append(p.d.Pages, page)
	p.readComments(part, number)
	p.put(group, page.Hidden, where)
	return nil
}

func (p *parser) put(group doc.Block, hidden bool, where doc.Place) {
	if hidden {
		became := "kept apart"
		if p.includeHidden() {
			became = "shown, as asked for"
		}
		p.d.Warn("hidden_slide", fmt.Sprintf("Slide %d is hidden; it was %s.", where.Slide, became), where)
	}
	switch {
	case len(group.Children) == 0:
	case hidden && !p.includeHidden():
		p.d.Hidden = append(p.d.Hidden, doc.Hidden{Reason: "hidden_slide", Name: group.Label, Blocks: []doc.Block{group}})
	default:
		p.d.Blocks = append(p.d.Blocks, group)
	}
}

// slideReader reads one slide.
type slideReader struct {
	p      *parser
	number int
	part   string
	above  *sheet
}

func (s *slideReader) place(box *doc.Box) doc.Place {
	return doc.Place{Page: s.number, Slide: s.number, Box: box}
}

// read makes the slide's group: title, shapes in reading order, notes.
func (s *slideReader) read(root *xmltree.Node) (doc.Block, error) {
	var err error
	if s.above, err = s.p.sheetAbove(s.part, 0); err != nil {
		return doc.Block{}, err
	}
	reader := s.reader(s.part)
	shapes := drawingml.Shapes(root.Child("p:cSld", "p:spTree"), s.p.d)
	place(s.above, shapes)
	titles, rest := s.sort(shapes, reader)
	group := doc.Block{Kind: doc.Group, Role: doc.RoleSlide, Places: []doc.Place{s.place(nil)}}
	for _, shape := range titles {
		if heading, ok := s.title(shape, reader); ok {
			if group.Label == "" {
				group.Label = heading.PlainText()
			}
			group.Children = append(group.Children, heading)
		}
	}
	for _, shape := range drawingml.ReadingOrder(rest) {
		group.Children = append(group.Children, drawingml.CodeBlocks(reader.Blocks(shape))...)
	}
	notes, err := s.notes()
	if len(notes) > 0 {
		group.Children = append(group.Children, doc.Block{Kind: doc.Group, Role: doc.RoleNotes, Children: notes, Places: []doc.Place{s.place(nil)}})
	}
	return group, err
}

func (s *slideReader) reader(part string) *drawingml.Reader {
	return &drawingml.Reader{
		Package: s.p.pkg, Part: part, Doc: s.p.d, Files: s.p.in.Files, Place: s.place,
		Inherited: func(shape *drawingml.Shape) []drawingml.Levels { return s.p.inherited(s.above, shape) },
	}
}

// sort tells titles from the rest, and takes out what is not body: furniture and hidden shapes.
func (s *slideReader) sort(shapes []drawingml.Shape, reader *drawingml.Reader) (titles, rest []drawingml.Shape) {
	for _, shape := range shapes {
		switch kind := placeholderType(shape); {
		case shape.Hidden:
			s.hiddenShape(shape, reader)
			if s.p.includeHidden() {
				rest = append(rest, shape)
			}
		case kind == "title" || kind == "ctrTitle":
			titles = append(titles, shape)
		case kind == "dt" || kind == "ftr" || kind == "sldNum" || kind == "hdr":
			s.furniture(shape, reader)
		default:
			rest = append(rest, shape)
		}
	}
	return titles, rest
}

func placeholderType(shape drawingml.Shape) string {
	if shape.Placeholder == nil {
		return "none"
	}
	return shape.Placeholder.Type
}

// title makes a heading of a title placeholder. Its looks are the layout's, so bold says nothing.
func (s *slideReader) title(shape drawingml.Shape, reader *drawingml.Reader) (doc.Block, bool) {
	var inlines []doc.Inline
	for _, b := range reader.Blocks(shape) {
		doc.Walk([]doc.Block{b}, func(inner *doc.Block) bool {
			if len(inner.Inlines) > 0 && len(inlines) > 0 {
				inlines = append(inlines, doc.T(" "))
			}
			if inner.Kind == doc.Formula {
				inlines = append(inlines, doc.Inline{Kind: doc.Math, Text: inner.Text})
			}
			inlines = append(inlines, inner.Inlines...)
			return true
		})
	}
	for i := range inlines {
		inlines[i].Marks &^= doc.Strong | doc.Underline
		if inlines[i].Kind == doc.Break {
			inlines[i] = doc.T(" ")
		}
	}
	return doc.Block{Kind: doc.Heading, Level: titleLevel, Inlines: inlines, Places: []doc.Place{s.place(shape.Box)}}, len(inlines) > 0
}

// furniture keeps footers, dates and slide numbers apart; a text that is on every slide is kept once.
func (s *slideReader) furniture(shape drawingml.Shape, reader *drawingml.Reader) {
	for _, b := range reader.Blocks(shape) {
		text := b.PlainText()
		if shape.Placeholder.Type != "sldNum" && s.p.furniture[text] {
			continue
		}
		s.p.furniture[text] = true
		s.p.d.Furniture = append(s.p.d.Furniture, b)
	}
}

func (s *slideReader) hiddenShape(shape drawingml.Shape, reader *drawingml.Reader) {
	if s.p.includeHidden() {
		s.p.d.Warn("hidden_element", "Hidden shapes were shown, as asked for.", s.place(shape.Box))
		return
	}
	if blocks := reader.Blocks(shape); len(blocks) > 0 {
		s.p.d.Warn("hidden_element", "Hidden shapes were kept apart.", s.place(shape.Box))
		s.p.d.Hidden = append(s.p.d.Hidden, doc.Hidden{Reason: "hidden_element", Name: shape.Name, Blocks: blocks})
	}
}

// notes reads the speaker's notes: the body of the notes page, without its picture of the slide and its furniture.
func (s *slideReader) notes() ([]doc.Block, error) {
	part := s.p.pkg.Rels(s.part).First("notesSlide")
	root, err := s.p.tree(part)
	if err != nil || root == nil {
		return nil, err
	}
	reader := s.reader(part)
	reader.Inherited = nil
	var out []doc.Block
	for _, shape := range drawingml.Shapes(root.Child("p:cSld", "p:spTree"), s.p.d) {
		switch kind := placeholderType(shape); {
		case kind == "body" || kind == "" || kind == "none" && shape.Kind == drawingml.TextShape:
			shape.Box = nil // on the notes page, not on the slide
			out = append(out, reader.Blocks(shape)...)
		}
	}
	return out, nil
}

// oneLine is text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
