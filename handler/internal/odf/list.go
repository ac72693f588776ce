package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// counters hold the numbers of lists that later lists may go on with, and those of headings.
type counters struct {
	byStyle map[string]*[maxLevels]int // last counts by list style
	byID    map[string]*[maxLevels]int // by xml:id
	heads   [maxLevels]int
	now     *[maxLevels]int
}

func newCounters() *counters {
	return &counters{byStyle: map[string]*[maxLevels]int{}, byID: map[string]*[maxLevels]int{}}
}

// heading counts a heading on one level and gives its label.
func (c *counters) heading(outline *listStyle, level int, n *xmltree.Node) string {
	if !outline.levels[level].ordered {
		return ""
	}
	if n.Attr("text:restart-numbering") == "true" || c.heads[level] == 0 {
		c.heads[level] = number(n.Attr("text:start-value"), outline.levels[level].start)
	} else {
		c.heads[level]++
	}
	for below := level + 1; below < maxLevels; below++ {
		c.heads[below] = 0
	}
	return outline.label(level, &c.heads)
}

// list takes in a text:list at the top of a story.
func (f *Flow) list(n *xmltree.Node) {
	c := f.r.lists
	outer := c.now
	defer func() { c.now = outer }()
	name := n.Attr("text:style-name")
	counts := &[maxLevels]int{}
	switch earlier := c.byID[n.Attr("text:continue-list")]; {
	case earlier != nil:
		*counts = *earlier
	case n.Attr("text:continue-numbering") == "true" && c.byStyle[name] != nil:
		*counts = *c.byStyle[name]
	}
	c.now = counts
	f.addList(f.listBlocks(n, name, 0))
	c.byStyle[name] = counts
	if id := first(n.Attr("xml:id"), n.Attr("id")); id != "" {
		c.byID[id] = counts
	}
}

// addList adds lists to the story. What only steps to a deeper level, or counts on, belongs to the list right before it:
// writers cut one list into several where its look changes.
func (f *Flow) addList(blocks []doc.Block) {
	for i, b := range blocks {
		last := len(f.blocks) - 1
		follows := i == 0 && last >= 0 && f.blocks[last].Kind == doc.List
		if b.Kind == doc.List && isStep(b.Children[0]) {
			if follows {
				appendStep(f.blocks, b.Children[0].Children)
			} else if f.addAll(b.Children[0].Children); len(b.Children) > 1 {
				follows = false
			}
			if b.Children = b.Children[1:]; len(b.Children) == 0 {
				continue
			}
		}
		if before := last; follows && b.Kind == doc.List && b.Ordered && f.blocks[before].Ordered && b.Start == max(1, f.blocks[before].Start)+len(f.blocks[before].Children) {
			f.blocks[before].Children = append(f.blocks[before].Children, b.Children...)
			continue
		}
		f.add(b)
	}
}

// isStep tells whether an item holds deeper lists and nothing of its own.
func isStep(item doc.Block) bool {
	return len(item.Children) > 0 && item.Number == "" && allLists(item.Children)
}

// listBlocks reads one level of a list. Headings inside lists, as OpenDocument writes numbered chapters, come out as headings:
// they end the list before them.
func (f *Flow) listBlocks(n *xmltree.Node, styleName string, level int) []doc.Block {
	var blocks []doc.Block
	for _, c := range n.Children {
		if c.Name != "text:list-item" && c.Name != "text:list-header" {
			continue
		}
		own := f.itemStyle(c, styleName)
		style := f.r.styles.lists[own]
		item, chapter := f.readItem(c, own, style, level)
		if chapter {
			blocks = append(blocks, item.Children...)
			continue
		}
		if len(item.Children) == 0 && item.Number == "" {
			continue
		}
		if f.r.PlainItems && style != nil && !style.levels[min(level, maxLevels-1)].shows() {
			blocks = append(blocks, item.Children...)
			continue
		}
		if hasOnlyLists(c) && isStep(item) && len(blocks) > 0 {
			blocks = appendStep(blocks, item.Children)
			continue
		}
		ordered := style != nil && style.levels[min(level, maxLevels-1)].ordered
		if n.Name == "text:ordered-list" && style == nil {
			ordered = true
		}
		value := f.r.lists.now[min(level, maxLevels-1)]
		blocks = appendItem(blocks, item, ordered, value, c.Name == "text:list-header")
	}
	return blocks
}

