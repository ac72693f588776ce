package fb2

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxDepth bounds sections in sections; deeper ones are read at that depth.
const maxDepth = 500

// block reads one block-level element. level is that of a title in it.
func (r *reader) block(n *xmltree.Node, level int) []doc.Block {
	if r.depth > maxDepth {
		r.doc.Warn("nesting_flattened", "Sections are nested deeper than the limit; their text was kept.")
		if text := words(n); text != "" {
			return []doc.Block{doc.P(text)}
		}
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Name {
	case "":
		return nil
	case "p", "text-author", "date", "v":
		return r.paragraph(n, 0)
	case "title":
		return r.title(n, level)
	case "subtitle":
		return r.paragraph(n, min(level, 6))
	case "section":
		return named(r.all(n, level+1), n.Attr("id"))
	case "epigraph", "cite", "annotation":
		return named(r.quote(n, level), n.Attr("id"))
	case "poem":
		return named([]doc.Block{{Kind: doc.Quote, Children: r.poem(n)}}, n.Attr("id"))
	case "image":
		return r.figure(n)
	case "table":
		return named(r.table(n), n.Attr("id"))
	case "empty-line":
		return nil
	}
	if onlyText(n) {
		return r.paragraph(n, 0)
	}
	return r.all(n, level)
}

func onlyText(n *xmltree.Node) bool {
	for _, c := range n.Children {
		if c.Name == "" && strings.TrimSpace(c.Text) != "" {
			return true
		}
	}
	return false
}

func (r *reader) all(n *xmltree.Node, level int) []doc.Block {
	var blocks []doc.Block
	for _, c := range n.Children {
		if c.Name == "title" {
			blocks = append(blocks, r.title(c, level-1)...)
			continue
		}
		blocks = append(blocks, r.block(c, level)...)
	}
	return code(blocks)
}

// named lets links reach the first block by that name.
func named(blocks []doc.Block, id string) []doc.Block {
	if id != "" && len(blocks) > 0 && blocks[0].Anchor == "" {
		blocks[0].Anchor = id
	}
	return blocks
}

// code joins paragraphs that are code from end to end: books have one for each line.
func code(blocks []doc.Block) []doc.Block {
	var out []doc.Block
	open := false
	for _, b := range blocks {
		is := isCode(&b)
		switch last := len(out) - 1; {
		case is && open:
			if out[last].Kind == doc.Paragraph {
				out[last] = doc.Block{Kind: doc.Code, Text: doc.PlainText(out[last].Inlines), Anchor: out[last].Anchor}
			}
			out[last].Text += "\n" + doc.PlainText(b.Inlines)
		default:
			out = append(out, b)
		}
		open = is
	}
	for i := range out {
		if out[i].Kind == doc.Paragraph {
			out[i].Inlines = trim(out[i].Inlines)
		}
	}
	return out
}

func isCode(b *doc.Block) bool {
	for _, in := range b.Inlines {
		if in.Kind != doc.Text || in.Link != "" || !in.Marks.Has(doc.Monospace) && strings.TrimSpace(in.Text) != "" {
			return false
		}
	}
	return b.Kind == doc.Paragraph && len(b.Inlines) > 0
}

func (r *reader) paragraph(n *xmltree.Node, level int) []doc.Block {
	all := r.inlines(n, 0, "", nil)
	if line := (doc.Block{Kind: doc.Paragraph, Inlines: all, Anchor: n.Attr("id")}); level == 0 && isCode(&line) && strings.TrimSpace(doc.PlainText(all)) != "" {
		return []doc.Block{line} // its blanks may count
	}
	inlines := trim(all)
	switch {
	case len(inlines) == 0:
		return nil
	case level > 0:
		return []doc.Block{{Kind: doc.Heading, Level: level, Inlines: inlines, Anchor: n.Attr("id")}}
	case len(inlines) == 1 && inlines[0].Kind == doc.Picture:
		return []doc.Block{{Kind: doc.Figure, Image: inlines[0].Image}}
	}
	return []doc.Block{{Kind: doc.Paragraph, Inlines: inlines, Anchor: n.Attr("id")}}
}

// title joins the lines of a title into one heading.
func (r *reader) title(n *xmltree.Node, level int) []doc.Block {
	var inlines []doc.Inline
	for _, p := range n.All("p") {
		line := trim(r.inlines(p, 0, "", nil))
		if len(inlines) > 0 && len(line) > 0 {
			inlines = append(inlines, doc.T(" "))
		}
		inlines = append(inlines, line...)
	}
	if len(inlines) == 0 {
		return nil
	}
	return []doc.Block{{Kind: doc.Heading, Level: max(1, level), Inlines: inlines}}
}

// quote reads a quotation; its authors become the label.
func (r *reader) quote(n *xmltree.Node, level int) []doc.Block {
	b := doc.Block{Kind: doc.Quote}
	for _, c := range n.Children {
		if c.Name == "text-author" {
			b.Label = strings.TrimSpace(b.Label + " " + words(c))
			continue
		}
		b.Children = append(b.Children, r.block(c, level)...)
	}
	if b.Label != "" {
		b.Children = append(b.Children, doc.P("— "+b.Label))
		b.Label = ""
	}
	if len(b.Children) == 0 {
		return nil
	}
	return []doc.Block{b}
}

// poem reads the stanzas of a poem, each as a paragraph with its lines.
func (r *reader) poem(n *xmltree.Node) []doc.Block {
	var blocks []doc.Block
	for _, c := range n.Children {
		switch c.Name {
		case "stanza":
			p := doc.Block{Kind: doc.Paragraph}
			for _, v := range c.Children {
				line := trim(r.inlines(v, 0, "", nil))
				if v.Name == "" || len(line) == 0 {
					continue
				}
				if len(p.Inlines) > 0 {
					p.Inlines = append(p.Inlines, doc.Inline{Kind: doc.Break})
				}
				p.Inlines = append(p.Inlines, line...)
			}
			blocks = append(blocks, p)
		case "title":
			for _, b := range r.title(c, 6) {
				b.Kind, b.Level = doc.Paragraph, 0
				blocks = append(blocks, b)
			}
		default:
			blocks = append(blocks, r.block(c, 6)...)
		}
	}
	return blocks
}

func (r *reader) figure(n *xmltree.Node) []doc.Block {
	id, ok := r.image(n)
	if !ok {
		return nil
	}
	b := doc.Block{Kind: doc.Figure, Image: id}
	if img := r.doc.Image(id); img != nil && img.Alt == "" {
		img.Alt = n.Attr("alt")
	}
	if title := n.Attr("title"); title != "" {
		b.Caption = []doc.Inline{doc.T(title)}
	}
	return []doc.Block{b}
}

func (r *reader) image(n *xmltree.Node) (id string, ok bool) {
	href := href(n)
	if id, ok = r.images[strings.TrimPrefix(href, "#")]; !ok {
		r.doc.Warn("missing_part", "A picture is missing from the file: "+href+".")
	}
	return id, ok
}

// href is an element's link: books bind any prefix, or none, to XLink.
func href(n *xmltree.Node) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attrs {
		if a.Name == "href" || strings.HasSuffix(a.Name, ":href") {
			return a.Value
		}
	}
	return ""
}
