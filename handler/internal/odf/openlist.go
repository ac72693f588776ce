package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// openList is a list that may get more items.
type openList struct {
	level   int
	ordered bool
	next    int // number that the next item has when it simply goes on
	style   string
	family  int
	block   doc.Block
}

func (o *openList) item() *doc.Block { return &o.block.Children[len(o.block.Children)-1] }

// takes tells whether an item goes on with the list.
func (o *openList) takes(p *pendingItem) bool {
	switch {
	case o.ordered != p.ordered:
		return false
	case o.ordered:
		return o.next == p.value || o.isOf(p) && p.item.Number != ""
	}
	return o.isOf(p) || p.f.r.PlainItems // on slides each look of bullets is a list of its own
}

// isOf tells whether the list is the one that the item is of, as far as its look and its place in the file tell.
func (o *openList) isOf(p *pendingItem) bool { return o.family == p.at.family || o.style == p.at.style }

func (f *Flow) top() *openList { return f.open[len(f.open)-1] }

// closeLists ends the open lists that are deeper than a level, each in the item above it; the last one is a block of the story.
func (f *Flow) closeLists(level int) {
	for len(f.open) > 0 && f.top().level > level {
		list := f.top().block
		f.open = f.open[:len(f.open)-1]
		if len(f.open) == 0 {
			f.blocks = append(f.blocks, list)
			return
		}
		item := f.top().item()
		item.Children = append(item.Children, list)
	}
}

// pendingItem is an item that comes into being with its first content: an empty one is counted and not shown.
type pendingItem struct {
	f       *Flow
	at      listPlace
	item    doc.Block
	label   string
	value   int
	ordered bool
	goesOn  bool // it has neither number nor bullet: more of the item before it
	begun   bool
	header  bool // a text:list-header
	chapter bool // its number is that of a heading
}

// newItem counts an item.
func (f *Flow) newItem(n *xmltree.Node, at listPlace) *pendingItem {
	r := f.r
	at.style = f.itemStyle(n, at.style)
	style, level := r.styles.lists[at.style], min(at.level, maxLevels-1)
	p := &pendingItem{f: f, at: at, item: doc.Block{Kind: doc.Item}, header: n.Name == "text:list-header"}
	p.goesOn = p.header || hasOnlyLists(n)
	if !p.goesOn {
		p.label = strings.TrimSpace(r.lists.count(n, style, level))
	}
	p.value = r.lists.now.counts[level]
	if style == nil {
		p.ordered = at.old
		return p
	}
	look := &style.levels[level]
	p.ordered = look.ordered
	p.goesOn = p.goesOn || look.isBlank() || r.PlainItems && !look.shows()
	if !look.isPlain(p.label, p.value) {
		p.item.Number = p.label
	}
	return p
}

// put takes in a piece of the item's content.
func (p *pendingItem) put(blocks []doc.Block) {
	f := p.f
	for i := range blocks {
		p.chapter = p.chapter || blocks[i].Kind == doc.Heading
	}
	switch {
	case len(blocks) == 0 && (p.item.Number == "" || p.begun):
	case p.chapter: // OpenDocument writes numbered chapters as items: they end the list before them
		if p.label != "" {
			numberHeading(blocks, p.label)
		}
		f.addAll(blocks)
	case p.goesOn:
		p.goOn(blocks)
	case p.begun:
		p.more(blocks, p.at.level)
	default:
		p.begun = true
		p.item.Children = blocks
		p.item.Checked = task(blocks)
		f.addItem(p)
	}
}

// goOn adds content without number or bullet to the item before it. On slides it stands for itself, below the item that it is in.
func (p *pendingItem) goOn(blocks []doc.Block) {
	if p.f.r.PlainItems {
		p.more(blocks, p.at.level-1)
		return
	}
	f := p.f
	f.closeLists(p.at.level)
	if p.header && len(f.open) > 0 && f.top().level == p.at.level && !f.top().isOf(p) { // that of a list that begins with it
		f.closeLists(p.at.level - 1)
	}
	p.more(blocks, p.at.level)
}

// more adds blocks to the last item down to a level, or to the story where there is none.
func (p *pendingItem) more(blocks []doc.Block, level int) {
	f := p.f
	f.closeLists(level)
	if len(f.open) == 0 {
		f.addAll(blocks)
		return
	}
	item := f.top().item()
	item.Children = append(item.Children, blocks...)
}

// addItem adds an item where its level says, opening and closing lists on the way.
func (f *Flow) addItem(p *pendingItem) {
	f.flushCaption()
	f.code, f.quote = false, false
	f.closeLists(p.at.level)
	if len(f.open) > 0 && f.top().level == p.at.level && !f.top().takes(p) {
		f.closeLists(p.at.level - 1)
	}
	if len(f.open) == 0 || f.top().level < p.at.level {
		list := &openList{level: p.at.level, ordered: p.ordered, block: doc.Block{Kind: doc.List, Ordered: p.ordered}}
		if p.ordered && p.value != 1 {
			list.block.Start = p.value
		}
		f.open = append(f.open, list)
	}
	top := f.top()
	top.next, top.style, top.family = p.value+1, p.at.style, p.at.family
	top.block.Children = append(top.block.Children, p.item)
}

// task takes the ballot box at the start of an item for the state of a task.
func task(blocks []doc.Block) *bool {
	if len(blocks) == 0 || blocks[0].Kind != doc.Paragraph {
		return nil
	}
	state, rest := doc.Ballot(blocks[0].Inlines)
	blocks[0].Inlines = rest
	return state
}
