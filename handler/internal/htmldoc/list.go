package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// list reads ul, ol, menu and dir. What stands in it outside of an item belongs to the item before, or is one of its own.
func (f *flow) list(n *html.Node, l look) {
	f.flush()
	l.pre = false
	list := doc.Block{Kind: doc.List, Ordered: n.Data == "ol"}
	if list.Ordered {
		if start, err := strconv.Atoi(attr(n, "start")); err == nil && start != 1 {
			list.Start = start
		}
	}
	f.items(n, l, &list)
	if isContents(n) && len(list.Children) > 0 {
		f.emit(doc.Block{Kind: doc.TOC, Children: []doc.Block{list}})
		return
	}
	if len(list.Children) == 0 {
		return
	}
	f.listEnd(n, list)
}

// items adds the items of a list to it.
func (f *flow) items(n *html.Node, l look, list *doc.Block) {
	count := max(list.Start, 1)
	if list.Ordered && attr(n, "start") == "0" {
		count = 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			if note, ok := f.b.noteNodes[c]; ok {
				f.readNote(c, note)
				continue
			}
			if reason := f.b.hiddenReason(c); reason != "" {
				f.b.hide(c, reason)
				continue
			}
		}
		item, ok := f.item(c, l)
		if !ok {
			continue
		}
		if !isElement(c, "li") && len(list.Children) > 0 {
			last := &list.Children[len(list.Children)-1]
			last.Children = append(last.Children, item.Children...)
			continue
		}
		if list.Ordered {
			if value, err := strconv.Atoi(attr(c, "value")); err == nil && value != count {
				count = value
				item.Number = strconv.Itoa(value) + "."
			}
			if label := label(attr(n, "type"), count); label != "" {
				item.Number = label + "."
			}
			count++
		}
		list.Children = append(list.Children, item)
	}
}

// item reads one child of a list: an <li>, or whatever sloppy pages have there.
func (f *flow) item(n *html.Node, l look) (doc.Block, bool) {
	inner := flow{b: f.b}
	item := doc.Block{Kind: doc.Item}
	if isElement(n, "li") {
		inner.anchors = f.b.anchorsOf(n)
		item.Checked = takeCheck(n)
		inner.children(n, l)
	} else {
		item.Role = roleIndent
		inner.node(n, l)
	}
	inner.flush()
	f.take(&inner)
	item.Children = inner.blocks
	return item, len(item.Children) > 0 || isElement(n, "li") && item.Checked != nil
}

// takeCheck finds a task's box at the start of an item, takes it out, and says whether it is checked.
func takeCheck(li *html.Node) *bool {
	for n := li.FirstChild; n != nil; {
		switch {
		case n.Type == html.TextNode && strings.TrimSpace(n.Data) == "":
			n = n.NextSibling
		case isElement(n, "p", "label", "div"):
			n = n.FirstChild
		case isElement(n, "input") && strings.EqualFold(attr(n, "type"), "checkbox"):
			checked := hasAttr(n, "checked")
			n.Parent.RemoveChild(n)
			return &checked
		case n.Type == html.TextNode:
			return takeWrittenCheck(n)
		default:
			return nil
		}
	}
	return nil
}

// takeWrittenCheck takes a box that is written as in Markdown: lists inside tables have it so.
func takeWrittenCheck(n *html.Node) *bool {
	text := strings.TrimLeft(n.Data, " \t\r\n")
	if len(text) < 4 || text[0] != '[' || text[2] != ']' || text[3] != ' ' || !strings.ContainsRune(" xX", rune(text[1])) {
		return nil
	}
	n.Data = text[4:]
	checked := text[1] != ' '
	return &checked
}

// strayItem is an <li> outside of any list.
func (f *flow) strayItem(n *html.Node, l look) {
	f.flush()
	if item, ok := f.item(n, l); ok {
		if last := len(f.blocks) - 1; last >= 0 && f.blocks[last].Kind == doc.List && isElement(previousElement(n), "li") {
			f.blocks[last].Children = append(f.blocks[last].Children, item)
			return
		}
		f.emit(doc.Block{Kind: doc.List, Children: []doc.Block{item}})
	}
}

func previousElement(n *html.Node) *html.Node {
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if p.Type == html.ElementNode {
			return p
		}
	}
	return nil
}

// label is the printed count of a list that counts in letters or Roman numerals.
func label(kind string, count int) string {
	switch kind {
	case "a":
		return strings.ToLower(letters(count))
	case "A":
		return letters(count)
	case "i":
		return strings.ToLower(roman(count))
	case "I":
		return roman(count)
	}
	return ""
}

func letters(n int) string {
	text := ""
	for ; n > 0; n = (n - 1) / 26 {
		text = string(rune('A'+(n-1)%26)) + text
	}
	return text
}

var romanDigits = []struct {
	value int
	text  string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

func roman(n int) string {
	if n <= 0 || n >= 4000 {
		return ""
	}
	text := ""
	for _, digit := range romanDigits {
		for ; n >= digit.value; n -= digit.value {
			text += digit.text
		}
	}
	return text
}

// terms reads a definition list. <div> groups inside are looked through.
func (f *flow) terms(n *html.Node, l look) {
	f.flush()
	list := doc.Block{Kind: doc.Terms}
	f.termsOf(n, l, &list)
	if len(list.Children) == 0 {
		return
	}
	f.emit(list)
}

func (f *flow) termsOf(n *html.Node, l look, list *doc.Block) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.ElementNode && f.b.hiddenReason(c) != "":
			f.b.hide(c, f.b.hiddenReason(c))
		case isElement(c, "dt"):
			term := flow{b: f.b}
			inlines := term.inlinesOf(c, l)
			if len(inlines) > 0 {
				b := doc.Block{Kind: doc.Term, Inlines: inlines}
				if term.first > 0 {
					b.Places = []doc.Place{{Line: term.first, EndLine: term.last}}
				}
				term.anchors = append(f.b.anchorsOf(c), term.anchors...)
				term.name(&b)
				list.Children = append(list.Children, b)
			}
		case isElement(c, "dd"):
			if blocks := f.within(c, l); len(blocks) > 0 {
				list.Children = append(list.Children, doc.Block{Kind: doc.Details, Children: blocks})
			}
		case isElement(c, "div", "dl"):
			f.termsOf(c, l, list)
		default:
			inner := flow{b: f.b}
			inner.node(c, l)
			inner.flush()
			if len(inner.blocks) > 0 {
				list.Children = append(list.Children, doc.Block{Kind: doc.Details, Children: inner.blocks})
			}
		}
	}
}

// isContents tells a table of contents by its own or its box's name.
func isContents(n *html.Node) bool {
	for p, i := n, 0; p != nil && i < 3; p, i = p.Parent, i+1 {
		if attr(p, "id") == "toc" || hasClass(p, "toc", "table-of-contents", "tableofcontents", "contents") || attr(p, "role") == "doc-toc" || attr(p, "epub:type") == "toc" {
			return true
		}
	}
	return false
}
