package xmlfmt

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// jatsFront writes the article's title, its authors and its abstracts.
func (r *rewriter) jatsFront(n, to *html.Node) {
	meta := n
	if m := find(n, "article-meta", "book-part-meta"); m != nil {
		meta = m
	}
	if title := find(meta, "article-title"); title != nil {
		r.into(fmt.Sprintf("h%d", min(r.level+1, 6)), title, to)
	}
	if names := people(meta, "author"); len(names) > 0 {
		p := element("p")
		p.AppendChild(text(strings.Join(names, ", ")))
		to.AppendChild(p)
	}
	affiliations := element("p")
	for d := range meta.Descendants() {
		if isElement(d, "aff") {
			if affiliations.FirstChild != nil {
				affiliations.AppendChild(text("; "))
			}
			affiliations.AppendChild(text(affiliation(d)))
		}
	}
	if affiliations.FirstChild != nil {
		to.AppendChild(affiliations)
	}
	for _, c := range children(meta) {
		if isElement(c, "abstract", "trans-abstract") {
			r.node(c, to)
		}
	}
	r.level = max(r.level, 1)
}

// affiliation is the text of an affiliation without its mark.
func affiliation(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isElement(c, "label", "sup") {
			continue
		}
		if c.Type == html.TextNode {
			parts = append(parts, c.Data)
		} else {
			parts = append(parts, textOf(c))
		}
	}
	return strings.Trim(strings.ReplaceAll(strings.Join(strings.Fields(strings.Join(parts, " ")), " "), " ,", ","), " ,;")
}

// people gives the names of contributors of a kind.
func people(meta *html.Node, kind string) []string {
	var list []string
	for d := range meta.Descendants() {
		if !isElement(d, "contrib") || attr(d, "contrib-type") != kind && attr(d, "contrib-type") != "" {
			continue
		}
		if name := find(d, "name", "string-name"); name != nil {
			given, family := textOf(child(name, "given-names")), textOf(child(name, "surname"))
			full := strings.TrimSpace(given + " " + family)
			if full == "" {
				full = textOf(name)
			}
			list = append(list, full)
		} else if group := find(d, "collab"); group != nil {
			list = append(list, textOf(group))
		}
	}
	return list
}

func jatsMetadata(m *doc.Metadata, root *html.Node) {
	meta := find(root, "article-meta", "book-part-meta", "front-stub")
	if meta == nil {
		return
	}
	m.Sources = map[string]string{"title": "jats", "authors": "jats", "created": "jats"}
	m.Title = textOf(find(meta, "article-title"))
	m.Authors = people(meta, "author")
	m.Publisher = textOf(find(root, "publisher-name"))
	m.Language = attr(root, "lang")
	if m.Language != "" {
		m.Confidence = 1
	}
	for d := range meta.Descendants() {
		switch {
		case isElement(d, "article-id") && attr(d, "pub-id-type") == "doi":
			m.Identifiers = append(m.Identifiers, doc.Identifier{Scheme: "doi", Value: textOf(d), Source: "jats"})
		case isElement(d, "kwd") && len(m.Keywords) < 200:
			m.Keywords = append(m.Keywords, textOf(d))
		case isElement(d, "pub-date") && m.Created == "":
			m.Created = dateOf(d)
		}
	}
	if issn := textOf(find(root, "issn")); issn != "" {
		m.Identifiers = append(m.Identifiers, doc.Identifier{Scheme: "issn", Value: issn, Source: "jats"})
	}
}

func dateOf(n *html.Node) string {
	year, month, day := textOf(child(n, "year")), textOf(child(n, "month")), textOf(child(n, "day"))
	var m, d int
	_, _ = fmt.Sscan(month, &m) // a month in words stays 0 and is left out
	_, _ = fmt.Sscan(day, &d)
	switch {
	case m == 0:
		return year
	case d == 0:
		return fmt.Sprintf("%s-%02d", year, m)
	}
	return fmt.Sprintf("%s-%02d-%02d", year, m, d)
}

func (r *rewriter) jatsAbstract(n, to *html.Node) {
	r.jatsTitled(n, to, "Abstract")
}

func (r *rewriter) jatsNamed(n, to *html.Node) { r.jatsTitled(n, to, "Acknowledgments") }

// jatsTitled is a section that has a usual title when it has none of its own.
func (r *rewriter) jatsTitled(n, to *html.Node, usual string) {
	before := r.level
	r.level = max(r.level, 1) + 1
	if child(n, "title") == nil {
		h := element(fmt.Sprintf("h%d", min(r.level, 6)))
		h.AppendChild(text(usual))
		to.AppendChild(h)
	}
	r.into("section", n, to)
	r.level = before
}

// jatsLabel is a number in front of text; a section's stands in its title, a note's is given by its place.
func (r *rewriter) jatsLabel(n, to *html.Node) {
	if child(n.Parent, "title") != nil || isElement(n.Parent, "fn", "ref", "aff", "corresp") {
		return
	}
	r.into("span", n, to)
	to.AppendChild(text(" "))
}

func (r *rewriter) jatsList(n, to *html.Node) {
	name, attributes := "ul", []string(nil)
	switch attr(n, "list-type") {
	case "order":
		name = "ol"
	case "alpha-lower":
		name, attributes = "ol", []string{"type", "a"}
	case "alpha-upper":
		name, attributes = "ol", []string{"type", "A"}
	case "roman-lower":
		name, attributes = "ol", []string{"type", "i"}
	case "roman-upper":
		name, attributes = "ol", []string{"type", "I"}
	}
	r.into(name, n, to, attributes...)
}

