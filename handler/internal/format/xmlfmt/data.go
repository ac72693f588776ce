package xmlfmt

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/datadoc"
)

// proseNames are elements that text has in nearly every vocabulary.
var proseNames = map[string]bool{"p": true, "para": true, "paragraph": true, "emph": true, "section": true, "heading": true, "sec": true, "h1": true, "h2": true, "bold": true, "italic": true}

// isProse tells text with markup from data: elements with text and elements side by side, or names that text has.
func isProse(root *html.Node) bool {
	mixed, elements, prose := 0, 0, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements++
		if proseNames[n.Data] {
			prose++
		}
		if isMixed(n) {
			mixed++
		}
	}
	return mixed*50 > elements || prose*20 > elements
}

// isMixed tells whether an element has text beside elements.
func isMixed(n *html.Node) bool {
	text, elements := false, false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		text = text || c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
		elements = elements || c.Type == html.ElementNode
	}
	return text && elements
}

// dataOf makes data of an element: attributes and children by name, children of one name as a list.
func dataOf(n *html.Node, depth int) datadoc.Value {
	elements := children(n)
	if len(elements) == 0 && len(n.Attr) == 0 {
		return datadoc.Value{Text: strings.TrimSpace(textOf(n))}
	}
	v := datadoc.Value{Kind: datadoc.Object}
	for _, a := range n.Attr {
		if strings.TrimSpace(a.Val) != "" {
			v.Names = append(v.Names, a.Key)
			v.Items = append(v.Items, datadoc.Value{Text: a.Val})
		}
	}
	if text := ownText(n); text != "" {
		v.Names = append(v.Names, "text")
		v.Items = append(v.Items, datadoc.Value{Text: text})
	}
	at := map[string]int{}
	counts := map[string]int{}
	for _, c := range elements {
		counts[c.Data]++
	}
	for _, c := range elements {
		item := dataOf(c, depth+1)
		if counts[c.Data] == 1 {
			v.Names, v.Items = append(v.Names, c.Data), append(v.Items, item)
			continue
		}
		i, known := at[c.Data]
		if !known {
			i = len(v.Items)
			at[c.Data] = i
			v.Names, v.Items = append(v.Names, c.Data), append(v.Items, datadoc.Value{Kind: datadoc.List})
		}
		v.Items[i].Items = append(v.Items[i].Items, item)
	}
	if len(v.Items) == 1 && v.Items[0].Kind == datadoc.List && depth > 0 {
		return v.Items[0]
	}
	if len(v.Items) == 1 && v.Names[0] == "text" {
		return v.Items[0]
	}
	return v
}

func ownText(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			parts = append(parts, strings.Fields(c.Data)...)
		}
	}
	return strings.Join(parts, " ")
}
