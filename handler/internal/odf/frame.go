package odf

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/xmltree"
)

// Limits of frames.
const (
	maxImage   = 128 << 20 // bytes of one picture
	maxObjects = 4         // objects in objects
)

// frame takes in a drawing element: a frame with a picture, a text box or an object, or a shape with text.
func (l *line) frame(n *xmltree.Node, k look) {
	r := l.f.r
	switch n.Name {
	case "draw:frame", "draw:text-box", "draw:image", "draw:object", "draw:object-ole":
	case "draw:a":
		l.walkLink(n, k)
		return
	default: // a shape or a group: its text and what is in it
		l.shape(n, k)
		return
	}
	alt := strings.TrimSpace(first(n.Child("svg:desc").AllText(), n.Child("svg:title").AllText()))
	content := []*xmltree.Node{n}
	if n.Name == "draw:frame" {
		content = n.Children
	}
	for _, c := range content {
		switch c.Name {
		case "draw:text-box":
			if blocks := r.story(c, l.f.inCell); len(blocks) > 0 {
				l.anchored(textBox(blocks))
			}
			return
		case "draw:object", "draw:object-ole":
			if l.object(c, k) {
				return
			}
		case "draw:image":
			anchor := n.Attr("text:anchor-type") // LibreOffice takes a picture that does not say for a character
			l.picture(c, alt, anchor != "" && anchor != "as-char", k)
			return
		case "table:table":
			l.anchored(r.story(&xmltree.Node{Name: "office:text", Children: []*xmltree.Node{c}}, l.f.inCell))
			return
		}
	}
}

func (l *line) walkLink(n *xmltree.Node, k look) {
	if target := l.f.r.link(n.Attr("xlink:href")); target != "" {
		k.link = target
	}
	l.children(n, k)
}

// textBox makes the content of a box a group; one that only holds a picture with its caption is a figure.
func textBox(blocks []doc.Block) []doc.Block {
	if len(blocks) > 0 && blocks[0].Kind == doc.Figure && len(blocks) <= 2 {
		if len(blocks) == 2 && blocks[1].Kind == doc.Paragraph && len(blocks[0].Caption) == 0 {
			blocks[0].Caption = blocks[1].Inlines
			blocks = blocks[:1]
		}
		return blocks
	}
	if first := blocks[0]; len(blocks) == 1 && first.Kind == doc.Paragraph && len(first.Inlines) > 0 && first.Inlines[0].Kind == doc.Picture && first.Inlines[0].Link == "" {
		return []doc.Block{{Kind: doc.Figure, Image: first.Inlines[0].Image, Caption: trim(first.Inlines[1:]), Places: first.Places}}
	}
	return []doc.Block{{Kind: doc.Group, Role: doc.RoleTextBox, Children: blocks}}
}

// shape reads a shape's text, or the shapes of a group.
func (l *line) shape(n *xmltree.Node, k look) {
	text := xmltree.Node{Name: n.Name}
	for _, c := range n.Children {
		switch {
		case c.Name == "text:p" || c.Name == "text:list" || c.Name == "text:h":
			text.Children = append(text.Children, c)
		case strings.HasPrefix(c.Name, "draw:"):
			l.frame(c, k)
		}
	}
	if strings.TrimSpace(text.AllText()) == "" {
		l.rule = l.rule || isRule(n)
		return
	}
	if blocks := l.f.r.story(&text, l.f.inCell); len(blocks) > 0 {
		l.anchored([]doc.Block{{Kind: doc.Group, Role: doc.RoleTextBox, Children: blocks}})
	}
}

// picture adds a picture from the package, from the element itself or from outside.
func (l *line) picture(n *xmltree.Node, alt string, floating bool, k look) {
	r := l.f.r
	id, ok := r.image(n, alt)
	if !ok {
		return
	}
	if floating && !l.f.inCell && k.link == "" {
		l.anchored([]doc.Block{{Kind: doc.Figure, Image: id, Places: l.f.places()}})
		return
	}
	l.add(doc.Inline{Kind: doc.Picture, Image: id, Text: alt, Link: k.link})
}

