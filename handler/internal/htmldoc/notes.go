package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// isNotes tells the place at the end of a page where pandoc, goldmark, GitHub and e-books put footnotes.
func isNotes(n *html.Node) bool {
	return n.Data != "li" && hasClass(n, "footnotes") || hasType(n, "footnotes", "endnotes", "rearnotes", "doc-endnotes", "doc-footnotes")
}

// hasType looks for names among what epub:type and role say about an element.
func hasType(n *html.Node, kinds ...string) bool {
	if len(n.Attr) == 0 {
		return false
	}
	for _, own := range strings.Fields(attr(n, "epub:type") + " " + attr(n, "role")) {
		for _, kind := range kinds {
			if own == kind {
				return true
			}
		}
	}
	return false
}

func isNote(n *html.Node) bool {
	return isElement(n, "li", "aside", "p", "div") && attr(n, "id") != ""
}

// TypedNotes are the ids of the elements that a page says are notes: those in a section of notes, and those with the type of one.
func TypedNotes(root *html.Node) []string {
	var ids []string
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		if n.Type == html.ElementNode {
			if inside && isNote(n) || n.Data != "a" && attr(n, "id") != "" && hasType(n, "footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote") {
				ids = append(ids, attr(n, "id"))
			}
			inside = inside || isNotes(n)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inside)
		}
	}
	walk(root, false)
	return ids
}

// findNotes gives an id to every note that the page has, before references to them are read.
func (b *builder) findNotes(root *html.Node) {
	if b.o.Notes == nil {
		b.ownNotes(root)
	} else {
		b.notes = b.o.Notes
	}
	if len(b.notes) == 0 {
		return
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		note, ok := b.notes[attr(n, "id")]
		if !ok && n.Data == "a" {
			note, ok = b.notes[attr(n, "name")]
		}
		if ok && !b.hasNode[note.ID] {
			if e := b.noteElement(n); e != nil && b.noteNodes[e].ID == "" {
				b.noteNodes[e] = note
				b.hasNode[note.ID] = true
			}
		}
	}
	if b.o.Notes == nil {
		for name, note := range b.notes {
			if !b.hasNode[note.ID] { // a link to nothing that could be a note
				delete(b.notes, name)
			}
		}
	}
}

// ownNotes finds the notes of a page that stands for itself.
func (b *builder) ownNotes(root *html.Node) {
	taken := map[string]bool{}
	name := func(fragment, wish, mark string) {
		if b.notes[fragment].ID != "" {
			return
		}
		id := b.o.NotePrefix + wish
		for n := 2; taken[id]; n++ {
			id = b.o.NotePrefix + wish + "-" + strconv.Itoa(n)
		}
		taken[id] = true
		b.notes[fragment] = NoteName{id, mark}
	}
	links := NoteLinks(root)
	for i := range links {
		links[i].Href = fragment(links[i].Href)
	}
	marks := Marks(links)
	for _, id := range TypedNotes(root) {
		if b.targets[id] {
			name(id, noteName(id), marks[id])
		}
	}
	for _, pair := range PairNotes(links) {
		name(pair.Target, pair.Mark, pair.Mark)
	}
}

// fragment is the part of a reference within the page itself, or "".
func fragment(href string) string {
	if len(href) < 2 || href[0] != '#' {
		return ""
	}
	return unescaped(href[1:])
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
	if href == "" {
		return "", false
	}
	if b.o.NoteOf != nil {
		return b.o.NoteOf(href)
	}
	note, ok := b.notes[fragment(href)]
	return note.ID, ok
}

// readNotes moves the notes below n into Document.Notes. What is there beside them, a heading or an introduction, stays in its place;
// rules and headings for the ears only say no more than that notes follow.
func (f *flow) readNotes(n *html.Node) {
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		switch note := f.b.noteNodes[d]; {
		case note.ID != "":
			f.readNote(d, note)
		case d.Type == html.ElementNode && f.b.holdsNote(d):
			f.readNotes(d)
		case isElement(d, "hr") || hasClass(d, "sr-only", "visually-hidden"):
		default:
			f.node(d, look{})
		}
	}
	f.flush()
}

func (f *flow) readNote(n *html.Node, note NoteName) {
	if f.b.d.Note(note.ID) != nil {
		return
	}
	removeBackLinks(n)
	takeMark(n, note.Mark)
	label := note.Mark
	if label == "" {
		label = strings.TrimPrefix(note.ID, f.b.o.NotePrefix)
	}
	inner := flow{b: f.b}
	inner.children(n, look{})
	inner.flush()
	f.b.d.Notes = append(f.b.d.Notes, doc.Note{ID: note.ID, Kind: "footnote", Label: label, Blocks: f.b.placed(inner.blocks)})
}

// holdsNote tells whether there is a note below n.
func (b *builder) holdsNote(n *html.Node) bool {
	for d := range n.Descendants() {
		if b.noteNodes[d].ID != "" {
			return true
		}
	}
	return false
}

func removeBackLinks(n *html.Node) {
	var links []*html.Node
	for d := range n.Descendants() {
		if isElement(d, "a") && (hasType(d, "doc-backlink", "backlink") || hasClass(d, "footnote-back", "footnote-backref", "data-footnote-backref") || attr(d, "href") != "" && textOf(d) != "" && isArrow(textOf(d))) {
			links = append(links, d)
		}
	}
	for _, link := range links {
		link.Parent.RemoveChild(link)
	}
}

// isArrow tells the text of a link that leads back from a note.
func isArrow(text string) bool { return strings.Trim(text, "↩↑⇑⏎︎^\ufe0e ") == "" }

// takeMark takes the mark before a note's text out: a link back, with its brackets and the full stop behind it, or plain text.
func takeMark(n *html.Node, mark string) {
	if mark == "" {
		return
	}
	link := leadingLink(n)
	if link == nil || noteMark(textOf(link)) != mark {
		takePlainMark(n, mark)
		return
	}
	for d := range n.Descendants() { // brackets at most
		if d == link {
			break
		}
		if d.Type == html.TextNode {
			d.Data = ""
		}
	}
	after := textAfter(link, n)
	link.Parent.RemoveChild(link)
	if after != nil {
		after.Data = strings.TrimLeft(after.Data, " .)]:\u00a0\n\t")
	}
}

// takePlainMark takes "1." or "†" off the start of a note. A number alone may be part of its text.
func takePlainMark(n *html.Node, mark string) {
	for d := range n.Descendants() {
		if d.Type != html.TextNode || strings.TrimSpace(d.Data) == "" {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(d.Data, " \t\n[("), mark)
		cut := strings.TrimLeft(rest, ".)]:")
		if ok && (cut != rest || mark[0] >= 0x80 || mark[0] == '*') && strings.TrimLeft(cut, " \t\n\u00a0") != cut {
			d.Data = strings.TrimLeft(cut, " \t\n\u00a0")
		}
		return
	}
}

// textAfter is the first text below n that comes after an element, or nil.
func textAfter(element, n *html.Node) *html.Node {
	next := element.NextSibling
	for p := element; next == nil && p.Parent != n && p.Parent != nil; {
		p = p.Parent
		next = p.NextSibling
	}
	for ; next != nil; next = next.NextSibling {
		if next.Type == html.TextNode {
			return next
		}
		for d := range next.Descendants() {
			if d.Type == html.TextNode {
				return d
			}
		}
	}
	return nil
}
