package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// listEnd adds a list, or lets the one before go on: office programs write an item further in as a list of its own, in as many lists as
// it stands further in: <ul><ul><li>.
func (f *flow) listEnd(n *html.Node, list doc.Block) {
	if isElement(n.Parent, "ul", "ol", "menu", "dir") {
		f.emit(list)
		return
	}
	for range listDepth(n) {
		list = doc.Block{Kind: doc.List, Children: []doc.Block{{Kind: doc.Item, Role: roleIndent, Children: []doc.Block{list}}}}
	}
	wrapped := isWrapper(&list)
	last := len(f.blocks) - 1
	if last >= 0 && f.blocks[last].Kind == doc.List && (wrapped || f.wrapped && f.blocks[last].Ordered == list.Ordered) && isElement(previousElement(n), "ul", "ol", "menu", "dir") {
		joinLists(&f.blocks[last], &list)
		withoutIndents(f.blocks[last:])
	} else {
		blocks := unwrapped(list)
		withoutIndents(blocks)
		for _, b := range blocks {
			f.emit(b)
		}
	}
	f.wrapped = wrapped
}

var docsList = lazyregexp.New(`^lst-kix_.*-([0-8])$`)

// listDepth is how far in a list stands by its class: Google Docs writes each run of items of one level as a list of its own.
func listDepth(n *html.Node) int {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		if match := docsList.FindStringSubmatch(class); match != nil {
			return int(match[1][0] - '0')
		}
	}
	return 0
}

// withoutIndents takes back what isIndent needs.
func withoutIndents(blocks []doc.Block) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		if b.Role == roleIndent {
			b.Role = ""
		}
		return b.Kind == doc.List || b.Kind == doc.Item
	})
}

// isWrapper tells a list that has nothing but lists in it.
func isWrapper(list *doc.Block) bool {
	for i := range list.Children {
		if !isIndent(&list.Children[i]) {
			return false
		}
	}
	return true
}

// isIndent tells an item that is nothing but lists.
func isIndent(item *doc.Block) bool {
	for i := range item.Children {
		if item.Children[i].Kind != doc.List {
			return false
		}
	}
	return len(item.Children) > 0 && item.Checked == nil && item.Number == "" && item.Anchor == "" && item.Role == roleIndent
}

// roleIndent marks an item that no <li> stands for, until its list ends.
const roleIndent = "indent"

// joinLists lets a list go on with the items of the next one; what stands further in there belongs to the last item.
func joinLists(list, next *doc.Block) {
	for _, item := range next.Children {
		if !isIndent(&item) || len(list.Children) == 0 {
			list.Children = append(list.Children, item)
			continue
		}
		above := &list.Children[len(list.Children)-1]
		for i := range item.Children {
			inner := &item.Children[i]
			if end := len(above.Children) - 1; end >= 0 && above.Children[end].Kind == doc.List && above.Children[end].Ordered == inner.Ordered {
				joinLists(&above.Children[end], inner)
			} else {
				above.Children = append(above.Children, *inner)
			}
		}
	}
}

// unwrapped are the lists in a list that has nothing else, or the list itself.
func unwrapped(list doc.Block) []doc.Block {
	if !isWrapper(&list) {
		return []doc.Block{list}
	}
	var inner []doc.Block
	for i := range list.Children {
		for _, b := range list.Children[i].Children {
			inner = append(inner, unwrapped(b)...)
		}
	}
	return inner
}
