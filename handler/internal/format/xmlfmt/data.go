package xmlfmt

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/datadoc"
)

// proseNames are elements that text has in nearly every vocabulary.
var proseNames = map[string]bool{"p": true, "para": true, "paragraph": true, "emph": true, "section": true, "heading": true, "sec": true, "h1": true, "h2": true, "bold": true, "italic": true}

// isProse tells text with markup from data: elements with text and elements side by side, or names that text has.
func isProse(root *html.Node) bool {
	if isRecords(root) {
		return false
	}
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

// isRecords tells a list of records, as of a catalogue: most elements below the root, or below its only child, have one name, and
// hold several named values. Markup inside of a value makes no text of it.
func isRecords(root *html.Node) bool {
	list := children(root)
	if len(list) == 1 && !isMixed(root) {
		root, list = list[0], children(list[0])
	}
	if len(list) < 2 || isMixed(root) {
		return false
	}
	counts, usual := map[string]int{}, ""
	for _, c := range list {
		if counts[c.Data]++; counts[c.Data] > counts[usual] {
			usual = c.Data
		}
	}
	if counts[usual]*5 < len(list)*4 || proseNames[usual] {
		return false
	}
	records := 0
	for _, c := range list {
		if fields := children(c); c.Data == usual && len(fields) >= 2 && !isMixed(c) && !slices.ContainsFunc(fields, func(f *html.Node) bool { return proseNames[f.Data] }) {
			records++
		}
	}
	return records*5 >= len(list)*4
}

// isText tells a value with markup in it, such as a description with a bold word.
func isText(n *html.Node) bool {
	if !isMixed(n) {
		return false
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && len(d.Attr) > 0 {
			return false
		}
	}
	return true
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
	if len(n.Attr) == 0 && (len(elements) == 0 || isText(n)) {
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
		if counts[c.Data] == 1 && isLeaf(item) {
			// "price" with a currency is a value and beside it what is said of it
			v.Names, v.Items = append(v.Names, c.Data), append(v.Items, item.Items[len(item.Items)-1])
			for i, name := range item.Names[:len(item.Names)-1] {
				v.Names, v.Items = append(v.Names, c.Data+" "+name), append(v.Items, item.Items[i])
			}
			continue
		}
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

// isLeaf tells a text with attributes: its last value is its text.
func isLeaf(v datadoc.Value) bool {
	last := len(v.Items) - 1
	if v.Kind != datadoc.Object || last < 1 || v.Names[last] != "text" {
		return false
	}
	return !slices.ContainsFunc(v.Items, func(item datadoc.Value) bool { return !item.IsScalar() })
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
