package xmlfmt

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// docbookInfo shows the title and abstract of the metadata; the rest is in Document.Metadata.
func (r *rewriter) docbookInfo(n, to *html.Node) {
	for _, c := range children(n) {
		if isElement(c, "title", "subtitle", "abstract") {
			r.node(c, to)
		}
	}
}

func docbookMetadata(m *doc.Metadata, root *html.Node) {
	info := child(root, "info", "articleinfo", "bookinfo")
	if info == nil {
		info = root
	}
	m.Sources = map[string]string{"title": "docbook"}
	m.Title = textOf(child(info, "title"))
	if m.Title == "" {
		m.Title = textOf(child(root, "title"))
	}
	if m.Language = attr(root, "lang"); m.Language != "" {
		m.Confidence = 1
	}
	for d := range info.Descendants() {
		if info == root && !isElement(d.Parent, "authorgroup", "book", "article") {
			continue
		}
		switch {
		case isElement(d, "author"):
			name := strings.TrimSpace(textOf(find(d, "firstname", "givenname")) + " " + textOf(find(d, "surname")))
			if name == "" {
				name = textOf(d)
			}
			m.Authors = append(m.Authors, name)
		case isElement(d, "keyword") && len(m.Keywords) < 200:
			m.Keywords = append(m.Keywords, textOf(d))
		case isElement(d, "pubdate", "date") && m.Created == "":
			m.Created = textOf(d)
		}
	}
}

func (r *rewriter) docbookFigure(n, to *html.Node) {
	figure := element("figure")
	keep(n, figure)
	if title := child(n, "title"); title != nil {
		r.into("figcaption", title, figure)
	}
	for _, c := range children(n) {
		if c.Data != "title" {
			r.node(c, figure)
		}
	}
	to.AppendChild(figure)
}

func (r *rewriter) docbookImage(n, to *html.Node) {
	alt := ""
	for p, i := n.Parent, 0; p != nil && i < 3 && alt == ""; p, i = p.Parent, i+1 {
		alt = textOf(find(p, "textobject", "alt"))
	}
	to.AppendChild(element("img", "src", attr(n, "fileref"), "alt", alt))
}

func (r *rewriter) docbookEmphasis(n, to *html.Node) {
	name := "em"
	if role := attr(n, "role"); role == "bold" || role == "strong" {
		name = "strong"
	}
	r.into(name, n, to)
}

// docbookItem is the description in a list of terms, and an item elsewhere.
func (r *rewriter) docbookItem(n, to *html.Node) {
	name := "li"
	if isElement(n.Parent, "varlistentry") {
		name = "dd"
	}
	r.into(name, n, to)
}

func (r *rewriter) docbookCode(n, to *html.Node) {
	r.into("pre", n, to, "data-lang", attr(n, "language"))
}

func (r *rewriter) docbookAdmonition(n, to *html.Node) {
	box := element("div", "class", "admonition")
	title := element("p", "class", "admonition-title")
	title.AppendChild(text(strings.ToUpper(n.Data[:1]) + n.Data[1:]))
	box.AppendChild(title)
	if own := child(n, "title"); own != nil {
		r.boldTitle(own, box)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !isElement(c, "title") {
			r.node(c, box)
		}
	}
	to.AppendChild(box)
}
