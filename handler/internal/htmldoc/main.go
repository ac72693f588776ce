package htmldoc

import (
	"math"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/lazyregexp"
)

// roots are the nodes to read: the whole body, or with Options.Main the part that holds the main content.
func (b *builder) roots(root *html.Node) []*html.Node {
	if !b.o.Main {
		return []*html.Node{root}
	}
	body := find(root, "body")
	if body == nil {
		return []*html.Node{root}
	}
	before := len(textOf(body))
	main := mainNode(body)
	removeBoilerplate(main)
	list := []*html.Node{main}
	if find(main, "h1") == nil {
		if h1 := find(body, "h1"); h1 != nil && textOf(h1) != "" {
			list = []*html.Node{h1, main}
		}
	}
	if left := before - len(textOf(main)); left > 0 {
		b.d.Warn("boilerplate_dropped", "Navigation and other content beside the main text was left out (HTML: main).")
	}
	return list
}

// mainNode finds the element that holds the main content: the one that the page marks, or the one that scores best.
func mainNode(body *html.Node) *html.Node {
	all := len(textOf(body))
	for _, is := range []func(*html.Node) bool{
		func(n *html.Node) bool { return n.Data == "main" || attr(n, "role") == "main" },
		func(n *html.Node) bool { return n.Data == "article" || attr(n, "itemprop") == "articleBody" },
	} {
		var best *html.Node
		size, others := 0, 0
		for n := range body.Descendants() {
			if n.Type == html.ElementNode && is(n) {
				if text := len(textOf(n)); text > size {
					best, size = n, text
				}
				others++
			}
		}
		if best != nil && (size*4 > all || others == 1 && size > 200) {
			return best
		}
	}
	if n := bestScored(body); n != nil {
		return n
	}
	return body
}

// bestScored gives the container whose paragraphs have most text, after Readability (Arc90): a paragraph counts for its parent
// and half for its grandparent; text in links counts against.
func bestScored(body *html.Node) *html.Node {
	scores := map[*html.Node]float64{}
	var order []*html.Node
	add := func(n *html.Node, score float64) {
		if n == nil || n.Type != html.ElementNode {
			return
		}
		if _, known := scores[n]; !known {
			order = append(order, n)
			scores[n] = nameScore(n)
		}
		scores[n] += score
	}
	for n := range body.Descendants() {
		if !isElement(n, "p", "pre", "td", "blockquote", "li") {
			continue
		}
		text := textOf(n)
		if len(text) < 40 {
			continue
		}
		score := 1 + float64(strings.Count(text, ",")) + math.Min(float64(len(text))/100, 3)
		if n.Data == "li" {
			score /= 3
		}
		add(n.Parent, score)
		if n.Parent != nil {
			add(n.Parent.Parent, score/2)
		}
	}
	var best *html.Node
	top := 0.0
	for _, n := range order {
		if score := scores[n] * (1 - linkDensity(n)); score > top {
			best, top = n, score
		}
	}
	if best == nil || len(textOf(best))*5 < len(textOf(body)) {
		return nil
	}
	return best
}

func linkDensity(n *html.Node) float64 {
	links := 0
	for d := range n.Descendants() {
		if isElement(d, "a") {
			links += len(textOf(d))
		}
	}
	return float64(links) / float64(max(1, len(textOf(n))))
}

var (
	good = lazyregexp.New(`(?i)article|body|content|entry|main|page|post|text|blog|story`)
	bad  = lazyregexp.New(`(?i)(^|[-_ ])(banner|breadcrumbs?|combx|comments?|cookies?|consent|community|disqus|footer|gdpr|header|menu|nav|navbar|navigation|related|remark|rss|share|sharing|shoutbox|sidebar|skyscraper|social|sponsor|ads?|advert\w*|pagination|pager|popup|promo|newsletter|subscribe|skip|toolbar|widget)([-_ ]|$)`)
)

func nameScore(n *html.Node) float64 {
	name := attr(n, "class") + " " + attr(n, "id")
	score := 0.0
	if good.MatchString(name) {
		score += 5
	}
	if bad.MatchString(name) {
		score -= 10
	}
	return score
}

// removeBoilerplate takes navigation, asides, banners and the like out of the main content.
func removeBoilerplate(main *html.Node) {
	var list []*html.Node
	for n := range main.Descendants() {
		if n.Type == html.ElementNode && isBoilerplate(n) {
			list = append(list, n)
		}
	}
	for _, n := range list {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

func isBoilerplate(n *html.Node) bool {
	switch n.Data {
	case "nav", "aside", "footer", "form", "button", "dialog", "menu":
		return true
	case "header":
		return find(n, "h1", "h2") == nil
	}
	switch attr(n, "role") {
	case "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar":
		return true
	}
	if isElement(n, "div", "section", "ul", "p", "span", "table") && bad.MatchString(attr(n, "class")+" "+attr(n, "id")) {
		return !good.MatchString(attr(n, "class")+" "+attr(n, "id")) || linkDensity(n) > 0.5
	}
	return isElement(n, "ul", "div") && linkDensity(n) > 0.8 && len(textOf(n)) > 0 && find(n, "p", "h1", "h2", "h3", "table", "pre") == nil && len(elements(n)) > 3
}
