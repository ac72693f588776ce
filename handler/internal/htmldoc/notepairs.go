package htmldoc

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"decant/handler/internal/lazyregexp"
)

// NoteLink is a link that may lead to a note, or back from one. Office programs, and people who make books, mark notes by nothing but
// two links that lead to each other.
type NoteLink struct {
	IDs    []string // names that reach the link: its own, those of what is around it alone or stands empty before it
	Href   string
	Mark   string   // its text: "1", "*"; "" when it is an arrow
	Typed  bool     // it says that it leads to a note
	InText bool     // text that is no link stands before it in its block, or it is in no paragraph
	Back   bool     // it may lead back: a block begins with it, or it is an arrow
	Block  []string // of such a link: names of its block, and in it up to the link
}

// NotePair is a note that was found: the name that links reach it by, and what is printed before it.
type NotePair struct{ Target, Mark string }

// NoteLinks gives a page's links that may have to do with notes, in order.
func NoteLinks(root *html.Node) []NoteLink {
	var links []NoteLink
	for n := range root.Descendants() {
		if !isElement(n, "a") || attr(n, "href") == "" {
			continue
		}
		text := textOf(n)
		link := NoteLink{Href: attr(n, "href"), Mark: noteMark(text), Typed: hasType(n, "noteref", "doc-noteref")}
		arrow := text != "" && isArrow(text) || hasType(n, "doc-backlink", "backlink")
		if link.Mark == "" && !arrow && !link.Typed {
			continue
		}
		link.IDs = namesAround(n)
		block := noteBlock(n)
		if block != nil && (arrow || leadingLink(block) == n) {
			link.Back, link.Block = true, namesIn(block, n)
		}
		link.InText = block == nil || followsText(block, n)
		links = append(links, link)
	}
	return links
}

// PairNotes finds the notes among links whose names and targets were made comparable: a reference in a text leads to a note whose
// first link, with the same mark, or whose arrow leads back; or it says itself that it leads to a note.
func PairNotes(links []NoteLink) []NotePair {
	byName := map[string]*NoteLink{}
	for i := range links {
		for _, name := range links[i].IDs {
			if byName[name] == nil {
				byName[name] = &links[i]
			}
		}
	}
	var pairs []NotePair
	found := map[string]bool{}
	for i := range links {
		back := &links[i]
		if !back.Back {
			continue
		}
		ref := byName[back.Href]
		if ref == nil || ref == back || ref.Mark == "" || !ref.InText || back.Mark != "" && ref.Mark != back.Mark {
			continue
		}
		for _, name := range append(back.IDs[:len(back.IDs):len(back.IDs)], back.Block...) {
			if name == ref.Href && !found[name] {
				found[name] = true
				pairs = append(pairs, NotePair{name, ref.Mark})
			}
		}
	}
	for i := range links {
		if ref := &links[i]; ref.Typed && ref.Href != "" && !found[ref.Href] {
			found[ref.Href] = true
			pairs = append(pairs, NotePair{ref.Href, ref.Mark})
		}
	}
	return pairs
}

// Marks are the marks of the first links to each target.
func Marks(links []NoteLink) map[string]string {
	marks := map[string]string{}
	for i := range links {
		if link := &links[i]; link.Mark != "" && marks[link.Href] == "" {
			marks[link.Href] = link.Mark
		}
	}
	return marks
}

var noteMarkText = lazyregexp.New(`^[\[({]?\s*([0-9]{1,4}|[a-zA-Z]|[ivxlIVXL]{1,6}|[*†‡§¶#]{1,3})\s*[\])}]?\.?$`)

