package docx

import (
	"path"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// drawing takes in a w:drawing, w:pict or w:object: pictures, text boxes, charts, SmartArt, embedded files, in their order.
func (l *line) drawing(n *xmltree.Node, k look) {
	alt := altText(n)
	k.floating = n.Child("wp:anchor") != nil
	n.Walk(func(c *xmltree.Node) bool {
		switch c.Name {
		case "a:blip":
			l.picture(first(c.Attr("r:embed"), c.Attr("r:link")), first(groupedAlt(n, c), alt, withoutFileName(pictureAlt(n, c))), k)
		case "v:imagedata":
			l.picture(first(c.Attr("r:id"), c.Attr("r:embed"), c.Attr("r:pict")), first(alt, c.Attr("o:title")), k)
			return false
		case "v:rect":
			if c.Attr("o:hr") != "" {
				l.rule = true
			}
		case "w:txbxContent":
			l.textBox(c, k)
			return false
		case "c:chart", "cx:chart":
			l.chart(c.Attr("r:id"))
			return false
		case "dgm:relIds":
			l.diagram(c.Attr("r:dm"))
			return false
		case "o:OLEObject":
			l.f.p.embedded(c.Attr("r:id"))
		case "v:textpath": // WordArt
			l.text(c.Attr("string"), k)
		case "mc:AlternateContent":
			l.drawing(choose(c), k)
			return false
		case "wp:docPr", "wp:cNvGraphicFramePr", "pic:nvPicPr", "a:extLst", "wp14:sizeRelH", "wp14:sizeRelV":
			return false
		}
		return true
	})
}

// altText is the alternative text of a drawing.
func altText(n *xmltree.Node) string {
	if props := n.Find("wp:docPr"); props != nil {
		return first(strings.TrimSpace(props.Attr("descr")), strings.TrimSpace(props.Attr("title")))
	}
	for _, name := range []string{"v:shape", "v:rect"} {
		if shape := n.Find(name); shape != nil && shape.Attr("alt") != "" {
			return strings.TrimSpace(shape.Attr("alt"))
		}
	}
	return ""
}

// pictureAlt is the text of the one picture that blip belongs to, where a drawing groups several.
func pictureAlt(n, blip *xmltree.Node) string {
	text := ""
	n.Walk(func(c *xmltree.Node) bool {
		if c.Name == "pic:pic" && c.Find("a:blip") == blip {
			text = strings.TrimSpace(c.Find("pic:cNvPr").Attr("descr"))
		}
		return text == ""
	})
	return text
}

// withoutFileName is a picture's text unless that is only a file's name: pandoc and others put it there, and it says nothing.
func withoutFileName(text string) string {
	switch strings.ToLower(path.Ext(text)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".bmp", ".emf", ".wmf", ".tif", ".tiff", ".webp":
		return ""
	}
	return text
}

// groupedAlt is pictureAlt where the drawing holds more than this picture; else the drawing's own text comes first: pandoc and others put
// the file's name at the picture.
func groupedAlt(n, blip *xmltree.Node) string {
	pictures := 0
	n.Walk(func(c *xmltree.Node) bool {
		if c.Name == "pic:pic" {
			pictures++
		}
		return pictures < 2
	})
	if pictures < 2 {
		return ""
	}
	return pictureAlt(n, blip)
}

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

// picture adds a picture by its relationship.
func (l *line) picture(id, alt string, k look) {
	p := l.f.p
	if id == "" {
		return
	}
	rel, ok := p.rels[id]
	switch {
	case !ok || !rel.External && !p.pkg.Has(rel.Target):
		p.doc.Warn("missing_part", "A picture is missing from the file: "+id+".", doc.Place{Part: p.part})
		if alt != "" {
			l.add(doc.Inline{Kind: doc.Picture, Text: alt, Link: k.link})
		}
		return
	case rel.External:
		p.doc.Warn("external_reference", "A picture lies outside the document and was not fetched.")
	}
	image, err := p.image(rel, alt)
	if err != nil {
		p.doc.Warn("image_skipped", "A picture could not be read or written and was left out: "+rel.Target+".")
		return
	}
	link := k.link
	if fieldLink := l.f.link(); fieldLink != "" {
		link = fieldLink
	}
	if k.floating && !l.f.inCell && link == "" {
		l.anchored([]doc.Block{{Kind: doc.Figure, Image: image, Text: alt, Places: l.f.places(p.page)}})
		return
	}
	l.add(doc.Inline{Kind: doc.Picture, Image: image, Text: alt, Link: link})
}

// maxImage bounds one picture's bytes.
const maxImage = 128 << 20

// image saves a picture once and gives its id.
func (p *parser) image(rel ooxml.Relationship, alt string) (string, error) {
	if id, ok := p.images[rel.Target]; ok {
		p.doc.Describe(id, alt)
		return id, nil
	}
	var img doc.Image
	if rel.External {
		img = doc.Image{ID: "external-" + rel.ID, Source: p.safeLink(rel.Target), Alt: alt}
	} else {
		data, err := p.pkg.Bytes(rel.Target, maxImage)
		if err != nil {
			return "", err
		}
		if img, err = p.in.Files.Image(data, p.pkg.ContentType(rel.Target), rel.Target, alt); err != nil {
			return "", err
		}
	}
	p.images[rel.Target] = img.ID
	if !p.saved[img.ID] {
		p.saved[img.ID] = true
		p.doc.Images = append(p.doc.Images, img)
	}
	return img.ID, nil
}

// textBox adds the text of a box where it is anchored.
func (l *line) textBox(n *xmltree.Node, k look) {
	blocks := l.f.p.story(n, l.f.inCell, k.revision)
	if len(blocks) == 0 {
		return
	}
	l.anchored([]doc.Block{{Kind: doc.Group, Role: doc.RoleTextBox, Children: blocks}})
}

// chart adds a chart's title and data.
func (l *line) chart(id string) {
	p := l.f.p
	rel, ok := p.rels[id]
	root, err := p.pkg.Tree(rel.Target)
	if !ok || err != nil || root == nil {
		p.doc.Warn("missing_part", "A chart is missing from the file: "+id+".", doc.Place{Part: p.part})
		return
	}
	block, hasData := ooxml.Chart(root)
	if !hasData {
		p.doc.Warn("chart_without_data", "A chart has no stored data; its title was kept.")
	}
	block.Places = l.f.places(p.page)
	l.anchored([]doc.Block{block})
}

// diagram adds the text of a SmartArt drawing.
func (l *line) diagram(id string) {
	p := l.f.p
	rel, ok := p.rels[id]
	root, err := p.pkg.Tree(rel.Target)
	if !ok || err != nil || root == nil {
		p.doc.Warn("missing_part", "A SmartArt drawing's data are missing from the file: "+id+".", doc.Place{Part: p.part})
		return
	}
	l.anchored(ooxml.Diagram(root))
}

// math adds formulas.
func (l *line) math(n *xmltree.Node, k look) {
	formulas := []*xmltree.Node{n}
	if n.Name == "m:oMathPara" {
		formulas = n.All("m:oMath")
	}
	for i, formula := range formulas {
		text, exact := ooxml.Math(formula)
		if !exact {
			l.f.p.doc.Warn("equation_approximated", "An equation has parts that LaTeX was only approximated for.")
		}
		if text == "" {
			continue
		}
		if i > 0 {
			l.add(doc.Inline{Kind: doc.Break})
		}
		l.add(doc.Inline{Kind: doc.Math, Text: text, Marks: k.revision.marks})
	}
}
