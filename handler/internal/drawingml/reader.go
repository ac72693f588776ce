package drawingml

import (
	"bytes"
	"io"
	"path"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/oleobject"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// Reader makes blocks of the shapes of one part.
type Reader struct {
	Package *ooxml.Package
	Part    string // whose relationships the shapes use
	Doc     *doc.Document
	Files   format.Files
	// Place says where a box is in the document; it may be nil for "somewhere in the part".
	Place func(*doc.Box) doc.Place
	// Inherited gives the list styles above a shape's own, nearest first. Nil means none.
	Inherited func(*Shape) []Levels
}

func (r *Reader) rels() ooxml.Relationships { return r.Package.Rels(r.Part) }

func (r *Reader) place(box *doc.Box) doc.Place { return r.Place(box) }

// Blocks makes blocks of a shape. Those of a group stand in reading order, each shape on its own.
func (r *Reader) Blocks(s Shape) []doc.Block {
	switch s.Kind {
	case Group:
		var out []doc.Block
		for _, child := range ReadingOrder(s.Children) {
			if !child.Hidden {
				out = append(out, r.Blocks(child)...)
			}
		}
		return out
	case Picture:
		return r.at(s, r.picture(s))
	case Frame:
		return r.at(s, r.frame(s))
	}
	var inherited []Levels
	if r.Inherited != nil {
		inherited = r.Inherited(&s)
	}
	return r.at(s, r.Text(Child(s.Node, "txBody"), inherited))
}

// at gives blocks the place of their shape.
func (r *Reader) at(s Shape, blocks []doc.Block) []doc.Block {
	for i := range blocks {
		blocks[i].Places = []doc.Place{r.place(s.Box)}
	}
	return blocks
}

// frame reads what a graphic frame holds.
func (r *Reader) frame(s Shape) []doc.Block {
	data := s.Node.Find("a:graphicData")
	switch {
	case data == nil:
		return nil
	case Child(data, "tbl") != nil:
		return []doc.Block{{Kind: doc.Table, Table: r.table(Child(data, "tbl"))}}
	case Child(data, "chart") != nil:
		return r.chart(s, Child(data, "chart").Attr("r:id"))
	case Child(data, "relIds") != nil:
		return r.diagram(Child(data, "relIds").Attr("r:dm"))
	}
	return r.object(s, data)
}

// tree reads the part that a relationship leads to, or warns.
func (r *Reader) tree(id, what string) *xmltree.Node {
	rel, ok := r.rels()[id]
	if ok && !rel.External {
		if root, err := r.Package.Tree(rel.Target); err == nil && root != nil {
			return root
		}
	}
	r.Doc.Warn("missing_part", "A "+what+" is missing in the file or damaged.", r.place(nil))
	return nil
}

func (r *Reader) chart(s Shape, id string) []doc.Block {
	root := r.tree(id, "chart")
	if root == nil {
		return nil
	}
	block, hasData := ooxml.Chart(root)
	if !hasData {
		r.Doc.Warn("chart_without_data", "A chart has no stored data; its title was kept.", r.place(s.Box))
		if block.PlainText() == "" {
			return nil
		}
	}
	return []doc.Block{block}
}

func (r *Reader) diagram(id string) []doc.Block {
	root := r.tree(id, "diagram")
	if root == nil {
		return nil
	}
	return ooxml.Diagram(root)
}

// picture saves a picture and shows it with its alternative text.
func (r *Reader) picture(s Shape) []doc.Block {
	if properties := Child(nonVisual(s.Node), "nvPr"); properties.Find("a:videoFile") != nil || properties.Find("a:audioFile") != nil {
		r.Doc.Warn("unsupported_part", "A sound or film was left out; the picture that stands for it was kept.", r.place(s.Box))
	}
	id := r.image(Child(s.Node, "blipFill"), s.Alt)
	if id == "" {
		if s.Alt == "" {
			return nil
		}
		return []doc.Block{{Kind: doc.Paragraph, Inlines: []doc.Inline{doc.T(s.Alt)}, Source: "alt_text"}}
	}
	return []doc.Block{{Kind: doc.Figure, Image: id}}
}

// maxImage bounds the bytes of one picture.
const maxImage = 128 << 20

// image saves the picture that a blip names, and gives its id, or "" when there is none to save.
func (r *Reader) image(fill *xmltree.Node, alt string) string {
	blip := fill.Find("a:blip")
	if blip == nil {
		return ""
	}
	rel, ok := r.rels()[blip.Attr("r:embed")]
	switch {
	case ok && rel.External, !ok && blip.Attr("r:link") != "":
		r.Doc.Warn("external_reference", "A picture is linked, not embedded; it was not fetched.", r.place(nil))
		return ""
	case !ok || !r.Package.Has(rel.Target):
		r.Doc.Warn("missing_part", "A picture that the document refers to is not in the file.", r.place(nil))
		return ""
	}
	data, err := r.Package.Bytes(rel.Target, maxImage)
	if err != nil {
		r.Doc.Warn("image_skipped", "A picture could not be read and was left out.", r.place(nil))
		return ""
	}
	return r.save(data, rel.Target, alt)
}

func (r *Reader) save(data []byte, part, alt string) string {
	image, err := r.Files.Image(data, mediaType(r.Package, part), part, alt)
	if err != nil {
		r.Doc.Warn("image_skipped", "A picture could not be written and was left out.", r.place(nil))
		return ""
	}
	if r.Doc.Image(image.ID) == nil {
		r.Doc.Images = append(r.Doc.Images, image)
	}
	return image.ID
}

// mediaType is a part's media type, by its content type or its extension.
func mediaType(p *ooxml.Package, part string) string {
	if kind := p.ContentType(part); strings.HasPrefix(kind, "image/") {
		return kind
	}
	switch ext := strings.ToLower(strings.TrimPrefix(path.Ext(part), ".")); ext {
	case "jpg", "jpeg":
		return "image/jpeg"
	case "emf", "wmf":
		return "image/x-" + ext
	case "svg":
		return "image/svg+xml"
	default:
		return "image/" + ext
	}
}

// object reads an embedded object: the file inside as an attachment, its picture as a figure.
func (r *Reader) object(s Shape, data *xmltree.Node) []doc.Block {
	object := data.Find("p:oleObj")
	if object == nil {
		if len(data.Children) > 0 {
			r.Doc.Warn("unsupported_part", "An object of an unknown kind was left out.", r.place(s.Box))
		}
		return nil
	}
	if rel, ok := r.rels()[object.Attr("r:id")]; ok && !rel.External {
		r.Attach(rel.Target)
	}
	if pic := data.Find("p:pic"); pic != nil {
		return r.picture(Shape{Kind: Picture, Node: pic, Alt: first(s.Alt, object.Attr("name"))})
	}
	return nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// maxObject bounds the bytes of an OLE object that is looked into; a larger one is taken out as it is.
const maxObject = 64 << 20

// Attach takes an embedded file out of the package: the file in an OLE object, or the part itself. A failure is a warning.
func (r *Reader) Attach(part string) {
	var content io.Reader
	name, kind := path.Base(part), r.Package.ContentType(part)
	if file, ok := r.insideObject(part); ok {
		name, kind, content = file.Name, "", bytes.NewReader(file.Content)
	} else {
		opened, err := r.Package.Part(part)
		if err != nil {
			r.Doc.Warn("missing_part", "An embedded file is missing: "+name+".", r.place(nil))
			return
		}
		defer opened.Close()
		content = opened
	}
	a, err := r.Files.Attachment(name, kind, content)
	if err != nil {
		r.Doc.Warn("attachment_failed", "The embedded file "+name+" could not be taken out.", r.place(nil))
		return
	}
	r.Doc.Attachments = append(r.Doc.Attachments, a)
}

func (r *Reader) insideObject(part string) (oleobject.File, bool) {
	if !strings.EqualFold(path.Ext(part), ".bin") {
		return oleobject.File{}, false
	}
	data, err := r.Package.Bytes(part, maxObject)
	if err != nil {
		return oleobject.File{}, false
	}
	return oleobject.Find(data)
}

// math reads an equation (a14:m) as LaTeX.
func (r *Reader) math(n *xmltree.Node) []doc.Inline {
	latex, exact := ooxml.Math(n)
	if latex == "" {
		return nil
	}
	if !exact {
		r.Doc.Warn("equation_approximated", "An equation has parts that LaTeX was only approximated for.", r.place(nil))
	}
	return []doc.Inline{{Kind: doc.Math, Text: latex}}
}
