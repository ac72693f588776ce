package epub

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// headings makes a heading of what the navigation lists with the same words, where the page has it as a mere paragraph: typesetting
// programs and office programs write <p class="chapter-title">.
func (r *reader) headings(p *page) {
	for i := range r.toc {
		e := &r.toc[i]
		if e.file != p.path {
			continue
		}
		if n := entryBlock(p.root, e.id, e.label); n != nil {
			level := min(e.depth, 6)
			n.Data = "h" + strconv.Itoa(level)
			n.DataAtom = atom.Lookup([]byte(n.Data))
		}
	}
}

// maxSteps is how many elements from the place that the navigation names on are looked at.
const maxSteps = 200

// entryBlock finds the paragraph that a line of the navigation stands for: the one that has its id in it, or the first one after it or
// of the page. It is nil when there are other words, or a heading is there already.
func entryBlock(root *html.Node, id, label string) *html.Node {
	started, steps := id == "", 0
	want := folded(label)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !started {
			if attribute(n, "id") != id && (n.Data != "a" || attribute(n, "name") != id) {
				continue
			}
			started = true
			if p := paragraphOf(n); p != nil { // its id is inside
				n = p
			}
		}
		if steps++; steps > maxSteps {
			return nil
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl":
			return nil
		case "p", "div":
			text := folded(allText(n, len(want)+1))
			if text == "" || n.Data == "div" && hasBlock(n) {
				continue
			}
			if text != want {
				return nil
			}
			return n
		}
	}
	return nil
}

// paragraphOf is the paragraph around an element, or nil.
func paragraphOf(n *html.Node) *html.Node {
	for p := n; p != nil && p.Type == html.ElementNode; p = p.Parent {
		switch p.Data {
		case "p", "h1", "h2", "h3", "h4", "h5", "h6":
			return p
		case "body", "section", "article", "div", "li", "td":
			return nil
		}
	}
	return nil
}

func hasBlock(n *html.Node) bool {
	for d := range n.Descendants() {
		switch d.Data {
		case "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "section", "blockquote":
			if d.Type == html.ElementNode {
				return true
			}
		}
	}
	return false
}

// allText is the text below n, up to about a length that is no heading's any more.
func allText(n *html.Node, enough int) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
		if d.Type == html.ElementNode && d.Data == "br" {
			b.WriteByte(' ')
		}
		if b.Len() > 4*enough+1000 {
			break
		}
	}
	return b.String()
}

// folded is a text as it is compared: without blanks, in one case.
func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), "")) }
