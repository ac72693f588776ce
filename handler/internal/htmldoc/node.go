package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// attr gives an attribute's value, or "".
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, names ...string) bool {
	for _, class := range strings.Fields(attr(n, "class")) {
		for _, name := range names {
			if class == name {
				return true
			}
		}
	}
	return false
}

func isElement(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

// find gives the first descendant element of one of the names, or nil.
func find(n *html.Node, names ...string) *html.Node {
	for d := range n.Descendants() {
		if isElement(d, names...) {
			return d
		}
	}
	return nil
}

// rawTextOf is all text below n as it stands, without what is never shown.
func rawTextOf(n *html.Node) string {
	var b strings.Builder
	writeText(&b, n)
	return b.String()
}

func writeText(b *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
	case isElement(n, "br"):
		b.WriteByte('\n')
	case n.Type == html.ElementNode && dropped[n.Data]:
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeText(b, c)
	}
}

// textOf is all text below n in one line.
func textOf(n *html.Node) string { return strings.Join(strings.Fields(rawTextOf(n)), " ") }

// elements gives the child elements of n.
func elements(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			list = append(list, c)
		}
	}
	return list
}
