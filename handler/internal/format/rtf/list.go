package rtf

import (
	"strconv"
	"strings"
	"unicode"

	"decant/handler/internal/doc"
)

// listDef says how the levels of a list are numbered.
type listDef struct {
	id     int
	levels [9]levelDef
	counts [9]int
}

type levelDef struct {
	format int // \levelnfc: 0 decimal, 1 and 2 roman, 3 and 4 letters, 23 bullet, 255 none
	start  int
}

// openList is a list that may get more items.
type openList struct {
	level   int
	indent  int // of its items' text
	def     *listDef
	ordered bool
	next    int
	block   doc.Block
}

// isItem tells whether the paragraph is a list item: it has a printed label, or the file keeps none and the list numbers it.
// A label of a list that the paragraph is not in any more belongs to a paragraph that was taken out.
func (f *flow) isItem(s *story, par *paragraph) bool {
	if s.label != nil {
		return (strings.TrimSpace(s.label.text) != "" || par.list > 0) && (par.list > 0 || !s.label.ofList || len(s.p.overrides) == 0)
	}
	return par.list > 0 && !s.p.labelled && s.p.overrides[par.list] != nil
}

// isContinuation tells whether the paragraph belongs to the item before it: same list, but no label of its own, or set as far in as
// the item's text.
func (f *flow) isContinuation(s *story, par *paragraph) bool {
	if len(f.lists) == 0 || s.label != nil {
		return false
	}
	return par.list > 0 || f.listAt(par) >= 0
}

// listAt is the index of the open list whose text stands as far in as the paragraph, or -1.
func (f *flow) listAt(par *paragraph) int {
	if par.indent > 0 && par.first >= 0 {
		for i, list := range f.lists {
			if list.indent == par.indent {
				return i
			}
		}
	}
	return -1
}

func (f *flow) continueItem(par *paragraph, b doc.Block) {
	if at := f.listAt(par); at >= 0 {
		f.closeLists(at + 1)
	}
	top := f.lists[len(f.lists)-1]
	item := &top.block.Children[len(top.block.Children)-1]
	item.Children = append(item.Children, b)
}

func (f *flow) item(s *story, par *paragraph, b doc.Block) {
	if f.caption != nil {
		f.blocks = append(f.blocks, *f.caption)
		f.caption = nil
	}
	f.last = ""
	label := ""
	if s.label != nil {
		label = strings.TrimSpace(s.label.text)
	}
	def := s.p.overrides[par.list]
	level := f.levelOf(par, def)
	for len(f.lists) > 0 && f.lists[len(f.lists)-1].level > level {
		f.closeLists(len(f.lists) - 1)
	}
	next := 1
	if top := len(f.lists) - 1; top >= 0 && f.lists[top].level == level {
		next = f.lists[top].next
	}
	value, ordered := itemNumber(def, par.level, label, next)
	if ordered {
		value = max(1, value)
	}
	if label == "" && ordered {
		label = strconv.Itoa(value) + "."
	}
	if top := len(f.lists) - 1; top >= 0 && f.lists[top].level == level && (f.lists[top].ordered != ordered || f.lists[top].def != def || ordered && value != next) {
		f.closeLists(top)
	}
	if top := len(f.lists) - 1; top < 0 || f.lists[top].level < level {
		list := &openList{level: level, def: def, ordered: ordered, block: doc.Block{Kind: doc.List, Ordered: ordered}}
		if ordered && value > 1 {
			list.block.Start = value
		}
		f.lists = append(f.lists, list)
	}
	list := f.lists[len(f.lists)-1]
	list.next, list.indent = value+1, par.indent
	item := doc.Block{Kind: doc.Item, Anchor: b.Anchor, Children: []doc.Block{b}}
	item.Children[0].Anchor = ""
	if plain := strconv.Itoa(value); ordered && label != plain+"." && label != plain+")" && label != plain {
		item.Number = label
	}
	if !ordered {
		item.Checked = checked(&item.Children[0])
	}
	list.block.Children = append(list.block.Children, item)
}

// itemNumber is an item's number, by its label or by counting, and whether it has one at all. Next is the number that would go on.
func itemNumber(def *listDef, level int, label string, next int) (value int, ordered bool) {
	format := -1
	if def != nil {
		format = def.levels[level].format
		def.counts[level]++
		for below := level + 1; below < len(def.counts); below++ {
			def.counts[below] = 0
		}
		value = max(1, def.levels[level].start) + def.counts[level] - 1
	}
	if format == 23 || format == 255 {
		return 0, false
	}
	if label == "" {
		return value, def != nil
	}
	digits := strings.TrimFunc(label, func(r rune) bool { return !unicode.IsDigit(r) })
	if n, err := strconv.Atoi(digits); err == nil {
		return n, true
	}
	hasLetter := strings.ContainsFunc(label, unicode.IsLetter) || strings.ContainsFunc(label, unicode.IsDigit)
	ordered = hasLetter && (format >= 0 || len(label) > 1)
	if ordered && def == nil {
		value = letterValue(label, next)
	}
	return value, ordered
}

// closeLists ends the open lists from the one with that index on.
func (f *flow) closeLists(from int) {
	for len(f.lists) > from {
		last := len(f.lists) - 1
		block := f.lists[last].block
		f.lists = f.lists[:last]
		if last > 0 {
			above := &f.lists[last-1].block
			item := &above.Children[len(above.Children)-1]
			item.Children = append(item.Children, block)
			continue
		}
		f.blocks = append(f.blocks, block)
	}
}

// listTable reads \listtable: its groups nest as lists and levels.
func (p *parser) listTable() {
	p.st.skip = false
	p.gather(func(string) {})
	p.st.inLists = true
}

// overrideTable reads \listoverridetable: which \ls number stands for which list.
func (p *parser) overrideTable() {
	p.gather(func(string) {})
	p.st.inLists = true
}

// listWords act inside the list tables.
func listWords() map[string]action {
	return map[string]action{
		"list":         func(p *parser, _ int, _ bool) { p.newList = &listDef{}; p.listLevel = -1 },
		"listlevel":    func(p *parser, _ int, _ bool) { p.listLevel++ },
		"levelnfc":     func(p *parser, n int, _ bool) { p.onLevel(func(l *levelDef) { l.format = n }) },
		"levelnfcn":    func(p *parser, n int, _ bool) { p.onLevel(func(l *levelDef) { l.format = n }) },
		"levelstartat": func(p *parser, n int, _ bool) { p.onLevel(func(l *levelDef) { l.start = n }) },
		"listid": func(p *parser, n int, _ bool) {
			if p.newList != nil {
				p.newList.id = n
				p.lists[n] = p.newList
				p.newList = nil
			} else {
				p.override = n
			}
		},
		"listoverride": func(p *parser, _ int, _ bool) { p.newList, p.override = nil, 0 },
		"ls": func(p *parser, n int, _ bool) {
			if def := p.lists[p.override]; def != nil {
				p.overrides[n] = def
			}
		},
	}
}

func (p *parser) onLevel(set func(*levelDef)) {
	if p.newList != nil && p.listLevel >= 0 && p.listLevel < len(p.newList.levels) {
		set(&p.newList.levels[p.listLevel])
	}
}