// jatsFigure is a figure or table with its label and caption in front.
func (r *rewriter) jatsFigure(n, to *html.Node) {
	figure := element("figure")
	keep(n, figure)
	caption := element("figcaption")
	if label := child(n, "label"); label != nil {
		caption.AppendChild(text(textOf(label) + " "))
	}
	for _, c := range children(n) {
		if c.Data == "caption" {
			for _, part := range children(c) {
				span := element("span")
				r.inner(part, span)
				caption.AppendChild(span)
				caption.AppendChild(text(" "))
			}
		}
	}
	if caption.FirstChild != nil {
		figure.AppendChild(caption)
	}
	var feet []*html.Node
	for _, c := range children(n) {
		switch c.Data {
		case "label", "caption", "object-id":
		case "table-wrap-foot":
			feet = append(feet, c)
		default:
			r.node(c, figure)
		}
	}
	to.AppendChild(figure)
	for _, foot := range feet {
		r.into("div", foot, to)
	}
}

func (r *rewriter) jatsGraphic(n, to *html.Node) {
	alt := textOf(child(n, "alt-text"))
	if alt == "" && n.Parent != nil {
		alt = textOf(child(n.Parent, "alt-text"))
	}
	to.AppendChild(element("img", "src", attr(n, "href"), "alt", alt))
}

// jatsFormula is MathML or TeX; a picture of the formula is used when there is neither.
func (r *rewriter) jatsFormula(n, to *html.Node) {
	display := n.Data == "disp-formula"
	if m := find(n, "math"); m != nil {
		clone := cloneMath(m)
		if display {
			clone.Attr = append(clone.Attr, html.Attribute{Key: "display", Val: "block"})
		}
		to.AppendChild(clone)
		return
	}
	if t := find(n, "tex-math"); t != nil {
		out := element("div")
		if !display {
			out = element("span")
		}
		r.tex(t, out)
		if display {
			out.FirstChild.Attr[0].Val = "math display"
		}
		to.AppendChild(out)
		return
	}
	r.inner(n, to)
}

// jatsReference refers to a note, or is text: the number of a reference, the name of a figure.
func (r *rewriter) jatsReference(n, to *html.Node) {
	if attr(n, "ref-type") == "fn" || attr(n, "ref-type") == "table-fn" {
		out := element("a", "href", "#"+attr(n, "rid"))
		to.AppendChild(out)
		r.inner(n, out)
		return
	}
	r.inner(n, to)
}

func (r *rewriter) jatsAlternatives(n, to *html.Node) {
	for _, name := range []string{"math", "tex-math", "table", "graphic", "inline-graphic"} {
		if c := child(n, name); c != nil {
			r.node(c, to)
			return
		}
	}
	r.inner(n, to)
}

// jatsReferences is the list of what was cited, in order.
func (r *rewriter) jatsReferences(n, to *html.Node) {
	before := r.level
	r.level = max(r.level, 1) + 1
	h := element(fmt.Sprintf("h%d", min(r.level, 6)))
	title := textOf(child(n, "title"))
	if title == "" {
		title = "References"
	}
	h.AppendChild(text(title))
	to.AppendChild(h)
	list := element("ol")
	for d := range n.Descendants() {
		if isElement(d, "ref") {
			li := element("li")
			li.AppendChild(text(citation(d)))
			list.AppendChild(li)
		}
	}
	to.AppendChild(list)
	r.level = before
}

// citation is a reference in one line. Marked-up ones have no punctuation of their own.
func citation(ref *html.Node) string {
	if mixed := find(ref, "mixed-citation", "citation", "nlm-citation"); mixed != nil && isMixed(mixed) {
		return strings.NewReplacer(" ,", ",", " .", ".", " ;", ";", " :", ":", "( ", "(", " )", ")").Replace(textOf(mixed))
	}
	c := find(ref, "element-citation", "mixed-citation", "citation", "nlm-citation")
	if c == nil {
		return textOf(ref)
	}
	var authors []string
	for d := range c.Descendants() {
		if isElement(d, "name", "string-name") {
			authors = append(authors, strings.TrimSpace(textOf(child(d, "surname"))+" "+textOf(child(d, "given-names"))))
		} else if isElement(d, "collab") {
			authors = append(authors, textOf(d))
		}
	}
	var parts []string
	add := func(s string) {
		if s = strings.TrimRight(strings.TrimSpace(s), "."); s != "" {
			parts = append(parts, s)
		}
	}
	add(strings.Join(authors, ", "))
	for _, name := range []string{"article-title", "chapter-title", "source", "year"} {
		add(textOf(find(c, name)))
	}
	place := textOf(find(c, "volume"))
	if issue := textOf(find(c, "issue")); issue != "" {
		place += "(" + issue + ")"
	}
	if first := textOf(find(c, "fpage")); first != "" {
		place = strings.TrimPrefix(place+":"+first, ":")
		if last := textOf(find(c, "lpage")); last != "" {
			place += "–" + last
		}
	}
	add(place)
	add(textOf(find(c, "publisher-name")))
	for d := range c.Descendants() {
		if isElement(d, "pub-id") && attr(d, "pub-id-type") == "doi" {
			add("doi:" + textOf(d))
		}
	}
	return strings.Join(parts, ". ")
}

// jatsCode is a program of several lines, or a word of one in a sentence.
func (r *rewriter) jatsCode(n, to *html.Node) {
	if isElement(n.Parent, "p") && !strings.Contains(strings.TrimSpace(rawText(n)), "\n") {
		r.into("code", n, to)
		return
	}
	r.into("pre", n, to, "data-lang", attr(n, "language"))
}
