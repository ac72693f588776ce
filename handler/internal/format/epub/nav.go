package epub

import (
	"strings"

	"decant/handler/internal/xmltree"
)

// maxEntries bounds the navigation that is read.
const maxEntries = 100_000

// entry is one line of the book's navigation.
type entry struct {
	file, id string
	label    string
	depth    int // from 1
}

// contents reads the book's navigation, of EPUB 3 first.
func (b *book) contents() []entry {
	var entries []entry
	for _, n := range all(find(b.opf, "manifest"), "item") {
		if one := b.items[n.Attr("id")]; strings.Contains(one.properties, " nav ") {
			entries = b.navEntries(one.path, entries)
		}
	}
	for _, n := range all(find(b.opf, "manifest"), "item") {
		if one := b.items[n.Attr("id")]; one.mediaType == "application/x-dtbncx+xml" {
			entries = b.ncxEntries(one.path, entries)
		}
	}
	return entries
}

// navEntries reads an EPUB 3 navigation document: lists in lists of links.
func (b *book) navEntries(name string, entries []entry) []entry {
	root, err := b.tree(name)
	if err != nil {
		return entries
	}
	for _, nav := range all(root, "nav") {
		if kind := navType(nav); kind != "" && kind != "toc" {
			continue
		}
		var walk func(n *xmltree.Node, depth int)
		walk = func(n *xmltree.Node, depth int) {
			switch local(n.Name) {
			case "ol", "ul":
				depth++
			case "a":
				entries = b.entry(entries, name, n.Attr("href"), n.AllText(), depth)
				return
			}
			for _, c := range n.Children {
				walk(c, depth)
			}
		}
		walk(nav, 0)
	}
	return entries
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

// ncxEntries reads the navigation of EPUB 2.
func (b *book) ncxEntries(name string, entries []entry) []entry {
	root, err := b.tree(name)
	if err != nil {
		return entries
	}
	var walk func(n *xmltree.Node, depth int)
	walk = func(n *xmltree.Node, depth int) {
		for _, c := range n.Children {
			switch local(c.Name) {
			case "navPoint":
				walk(c, depth+1)
			case "content":
				if local(n.Name) == "navPoint" {
					entries = b.entry(entries, name, c.Attr("src"), find(n, "text").AllText(), depth)
				}
			default:
				walk(c, depth)
			}
		}
	}
	if root != nil {
		walk(root, 0)
	}
	return entries
}

func (b *book) entry(entries []entry, from, href, text string, depth int) []entry {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || len(entries) >= maxEntries {
		return entries
	}
	_, id, _ := strings.Cut(href, "#")
	return append(entries, entry{file: b.resolve(from, href), id: id, label: text, depth: max(depth, 1)})
}

// label is the first label of a file in the navigation.
func (r *reader) label(file string) string {
	for i := range r.toc {
		if r.toc[i].file == file {
			return r.toc[i].label
		}
	}
	return ""
}