// itemStyle is the list style of an item: that of its list, else that of its first paragraph.
func (f *Flow) itemStyle(item *xmltree.Node, name string) string {
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

// appendItem adds an item to the list at the end of blocks, or starts a list with it.
func appendItem(blocks []doc.Block, item doc.Block, ordered bool, value int, header bool) []doc.Block {
	last := len(blocks) - 1
	if header && (last < 0 || blocks[last].Kind != doc.List) {
		return append(blocks, item.Children...)
	}
	if last >= 0 && blocks[last].Kind == doc.List && (header || blocks[last].Ordered == ordered) {
		list := &blocks[last]
		if header { // an item without a number belongs to the one before it
			before := &list.Children[len(list.Children)-1]
			before.Children = append(before.Children, item.Children...)
			return blocks
		}
		if !ordered || item.Number != "" || value == max(1, list.Start)+len(list.Children) {
			list.Children = append(list.Children, item)
			return blocks
		}
	}
	list := doc.Block{Kind: doc.List, Ordered: ordered, Children: []doc.Block{item}}
	if ordered && value != 1 {
		list.Start = value
	}
	return append(blocks, list)
}

// appendStep adds lists that stand in an item of their own to the item before it.
func appendStep(blocks, lists []doc.Block) []doc.Block {
	if last := len(blocks) - 1; last >= 0 && blocks[last].Kind == doc.List {
		before := &blocks[last].Children[len(blocks[last].Children)-1]
		before.Children = append(before.Children, lists...)
		return blocks
	}
	return append(blocks, lists...)
}

// readItem counts an item and reads its content. chapter is true when it only numbers a heading.
func (f *Flow) readItem(n *xmltree.Node, styleName string, style *listStyle, level int) (item doc.Block, chapter bool) {
	r := f.r
	at := min(level, maxLevels-1)
	onlyLists := hasOnlyLists(n)
	label := ""
	if n.Name == "text:list-item" && !onlyLists {
		label = r.lists.count(n, style, at)
	}
	item = doc.Block{Kind: doc.Item}
	if style != nil && !style.levels[at].isPlain(label, r.lists.now[at]) {
		item.Number = strings.TrimSpace(label)
	}
	inner := &Flow{r: r, inCell: f.inCell, toc: f.toc}
	for _, c := range n.Children {
		switch c.Name {
		case "text:list", "text:ordered-list", "text:unordered-list":
			inner.addList(f.listBlocks(c, first(c.Attr("text:style-name"), styleName), level+1))
		case "":
		default:
			if stored := c.Child("text:number"); stored != nil && c.Name == "text:p" && item.Number != "" {
				item.Number = strings.TrimSpace(stored.AllText())
			}
			inner.Add(c)
		}
	}
	item.Children = inner.Finish()
	for _, b := range item.Children {
		if b.Kind == doc.Heading {
			chapter = true
		}
	}
	if chapter && label != "" {
		numberHeading(item.Children, strings.TrimSpace(label))
	}
	return item, chapter
}

func numberHeading(blocks []doc.Block, label string) {
	for i := range blocks {
		if blocks[i].Kind == doc.Heading {
			if blocks[i].Number == "" {
				blocks[i].Number = label
			}
			return
		}
	}
}

func hasOnlyLists(n *xmltree.Node) bool {
	lists := false
	for _, c := range n.Children {
		switch c.Name {
		case "text:list", "text:ordered-list", "text:unordered-list":
			lists = true
		case "":
		default:
			return false
		}
	}
	return lists
}

func allLists(blocks []doc.Block) bool {
	for _, b := range blocks {
		if b.Kind != doc.List {
			return false
		}
	}
	return true
}

// count advances a level, restarts those below it and gives the label.
func (c *counters) count(n *xmltree.Node, style *listStyle, level int) string {
	start := 1
	if style != nil {
		start = style.levels[level].start
	}
	switch value := number(n.Attr("text:start-value"), -1); {
	case value >= 0:
		c.now[level] = value
	case c.now[level] == 0:
		c.now[level] = start
	default:
		c.now[level]++
	}
	for below := level + 1; below < maxLevels; below++ {
		c.now[below] = 0
	}
	if style == nil {
		return ""
	}
	return style.label(level, c.now)
}
