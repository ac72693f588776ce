package odf

import (
	"strings"

	"decant/handler/internal/xmltree"
)

// listPlace is where in the lists of a file the reader stands.
type listPlace struct {
	style string // name of the list style
	level int    // from 0
	// family tells lists apart that stand next to each other: a list inside an item has one of its own when it names a style of its own.
	family int
	old    bool // a text:ordered-list of OpenOffice.org 1.0
}

func isList(name string) bool {
	switch name {
	case "text:list", "text:ordered-list", "text:unordered-list":
		return true
	}
	return false
}

// list takes in a text:list at the top of a story. Writers cut one list into several wherever its look changes, and LibreOffice puts
// each level with a style of its own into a list of its own that only steps to that level: the items are taken one after another
// and put together by their levels (openlist.go).
func (f *Flow) list(n *xmltree.Node) {
	c := f.r.lists
	outer := c.now
	defer func() { c.now = outer }()
	name := n.Attr("text:style-name")
	c.begin(n, name)
	f.items(n, listPlace{style: name, family: c.now.family, old: n.Name == "text:ordered-list"})
	c.end(n, name)
}

// numbered takes in a text:numbered-paragraph: an item that says its level and its list itself.
func (f *Flow) numbered(n *xmltree.Node) {
	c := f.r.lists
	outer := c.now
	defer func() { c.now = outer }()
	id := first(n.Attr("text:list-id"), n.Attr("text:style-name"))
	if c.now = c.byID["numbered "+id]; c.now == nil {
		c.families++
		c.now = &sequence{family: c.families}
		c.byID["numbered "+id] = c.now
	}
	level := min(max(1, number(n.Attr("text:level"), 1)), maxLevels) - 1
	f.readItem(n, listPlace{style: n.Attr("text:style-name"), level: level, family: c.now.family})
}

func (f *Flow) items(n *xmltree.Node, at listPlace) {
	for _, c := range n.Children {
		if c.Name == "text:list-item" || c.Name == "text:list-header" {
			f.readItem(c, at)
		}
	}
}

// readItem counts an item and takes in its content, with the lists in it.
func (f *Flow) readItem(n *xmltree.Node, at listPlace) {
	p := f.newItem(n, at)
	inner := f.inItem()
	for _, c := range n.Children {
		switch {
		case c.Name == "" || c.Name == "text:number":
		case isList(c.Name):
			p.put(inner.Finish())
			inner = f.inItem()
			f.items(c, f.below(c, at))
		default:
			if stored := c.Child("text:number"); stored != nil && c.Name == "text:p" && p.item.Number != "" {
				p.item.Number = strings.TrimSpace(stored.AllText())
			}
			inner.Add(c)
		}
	}
	p.put(inner.Finish())
}

// inItem is a story inside an item. A list in a list nests the stories, not the lists.
func (f *Flow) inItem() *Flow { return &Flow{r: f.r, inCell: f.inCell, toc: f.toc} }

// below is the place of a list inside an item.
func (f *Flow) below(n *xmltree.Node, at listPlace) listPlace {
	inner := listPlace{style: at.style, level: at.level + 1, family: at.family, old: n.Name == "text:ordered-list"}
	if name := n.Attr("text:style-name"); name != "" && name != at.style {
		f.r.lists.families++
		inner.style, inner.family = name, f.r.lists.families
	}
	return inner
}

// itemStyle is the list style of an item: its own (text:style-override), that of its list, else that of its first paragraph.
func (f *Flow) itemStyle(item *xmltree.Node, name string) string {
	if own := item.Attr("text:style-override"); f.r.styles.lists[own] != nil {
		return own
	}
	if f.r.styles.lists[name] != nil {
		return name
	}
	for _, child := range []string{"text:p", "text:h"} {
		if style := f.r.styles.get("paragraph", item.Child(child).Attr("text:style-name")); style != nil && style.List != "" {
			return style.List
		}
	}
	return name
}

func hasOnlyLists(n *xmltree.Node) bool {
	lists := false
	for _, c := range n.Children {
		switch {
		case isList(c.Name):
			lists = true
		case c.Name != "":
			return false
		}
	}
	return lists
}
