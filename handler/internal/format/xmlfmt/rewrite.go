package xmlfmt

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rewriter makes an HTML tree of an XML tree.
type rewriter struct {
	v     vocabulary
	level int // of the section that is being read
	notes *html.Node
	count int

	titles map[string]string // of what references lead to, by id
}

// page makes a whole page of a root element.
func (r rewriter) page(root *html.Node) *html.Node {
	page := element("body")
	r.notes = element("section", "class", "footnotes")
	r.node(root, page)
	if r.notes.FirstChild != nil {
		page.AppendChild(r.notes)
	}
	return page
}

func element(name string, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	for i := 0; i+1 < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// node writes n below to.
func (r *rewriter) node(n, to *html.Node) {
	if n.Type == html.TextNode {
		to.AppendChild(text(n.Data))
		return
	}
	if n.Type != html.ElementNode || r.v.drop[n.Data] {
		return
	}
	if write := r.v.special[n.Data]; write != nil {
		write(r, n, to)
		return
	}
	name, ok := r.v.plain[n.Data]
	if !ok {
		name = r.unknown(n)
	}
	out := element(name)
	keep(n, out)
	to.AppendChild(out)
	r.inner(n, out)
}

// unknown elements are inline where text stands beside them, and blocks elsewhere.
func (r *rewriter) unknown(n *html.Node) string {
	if n.Parent != nil && isMixed(n.Parent) {
		return "span"
	}
	return "div"
}

// keep copies the attributes that HTML knows.
func keep(n, out *html.Node) {
	for _, a := range n.Attr {
		switch a.Key {
		case "id", "colspan", "rowspan", "align", "href", "src", "alt", "start", "display":
			out.Attr = append(out.Attr, a)
		}
	}
}

// inner writes the children of n below to.
func (r *rewriter) inner(n, to *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c, to)
	}
}

// into is inner with an HTML element around.
func (r *rewriter) into(name string, n, to *html.Node, attributes ...string) {
	out := element(name, attributes...)
	keep(n, out)
	to.AppendChild(out)
	r.inner(n, out)
}

// section is one level deeper for the titles inside.
func (r *rewriter) section(n, to *html.Node) {
	r.level++
	r.into("section", n, to)
	r.level--
}

// title is a heading of the section it stands in. A label before it ("2.1") belongs to it.
func (r *rewriter) title(n, to *html.Node) {
	if r.v.name == "docbook" && n.Parent != nil && titledBlocks[n.Parent.Data] {
		r.boldTitle(n, to)
		return
	}
	level := min(max(r.level, 1), 6)
	out := element(fmt.Sprintf("h%d", level))
	keep(n, out)
	if label := child(n.Parent, "label"); label != nil && r.v.name == "jats" {
		out.AppendChild(text(textOf(label) + " "))
	}
	to.AppendChild(out)
	r.inner(n, out)
}

// math copies MathML as it is.
func (r *rewriter) math(n, to *html.Node) { to.AppendChild(cloneMath(n)) }

func cloneMath(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, Data: n.Data, Attr: n.Attr}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.AppendChild(cloneMath(c))
	}
	return out
}

// tex takes the formula out of the small LaTeX document that publishers wrap it in.
func (r *rewriter) tex(n, to *html.Node) {
	source := rawText(n)
	if _, after, ok := strings.Cut(source, `\begin{document}`); ok {
		source, _, _ = strings.Cut(after, `\end{document}`)
	}
	source = strings.Trim(strings.TrimSpace(source), "$")
	out := element("span", "class", "math inline")
	out.AppendChild(text(strings.TrimSpace(source)))
	to.AppendChild(out)
}

func rawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// webLink is a link: its target in an attribute, or its text.
func (r *rewriter) webLink(n, to *html.Node) {
	target := attr(n, "href", "url")
	if id := attr(n, "linkend"); target == "" && id != "" {
		target = "#" + id
	}
	content := textOf(n)
	switch {
	case target == "" && strings.Contains(content, "@"):
		target = "mailto:" + content
	case target == "":
		target = content
	}
	out := element("a", "href", target)
	to.AppendChild(out)
	r.inner(n, out)
	if content == "" {
		out.AppendChild(text(r.nameOf(n, strings.TrimPrefix(target, "#"))))
	}
}

// note puts a footnote at the end of the page and a reference in its place.
func (r *rewriter) note(n, to *html.Node) {
	r.count++
	id := attr(n, "id")
	if id == "" {
		id = fmt.Sprintf("note-%d", r.count)
	}
	if r.v.name != "jats" { // in JATS an xref refers to it
		ref := element("a", "href", "#"+id)
		ref.AppendChild(text(fmt.Sprint(r.count)))
		to.AppendChild(ref)
	}
	li := element("li", "id", id)
	r.inner(n, li)
	if r.v.name == "jats" && !r.refersTo(n, id) {
		to.AppendChild(renamed(li, "p"))
		return
	}
	r.notes.AppendChild(li)
}

func renamed(n *html.Node, name string) *html.Node {
	n.Data, n.DataAtom = name, atom.Lookup([]byte(name))
	return n
}

// refersTo tells whether anything in the document points to the note.
func (r *rewriter) refersTo(n *html.Node, id string) bool {
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	for d := range root.Descendants() {
		if isElement(d, "xref") && attr(d, "rid") == id {
			return true
		}
	}
	return false
}

// anyTable is an HTML table, or one of the CALS model with its title as caption.
func (r *rewriter) anyTable(n, to *html.Node) {
	groups := 0
	out := element("table")
	if title := child(n, "title", "caption"); title != nil {
		r.into("caption", title, out)
	}
	for _, c := range children(n) {
		switch c.Data {
		case "tgroup":
			groups++
			r.cals(c, out)
		case "title", "caption", "info":
		default:
			r.node(c, out)
		}
	}
	out.Attr = append(out.Attr, html.Attribute{Key: "role", Val: "table"})
	to.AppendChild(out)
}

// cals writes a table group: columns have names, spans are from name to name (OASIS CALS).
func (r *rewriter) cals(n, to *html.Node) {
	columns := map[string]int{}
	for _, c := range children(n) {
		if c.Data == "colspec" {
			columns[attr(c, "colname")] = len(columns) + 1
		}
	}
	for _, name := range []string{"thead", "tbody", "tfoot"} {
		for _, group := range children(n) {
			if group.Data != name {
				continue
			}
			out := element(name)
			for _, row := range children(group) {
				if row.Data == "row" || row.Data == "tr" {
					r.calsRow(row, out, columns, name == "thead")
				}
			}
			to.AppendChild(out)
		}
	}
}

func (r *rewriter) calsRow(row, to *html.Node, columns map[string]int, head bool) {
	tr := element("tr")
	for _, entry := range children(row) {
		name := "td"
		if head {
			name = "th"
		}
		cell := element(name)
		if from, end := columns[attr(entry, "namest")], columns[attr(entry, "nameend")]; from > 0 && end > from {
			cell.Attr = append(cell.Attr, html.Attribute{Key: "colspan", Val: fmt.Sprint(end - from + 1)})
		}
		var more int
		if _, err := fmt.Sscan(attr(entry, "morerows"), &more); err == nil && more > 0 {
			cell.Attr = append(cell.Attr, html.Attribute{Key: "rowspan", Val: fmt.Sprint(more + 1)})
		}
		if align := attr(entry, "align"); align != "" {
			cell.Attr = append(cell.Attr, html.Attribute{Key: "align", Val: align})
		}
		r.inner(entry, cell)
		tr.AppendChild(cell)
	}
	to.AppendChild(tr)
}
