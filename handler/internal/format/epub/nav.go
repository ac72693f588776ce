package epub

import (
	"strings"

	"decant/handler/internal/xmltree"
)

// labels gives each file the label under which the book's navigation lists it first, however deep.
func (b *book) labels() map[string]string {
	labels := map[string]string{}
	for _, one := range b.items {
		switch {
		case strings.Contains(one.properties, " nav "):
			b.navLabels(one.path, labels)
		case one.mediaType == "application/x-dtbncx+xml":
			b.ncxLabels(one.path, labels)
		}
	}
	return labels
}

// navLabels reads an EPUB 3 navigation document: lists in lists of links.
func (b *book) navLabels(name string, labels map[string]string) {
	root, err := b.tree(name)
	if err != nil {
		return
	}
	for _, nav := range all(root, "nav") {
		if kind := navType(nav); kind != "" && kind != "toc" {
			continue
		}
		for _, a := range all(nav, "a") {
			b.label(labels, name, a.Attr("href"), a.AllText())
		}
	}
}

// navType is the epub:type of a nav element.
func navType(nav *xmltree.Node) string {
	for _, a := range nav.Attrs {
		if local(a.Name) == "type" {
			return a.Value
		}
	}
	return ""
}

// ncxLabels reads the navigation of EPUB 2.
func (b *book) ncxLabels(name string, labels map[string]string) {
	root, err := b.tree(name)
	if err != nil {
		return
	}
	for _, point := range all(root, "navPoint") {
		for _, c := range point.Children {
			if local(c.Name) == "content" {
				b.label(labels, name, c.Attr("src"), find(point, "text").AllText())
			}
		}
	}
}

// label keeps the first label of a file. One that points into a file counts only when none points at its start.
func (b *book) label(labels map[string]string, from, href, text string) {
	text = strings.Join(strings.Fields(text), " ")
	file := b.resolve(from, href)
	if text == "" || labels[file] != "" {
		return
	}
	labels[file] = text
}
