package epub

import (
	"strings"

	"golang.org/x/net/html"
)

// gatherNotes puts each footnote that stands by itself in the page (<aside epub:type="footnote">, as EPUB 3 readers show in a
// pop-up) into a section of notes, which is what htmldoc looks for.
func gatherNotes(root *html.Node) {
	var notes []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && isLoneNote(n) {
			notes = append(notes, n)
		}
	}
	for _, n := range notes {
		section := &html.Node{Type: html.ElementNode, Data: "section", Attr: []html.Attribute{{Key: "role", Val: "doc-footnotes"}}}
		n.Parent.InsertBefore(section, n)
		n.Parent.RemoveChild(n)
		section.AppendChild(n)
	}
}

// isLoneNote tells whether an element is a note outside a section of notes.
func isLoneNote(n *html.Node) bool {
	if n.Parent == nil || n.Data == "a" || !hasType(n, "footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote") || attribute(n, "id") == "" {
		return false
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if hasType(p, "footnotes", "endnotes", "rearnotes", "doc-footnotes", "doc-endnotes") {
			return false
		}
	}
	return true
}

func hasType(n *html.Node, kinds ...string) bool {
	for _, own := range strings.Fields(attribute(n, "epub:type") + " " + attribute(n, "role")) {
		for _, kind := range kinds {
			if own == kind {
				return true
			}
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + key
		}
		if key == name {
			return a.Val
		}
	}
	return ""
}
