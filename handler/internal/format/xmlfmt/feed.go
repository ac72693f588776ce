package xmlfmt

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/htmldoc"
)

func feedMetadata(m *doc.Metadata, root *html.Node) {
	channel := root
	if c := child(root, "channel"); c != nil {
		channel = c
	}
	m.Sources = map[string]string{"title": "feed"}
	m.Title = textOf(child(channel, "title"))
	m.Subject = textOf(child(channel, "description", "subtitle"))
	m.Modified = textOf(child(channel, "lastbuilddate", "updated", "pubdate"))
	if m.Language = textOf(child(channel, "language")); m.Language != "" {
		m.Confidence = 1
	}
}

// feedChannel writes the feed's title and description, then its entries.
func (r *rewriter) feedChannel(n, to *html.Node) {
	feedText(to, "h1", textOf(child(n, "title")))
	feedText(to, "p", textOf(child(n, "description", "subtitle")))
	for _, c := range children(n) {
		if isElement(c, "item", "entry") {
			r.node(c, to)
		}
	}
}

func feedText(to *html.Node, name, content string) {
	if content == "" {
		return
	}
	out := element(name)
	out.AppendChild(text(content))
	to.AppendChild(out)
}

// feedItem writes an entry: title with its link, who and when, the text.
func (r *rewriter) feedItem(n, to *html.Node) {
	h := element("h2")
	title := element("a", "href", feedLink(n))
	title.AppendChild(text(textOf(child(n, "title"))))
	h.AppendChild(title)
	to.AppendChild(h)
	var line []string
	for _, name := range []string{"creator", "author", "pubdate", "published", "updated", "date"} {
		if content := textOf(child(n, name)); content != "" && len(line) < 2 {
			line = append(line, content)
		}
	}
	feedText(to, "p", strings.Join(line, ", "))
	for _, name := range []string{"encoded", "content", "description", "summary"} {
		if c := child(n, name); c != nil && textOf(c) != "" {
			r.feedContent(c, to)
			return
		}
	}
}

func feedLink(n *html.Node) string {
	for _, c := range children(n) {
		if c.Data != "link" {
			continue
		}
		if rel := attr(c, "rel"); rel != "" && rel != "alternate" {
			continue
		}
		if href := attr(c, "href"); href != "" {
			return href
		}
		return textOf(c)
	}
	return ""
}

// feedContent is HTML, written as text or as elements.
func (r *rewriter) feedContent(n, to *html.Node) {
	div := element("div")
	to.AppendChild(div)
	if len(children(n)) > 0 {
		r.inner(n, div)
		return
	}
	page, _ := htmldoc.Tree(rawText(n))
	for page.FirstChild != nil {
		c := page.FirstChild
		page.RemoveChild(c)
		div.AppendChild(c)
	}
}
