package drawingml

import (
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// Text makes blocks of a text body (txBody): paragraphs, and lists by level where paragraphs have bullets.
// inherited are the list styles above the body's own one, nearest first.
func (r *Reader) Text(body *xmltree.Node, inherited []Levels) []doc.Block {
	if body == nil {
		return nil
	}
	styles := append([]Levels{ReadLevels(Child(body, "lstStyle"))}, inherited...)
	var l lister
	for _, p := range body.Children {
		if Local(p.Name) != "p" {
			continue
		}
		inlines := r.inlines(p)
		if len(inlines) == 0 {
			continue
		}
		properties := Child(p, "pPr")
		level, _ := strconv.Atoi(properties.Attr("lvl"))
		level = min(max(level, 0), len(Levels{})-1)
		l.add(paragraph(inlines), level, bulletOf(properties, level, styles))
	}
	return l.finish()
}

// paragraph is a paragraph, or a formula when a formula is all there is.
func paragraph(inlines []doc.Inline) doc.Block {
	if len(inlines) == 1 && inlines[0].Kind == doc.Math {
		return doc.Block{Kind: doc.Formula, Text: inlines[0].Text}
	}
	return doc.Block{Kind: doc.Paragraph, Inlines: inlines}
}

// lister builds paragraphs and nested lists.
type lister struct {
	out  []doc.Block
	open []openList // from the outermost
}

// openList is a list that may still grow.
type openList struct {
	level  int
	bullet bullet
	block  doc.Block
}

func (l *lister) add(block doc.Block, level int, mark *bullet) {
	if mark == nil {
		l.close(-1)
		l.out = append(l.out, block)
		return
	}
	l.close(level)
	if n := len(l.open); n > 0 && l.open[n-1].level == level && !sameList(l.open[n-1].bullet, *mark) {
		l.close(level - 1)
	}
	if n := len(l.open); n == 0 || l.open[n-1].level < level {
		list := openList{level: level, bullet: *mark, block: doc.Block{Kind: doc.List, Ordered: mark.ordered}}
		if mark.ordered && mark.start > 1 {
			list.block.Start = mark.start
		}
		l.open = append(l.open, list)
	}
	list := &l.open[len(l.open)-1]
	item := doc.Block{Kind: doc.Item, Children: []doc.Block{block}}
	if mark.ordered {
		item.Number = mark.label(max(1, list.bullet.start) + len(list.block.Children))
	}
	list.block.Children = append(list.block.Children, item)
}

// sameList: the kind of count is the same; bullets of different looks are one list.
func sameList(a, b bullet) bool { return a.ordered == b.ordered && a.scheme == b.scheme }

// close ends all lists deeper than a level: each becomes the last child of the item that it hangs on.
func (l *lister) close(level int) {
	for len(l.open) > 0 && l.open[len(l.open)-1].level > level {
		last := l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		if n := len(l.open); n > 0 {
			items := l.open[n-1].block.Children
			item := &items[len(items)-1]
			item.Children = append(item.Children, last.block)
			continue
		}
		l.out = append(l.out, last.block)
	}
}

func (l *lister) finish() []doc.Block {
	l.close(-1)
	return l.out
}
