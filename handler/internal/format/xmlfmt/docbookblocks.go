package xmlfmt

import (
	"strings"

	"golang.org/x/net/html"
)

// titledBlocks have a title that is no heading of a section.
var titledBlocks = set("itemizedlist orderedlist procedure substeps variablelist simplelist example informalexample sidebar equation qandaset formalpara blockquote biblioentry bibliomixed glosslist task")

// boldTitle is the title of a block in a line of its own.
func (r *rewriter) boldTitle(n, to *html.Node) {
	line, bold := element("p"), element("strong")
	keep(n, line)
	r.inner(n, bold)
	line.AppendChild(bold)
	to.AppendChild(line)
}

// numerations are the types of lists in HTML, by DocBook's names.
var numerations = map[string]string{"loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I"}

// docbookList is a list. What is no item stands before it, such as its title.
func (r *rewriter) docbookList(n, to *html.Node) {
	if attr(n, "type") == "inline" {
		r.joined(n, to, ", ")
		return
	}
	name := "ol"
	if isElement(n, "itemizedlist", "simplelist") {
		name = "ul"
	}
	list := element(name)
	if kind := numerations[attr(n, "numeration")]; kind != "" {
		list.Attr = append(list.Attr, html.Attribute{Key: "type", Val: kind})
	}
	if first := attr(n, "startingnumber"); first != "" {
		list.Attr = append(list.Attr, html.Attribute{Key: "start", Val: first})
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isElement(c, "listitem", "step", "stepalternatives", "member") {
			r.node(c, list)
		} else {
			r.node(c, to)
		}
	}
	to.AppendChild(list)
}

// joined writes the children in one line.
func (r *rewriter) joined(n, to *html.Node, between string) {
	out := element("span")
	for i, c := range children(n) {
		if i > 0 {
			out.AppendChild(text(between))
		}
		if c.Data == "member" {
			r.inner(c, out)
		} else {
			r.node(c, out)
		}
	}
	to.AppendChild(out)
}

// docbookKeys are menus to go through, or keys to press together.
func (r *rewriter) docbookKeys(n, to *html.Node) {
	between := " > "
	if n.Data == "keycombo" {
		between = "+"
	}
	r.joined(n, to, between)
}

// docbookCommand shows how a command is called: optional arguments in brackets, required choices in braces.
func (r *rewriter) docbookCommand(n, to *html.Node) {
	line, code := element("p"), element("code")
	code.AppendChild(text(synopsis(n)))
	line.AppendChild(code)
	to.AppendChild(line)
}

func synopsis(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			parts = append(parts, strings.Fields(c.Data)...)
			continue
		}
		inner := synopsis(c)
		switch {
		case isElement(c, "arg", "group") && attr(c, "choice") == "req":
			inner = "{" + inner + "}"
		case isElement(c, "arg", "group") && attr(c, "choice") != "plain":
			inner = "[" + inner + "]"
		}
		if attr(c, "rep") == "repeat" {
			inner += "…"
		}
		parts = append(parts, inner)
	}
	if isElement(n, "group") {
		return strings.Join(parts, " | ")
	}
	return strings.Join(parts, " ")
}

// docbookQuote writes who is quoted behind what is quoted.
func (r *rewriter) docbookQuote(n, to *html.Node) {
	out := element("blockquote")
	keep(n, out)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !isElement(c, "attribution") {
			r.node(c, out)
		}
	}
	if by := child(n, "attribution"); by != nil {
		line := element("p")
		line.AppendChild(text("— "))
		r.inner(by, line)
		out.AppendChild(line)
	}
	to.AppendChild(out)
}

// docbookEntry is an entry of a bibliography in one line: who, what, when, each with a full stop.
func (r *rewriter) docbookEntry(n, to *html.Node) {
	line := element("p")
	keep(n, line)
	to.AppendChild(line)
	if isMixed(n) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if isElement(c, "title", "citetitle") {
				r.into("i", c, line)
			} else {
				r.node(c, line)
			}
		}
		return
	}
	for i, c := range children(n) {
		words := textOf(c)
		if words == "" || r.v.drop[c.Data] {
			continue
		}
		if i > 0 {
			line.AppendChild(text(" "))
		}
		if isElement(c, "title", "citetitle") {
			r.into("i", c, line)
		} else {
			line.AppendChild(text(words))
		}
		if !strings.HasSuffix(words, ".") {
			line.AppendChild(text("."))
		}
	}
}

// docbookGlossary is a section with a list of terms.
func (r *rewriter) docbookGlossary(n, to *html.Node) {
	r.level++
	out, terms := element("section"), element("dl")
	keep(n, out)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isElement(c, "glossentry") {
			r.node(c, terms)
		} else {
			r.node(c, out)
		}
	}
	out.AppendChild(terms)
	to.AppendChild(out)
	r.level--
}

func (r *rewriter) docbookQuestion(n, to *html.Node) {
	box := element("div")
	keep(n, box)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isElement(c, "para", "simpara") {
			r.boldTitle(c, box)
		} else {
			r.node(c, box)
		}
	}
	to.AppendChild(box)
}

// nameOf is the title of the element that an empty reference leads to, or its id when it has none.
func (r *rewriter) nameOf(n *html.Node, id string) string {
	if r.titles == nil {
		r.titles = map[string]string{}
		root := n
		for root.Parent != nil {
			root = root.Parent
		}
		for d := range root.Descendants() {
			if name := attr(d, "id"); d.Type == html.ElementNode && name != "" {
				title := child(d, "title")
				if info := child(d, "info"); title == nil && info != nil {
					title = child(info, "title")
				}
				r.titles[name] = textOf(title)
			}
		}
	}
	if title := r.titles[id]; title != "" {
		return title
	}
	return id
}