func (r *Reader) image(n *xmltree.Node, alt string) (id string, ok bool) {
	href := strings.TrimPrefix(n.Attr("xlink:href"), "./")
	href = strings.TrimPrefix(href, "#") // OpenOffice.org 1.0
	if unescaped, err := url.PathUnescape(href); err == nil && !r.pkg.Has(href) {
		href = unescaped
	}
	if id, ok := r.images[href]; ok && href != "" {
		r.doc.Describe(id, alt)
		return id, true
	}
	img, ok := r.readImage(n, href, alt)
	if !ok {
		return "", false
	}
	if href != "" {
		r.images[href] = img.ID
	}
	if !r.saved[img.ID] {
		r.saved[img.ID] = true
		r.doc.Images = append(r.doc.Images, img)
	}
	return img.ID, true
}

func (r *Reader) readImage(n *xmltree.Node, href, alt string) (doc.Image, bool) {
	var data []byte
	var err error
	switch binary := n.Child("office:binary-data"); {
	case binary != nil:
		data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(binary.AllText()), ""))
	case strings.Contains(href, "://"), strings.HasPrefix(href, "../"), strings.HasPrefix(href, "/"):
		r.doc.Warn("external_reference", "A picture lies outside the document and was not fetched.")
		href = strings.TrimPrefix(href, "../") // out of the package, as if that were a folder: what is left starts beside the document
		return doc.Image{ID: "external-" + href, Source: href, Alt: alt}, true
	case href == "" || !r.pkg.Has(href):
		r.doc.Warn("missing_part", "A picture is missing from the file: "+href+".")
		return doc.Image{}, false
	default:
		data, err = r.pkg.Bytes(href, maxImage)
	}
	if err == nil {
		var img doc.Image
		if img, err = r.in.Files.Image(data, r.imageType(href, data), href, alt); err == nil {
			return img, true
		}
	}
	r.doc.Warn("image_skipped", "A picture could not be read or written and was left out: "+href+".")
	return doc.Image{}, false
}

func (r *Reader) imageType(part string, data []byte) string {
	if kind := r.pkg.MediaType(part); strings.HasPrefix(kind, "image/") {
		return kind
	}
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	return kind
}

// mathStart is how the part of a formula begins. LibreOffice declares the namespace of MathML in charts as well.
var mathStart = lazyregexp.New(`^\x{FEFF}?\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:[\w.-]+:)?math[\s>]`)

// object reads an embedded formula or chart and tells whether it could; the replacement picture stands for other ones.
func (l *line) object(n *xmltree.Node, k look) bool {
	r := l.f.r
	if math := n.Find("math:math"); math != nil { // in a flat file
		l.add(doc.Inline{Kind: doc.Math, Text: strings.TrimSpace(math.AllText())})
		return true
	}
	href := strings.TrimPrefix(strings.TrimPrefix(n.Attr("xlink:href"), "#"), "./")
	part := path.Join(href, "content.xml")
	if href == "" || !r.pkg.Has(part) || r.objects >= maxObjects {
		return false
	}
	data, err := r.pkg.Bytes(part, maxTree)
	if err != nil {
		return false
	}
	if mathStart.Match(data) {
		return l.formula(data)
	}
	root, _, err := xmltree.Parse(bytes.NewReader(data), r.pkg.options())
	if err != nil || root == nil {
		return false
	}
	r.objects++
	defer func() { r.objects-- }()
	if chart := root.Find("chart:chart"); chart != nil {
		return l.chart(chart)
	}
	return false
}

func (l *line) formula(mathML []byte) bool {
	latex := ""
	if l.f.r.Math != nil {
		latex = strings.TrimSpace(l.f.r.Math(mathML))
	}
	if latex == "" {
		return false
	}
	l.add(doc.Inline{Kind: doc.Math, Text: latex})
	return true
}

// chart adds a chart's stored table with its title.
func (l *line) chart(chart *xmltree.Node) bool {
	title := strings.TrimSpace(chart.Child("chart:title").AllText())
	table := chart.Find("table:table")
	if table == nil {
		l.f.r.doc.Warn("chart_without_data", "A chart has no stored data; its title was kept.")
		if title != "" {
			l.anchored([]doc.Block{doc.P(title)})
		}
		return title != ""
	}
	blocks := l.f.r.story(&xmltree.Node{Children: []*xmltree.Node{table}}, false)
	for i := range blocks {
		if blocks[i].Kind == doc.Table && title != "" {
			blocks[i].Caption = []doc.Inline{doc.T(title)}
			break
		}
	}
	l.anchored(blocks)
	return true
}