// noteMark is the mark of a note in a link's text, without brackets, or "".
func noteMark(text string) string {
	if match := noteMarkText.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

// noteBlock is the block around a link that may be a note, or nil: no heading, cell or entry of a table of contents.
func noteBlock(n *html.Node) *html.Node {
	for p := n; p != nil; p = p.Parent {
		switch {
		case isElement(p, "p", "li", "aside", "dd", "div", "blockquote"):
			return p
		case isElement(p, "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "dt", "nav", "body", "table", "pre", "caption", "figcaption"):
			return nil
		}
	}
	return nil
}

// maxLook is how many nodes of a block are looked at for one link in it: what belongs together stands together.
const maxLook = 512

// followsText tells whether a block has text before a link that is no link itself: a row of numbers is no place for notes.
func followsText(block, link *html.Node) bool {
	steps := 0
	for d := range block.Descendants() {
		if steps++; steps > maxLook {
			return true
		}
		if d == link {
			return false
		}
		if d.Type == html.TextNode && strings.ContainsFunc(d.Data, unicode.IsLetter) && !insideLink(d, block) {
			return true
		}
	}
	return false
}

func insideLink(n, block *html.Node) bool {
	for p := n.Parent; p != nil && p != block; p = p.Parent {
		if isElement(p, "a") && attr(p, "href") != "" {
			return true
		}
	}
	return false
}

// leadingLink is the link that the text below n begins with, or nil.
func leadingLink(n *html.Node) *html.Node {
	steps := 0
	for d := range n.Descendants() {
		if steps++; steps > maxLook {
			return nil
		}
		switch {
		case isElement(d, "a") && attr(d, "href") != "":
			return d
		case d.Type == html.TextNode && strings.Trim(d.Data, " \t\r\n[(\u00a0") != "", isElement(d, "img", "table", "hr"):
			return nil
		}
	}
	return nil
}

func namesOf(n *html.Node) []string {
	var names []string
	for _, name := range []string{attr(n, "id"), attr(n, "name")} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// namesAround are the names of a link, of the elements in it, of those that hold nothing else, and of empty ones right before it.
func namesAround(n *html.Node) []string {
	names := namesOf(n)
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			names = append(names, namesOf(d)...)
		}
	}
	text := textOf(n)
	for p := n; ; p = p.Parent {
		for s := p.PrevSibling; s != nil && s.Type == html.ElementNode && isElement(s, "a", "span") && textOf(s) == ""; s = s.PrevSibling {
			names = append(names, namesOf(s)...)
		}
		if !isElement(p.Parent, "sup", "span", "b", "i", "em", "strong", "small", "font", "u") || textOf(p.Parent) != text {
			return names
		}
		names = append(names, namesOf(p.Parent)...)
	}
}

// namesIn are the names of a block, of the boxes that it begins, and of what stands in it up to a link.
func namesIn(block, link *html.Node) []string {
	names := namesOf(block)
	for p := block; p.Parent != nil && isElement(p.Parent, "div", "aside", "li", "dd") && firstElement(p.Parent) == p; p = p.Parent {
		names = append(names, namesOf(p.Parent)...)
	}
	steps := 0
	for d := range block.Descendants() {
		if steps++; d == link || steps > maxLook {
			break
		}
		if d.Type == html.ElementNode {
			names = append(names, namesOf(d)...)
		}
	}
	return names
}

// firstElement is the first child element, where no text stands before it.
func firstElement(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return c
		}
	}
	return nil
}

// maxNote is how many bytes a note may have that the page does not mark as one.
const maxNote = 20_000

// noteElement is all of the note that a name is in: the block, or a box around it that holds no other note.
func (b *builder) noteElement(n *html.Node) *html.Node {
	if n.Type == html.ElementNode && hasType(n, "footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote") {
		return n
	}
	e := noteBlock(n)
	if e == nil || find(e, "h1", "h2", "h3", "h4", "h5", "h6") != nil || len(textOf(e)) > maxNote {
		return nil
	}
	for isElement(e.Parent, "div", "aside", "li", "dd") && firstElement(e.Parent) == e && !isNotes(e.Parent) && b.notesIn(e.Parent) < 2 {
		e = e.Parent
	}
	return e
}

// notesIn counts the notes whose names are in an element.
func (b *builder) notesIn(n *html.Node) int {
	ids := map[string]bool{}
	count := func(d *html.Node) {
		for _, name := range namesOf(d) {
			if note := b.notes[name]; note.ID != "" {
				ids[note.ID] = true
			}
		}
	}
	count(n)
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			count(d)
		}
	}
	return len(ids)
}

// unescaped undoes percent escapes, where there are valid ones.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}
