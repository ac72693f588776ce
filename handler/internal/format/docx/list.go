package docx

import (
	"strings"

	"decant/handler/internal/doc"
)

// openList is a list that may get more items.
type openList struct {
	level   int
	num     *num
	ordered bool
	next    int // number that the next item has when it simply goes on
	indent  int // left indent of the items' text, twentieths of a point
	block   doc.Block
}

func (o *openList) item() *doc.Block { return &o.block.Children[len(o.block.Children)-1] }

// item adds a numbered paragraph to the list where it belongs, opening and closing lists on the way.
func (f *flow) item(par *paragraph, b doc.Block, l *line) {
	f.flushCaption()
	f.code, f.quote, f.tasks = false, false, false
	pos := par.number
	ordered := pos.def.format != "bullet" && pos.label != ""
	for len(f.lists) > 0 && f.top().level > pos.level {
		f.closeList()
	}
	if len(f.lists) > 0 && f.top().level == pos.level && !f.top().takes(pos, ordered) {
		f.closeList()
	}
	if len(f.lists) == 0 || f.top().level < pos.level {
		f.lists = append(f.lists, &openList{level: pos.level, num: pos.num, ordered: ordered, block: doc.Block{Kind: doc.List, Ordered: ordered, Start: startOf(pos, ordered)}})
	}
	top := f.top()
	top.num, top.next, top.indent = pos.num, pos.value+1, max(par.indent, pos.def.indent)
	top.block.Children = append(top.block.Children, f.newItem(pos, b, l))
}

func (f *flow) newItem(pos *position, b doc.Block, l *line) doc.Block {
	item := doc.Block{Kind: doc.Item, Anchor: b.Anchor, Places: b.Places}
	b.Anchor = ""
	if !pos.plain {
		item.Number = pos.label
	}
	item.Checked, b.Inlines = doc.Ballot(b.Inlines)
	if state, ok := ballots[pos.def.text]; ok && pos.def.format == "bullet" {
		item.Checked = &state
	}
	item.Children = append(item.Children, l.before...)
	if b.Kind = doc.Paragraph; len(b.Inlines) > 0 {
		item.Children = append(item.Children, b)
	}
	item.Children = append(item.Children, l.after...)
	return item
}

// takes tells whether a paragraph goes on with the list.
func (o *openList) takes(pos *position, ordered bool) bool {
	if o.ordered != ordered {
		return false
	}
	if !ordered {
		return true
	}
	return pos.value == o.next && (pos.num == o.num || pos.num.abstract == o.num.abstract)
}

func startOf(pos *position, ordered bool) int {
	if !ordered || pos.value == 1 {
		return 0
	}
	return pos.value
}

func (f *flow) top() *openList { return f.lists[len(f.lists)-1] }

// closeList ends the innermost list and puts it into the item above it, or into the story.
func (f *flow) closeList() {
	list := f.top()
	f.lists = f.lists[:len(f.lists)-1]
	if len(f.lists) > 0 {
		item := f.top().item()
		item.Children = append(item.Children, list.block)
		return
	}
	if f.toc > 0 {
		f.addTOC(list.block)
		return
	}
	f.blocks = append(f.blocks, list.block)
}

func (f *flow) closeLists() {
	for len(f.lists) > 0 {
		f.closeList()
	}
}

// continueItem adds a paragraph to the innermost open item whose text starts no further right than it does.
func (f *flow) continueItem(par *paragraph, b doc.Block) bool {
	if !f.closeRightOf(par.indent) {
		return false
	}
	b.Kind = doc.Paragraph
	item := f.top().item()
	item.Children = append(item.Children, b)
	return true
}

// closeRightOf closes the lists whose items' text starts further right than an indent, and tells whether one is left open.
func (f *flow) closeRightOf(indent int) bool {
	if indent <= 0 {
		return false
	}
	for len(f.lists) > 1 && f.top().indent > indent {
		f.closeList()
	}
	return len(f.lists) > 0 && f.top().indent <= indent
}

// isDummy tells whether a list item is one by its formatting only: its bullet is blank. Writers make the further paragraphs
// of an item that way.
func isDummy(pos *position) bool {
	return pos.def.format == "none" && pos.label == "" || pos.def.format == "bullet" && strings.TrimSpace(pos.def.text) == ""
}

// more adds a paragraph that is more of an item to the open item at its level or above; without a list it is an ordinary paragraph.
func (f *flow) more(par *paragraph, b doc.Block, l *line) bool {
	plain := *par
	plain.number, plain.unnumbered = nil, false
	if par.number == nil {
		if !f.closeRightOf(par.indent) {
			return false
		}
	} else {
		for len(f.lists) > 0 && f.top().level > par.number.level {
			f.closeList()
		}
	}
	if len(f.lists) == 0 {
		f.addAll(l.before)
		f.placeText(&plain, b, l)
		f.addAll(l.after)
		return true
	}
	inner := &flow{p: f.p, inCell: f.inCell, revision: f.revision}
	inner.addAll(l.before)
	inner.placeText(&plain, b, l)
	inner.addAll(l.after)
	f.pending = append(f.pending, inner.pending...)
	item := f.top().item()
	item.Children = joined(item.Children, inner.finish())
	return true
}

// joined adds blocks to an item's. Lines of code and paragraphs of a quote go on with those before them.
func joined(blocks, more []doc.Block) []doc.Block {
	if last := len(blocks) - 1; last >= 0 && len(more) == 1 && blocks[last].Kind == more[0].Kind {
		switch before := &blocks[last]; before.Kind {
		case doc.Code:
			before.Text += "\n" + more[0].Text
			return blocks
		case doc.Quote:
			before.Children = append(before.Children, more[0].Children...)
			return blocks
		}
	}
	return append(blocks, more...)
}

// ballots are the bullets that stand for the state of a task, those of symbol fonts too.
var ballots = map[string]bool{"☐": false, "☒": true, "☑": true, "\uf0a8": false, "\uf0fe": true, "\uf06f": false}

// task adds a paragraph that starts with a ballot box to a list of tasks.
func (f *flow) task(b doc.Block) bool {
	state, inlines := doc.Ballot(b.Inlines)
	if state == nil || len(inlines) == 0 {
		return false
	}
	b.Inlines, b.Kind = inlines, doc.Paragraph
	item := doc.Block{Kind: doc.Item, Checked: state, Places: b.Places, Anchor: b.Anchor}
	b.Anchor = ""
	item.Children = []doc.Block{b}
	if last := len(f.blocks) - 1; last >= 0 && len(f.lists) == 0 && f.tasks {
		f.blocks[last].Children = append(f.blocks[last].Children, item)
		return true
	}
	f.add(doc.Block{Kind: doc.List, Children: []doc.Block{item}})
	f.tasks = true
	return true
}
