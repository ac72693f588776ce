package rtf

import (
	"strings"

	"decant/handler/internal/doc"
)

// alias leads the further bookmarks of a paragraph to the first one: a block has one name.
func (p *parser) alias(names []string) {
	for _, name := range names[1:] {
		if name != names[0] {
			p.aliases[name] = names[0]
		}
	}
}

// anchor keeps the names that links lead to.
func (p *parser) anchor() {
	used := map[string]bool{}
	link := func(b *doc.Block) bool {
		for _, inlines := range [][]doc.Inline{b.Inlines, b.Caption} {
			for i := range inlines {
				name, internal := strings.CutPrefix(inlines[i].Link, "#")
				if !internal {
					continue
				}
				if first, ok := p.aliases[name]; ok {
					name = first
					inlines[i].Link = "#" + name
				}
				used[name] = true
			}
		}
		return true
	}
	p.everywhere(link)
	p.everywhere(func(b *doc.Block) bool {
		if !used[b.Anchor] {
			b.Anchor = ""
		}
		return true
	})
}

// everywhere walks the body and the notes.
func (p *parser) everywhere(visit func(b *doc.Block) bool) {
	doc.Walk(p.doc.Blocks, visit)
	for i := range p.doc.Notes {
		doc.Walk(p.doc.Notes[i].Blocks, visit)
	}
}
