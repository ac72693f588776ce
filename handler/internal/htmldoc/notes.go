package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// isNotes tells the place at the end of a page where pandoc, goldmark, GitHub and e-books put footnotes.
func isNotes(n *html.Node) bool {
	role := attr(n, "role")
	return role == "doc-endnotes" || role == "doc-footnotes" || n.Data != "li" && hasClass(n, "footnotes") ||
		attr(n, "epub:type") == "footnotes" || attr(n, "epub:type") == "endnotes" || attr(n, "epub:type") == "rearnotes"
}

// findNotes gives an id to every note that the page has, before references to them are read.
func (b *builder) findNotes(root *html.Node) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || !isNotes(n) {
			continue
		}
		for d := range n.Descendants() {
			id := attr(d, "id")
			if isNote(d) && b.targets[id] && b.notes[id] == "" {
				b.notes[id] = b.o.NotePrefix + noteName(id)
			}
		}
	}
}

func isNote(n *html.Node) bool {
	return isElement(n, "li", "aside", "p", "div") && attr(n, "id") != ""
}

// noteName makes "1" of "fn1", "fn:1", "user-content-fn-1" and the like.
func noteName(id string) string {
	name := strings.TrimPrefix(id, "user-content-")
	for _, prefix := range []string{"fn:", "fn-", "fn", "footnote-", "note-"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			return rest
		}
	}
	return name
}

// noteReference tells a link that stands for a note.
func (b *builder) noteReference(n *html.Node) (string, bool) {
	href := attr(n, "href")
	if len(href) < 2 || href[0] != '#' || len(b.notes) == 0 {
		return "", false
	}
	id, ok := b.notes[href[1:]]
	return id, ok
}

// readNotes moves the notes below n into Document.Notes. What is there beside them, a heading or an introduction, stays in its place;
// rules and headings for the ears only say no more than that notes follow.
func (f *flow) readNotes(n *html.Node) {
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		switch id := f.b.notes[attr(d, "id")]; {
		case isNote(d) && id != "":
			f.readNote(d, id)
		case d.Type == html.ElementNode && f.b.holdsNote(d):
			f.readNotes(d)
		case isElement(d, "hr") || hasClass(d, "sr-only", "visually-hidden"):
		default:
			f.node(d, look{})
		}
	}
	f.flush()
}

func (f *flow) readNote(n *html.Node, id string) {
	if f.b.d.Note(id) != nil {
		return
	}
	removeBackLinks(n)
	inner := flow{b: f.b}
	inner.children(n, look{})
	inner.flush()
	f.b.d.Notes = append(f.b.d.Notes, doc.Note{ID: id, Kind: "footnote", Label: strings.TrimPrefix(id, f.b.o.NotePrefix), Blocks: f.b.placed(inner.blocks)})
}

// holdsNote tells whether there is a note below n.
func (b *builder) holdsNote(n *html.Node) bool {
	for d := range n.Descendants() {
		if isNote(d) && b.notes[attr(d, "id")] != "" {
			return true
		}
	}
	return false
}

func removeBackLinks(n *html.Node) {
	var links []*html.Node
	for d := range n.Descendants() {
		if isElement(d, "a") && (attr(d, "role") == "doc-backlink" || hasClass(d, "footnote-back", "footnote-backref", "data-footnote-backref") || strings.Trim(textOf(d), "↩︎^\ufe0e ") == "") {
			links = append(links, d)
		}
	}
	for _, link := range links {
		link.Parent.RemoveChild(link)
	}
}
