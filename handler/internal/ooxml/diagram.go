package ooxml

import (
	"sort"
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxDiagramDepth bounds lists in lists of a diagram.
const maxDiagramDepth = 20

// Diagram makes the data of a SmartArt drawing (dgm:dataModel, ECMA-376 part 1, 21.4.2.10) a nested list.
func Diagram(root *xmltree.Node) []doc.Block {
	d := diagram{text: map[string]string{}, children: map[string][]edge{}}
	var order []string
	for _, pt := range root.Find("dgm:ptLst").All("dgm:pt") {
		id := pt.Attr("modelId")
		switch pt.Attr("type") {
		case "", "node", "asst":
			d.text[id] = DrawingText(pt.Child("dgm:t"))
			order = append(order, id)
		case "doc":
			d.top = id
		}
	}
	isChild := map[string]bool{}
	for _, cxn := range root.Find("dgm:cxnLst").All("dgm:cxn") {
		if kind := cxn.Attr("type"); kind != "" && kind != "parOf" {
			continue
		}
		from, to := cxn.Attr("srcId"), cxn.Attr("destId")
		d.children[from] = append(d.children[from], edge{to, number(cxn.Attr("srcOrd"), 0)})
		if from != d.top {
			isChild[to] = true
		}
	}
	for id := range d.children {
		edges := d.children[id]
		sort.SliceStable(edges, func(i, j int) bool { return edges[i].order < edges[j].order })
	}
	var items []doc.Block
	for _, e := range d.children[d.top] {
		items = append(items, d.items(e.to, 0)...)
	}
	for _, id := range order { // what no connection reaches
		if !isChild[id] {
			items = append(items, d.items(id, 0)...)
		}
	}
	for _, id := range order {
		items = append(items, d.items(id, 0)...)
	}
	if len(items) == 0 {
		return nil
	}
	return []doc.Block{{Kind: doc.List, Children: items}}
}

type diagram struct {
	top      string
	text     map[string]string // by point id, until it was shown
	children map[string][]edge
}

type edge struct {
	to    string
	order int
}

// items gives a point as an item, each once; a point without text gives way to its children.
func (d *diagram) items(id string, depth int) []doc.Block {
	text, ok := d.text[id]
	if !ok || depth > maxDiagramDepth {
		return nil
	}
	delete(d.text, id)
	var below []doc.Block
	for _, e := range d.children[id] {
		below = append(below, d.items(e.to, depth+1)...)
	}
	if text == "" {
		return below
	}
	item := doc.Block{Kind: doc.Item, Children: []doc.Block{doc.P(text)}}
	if below != nil {
		item.Children = append(item.Children, doc.Block{Kind: doc.List, Children: below})
	}
	return []doc.Block{item}
}

func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}
