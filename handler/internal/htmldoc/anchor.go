package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// anchorsOf are the names by which links of the document reach an element.
func (b *builder) anchorsOf(n *html.Node) []string {
	var names []string
	for _, a := range n.Attr {
		if a.Val == "" || a.Namespace != "" || a.Key != "id" && (a.Key != "name" || n.Data != "a") {
			continue
		}
		if b.notes[a.Val].ID != "" {
			continue // reached as a note
		}
		switch {
		case b.o.Anchor != nil:
			if name := b.o.Anchor(a.Val); name != "" {
				names = append(names, name)
			}
		case b.targets[a.Val]:
			names = append(names, a.Val)
		}
	}
	return names
}

// name gives a block the first of the names that were collected for it, and leads the others there.
func (f *flow) name(b *doc.Block) {
	if len(f.anchors) == 0 {
		return
	}
	if b.Anchor == "" {
		b.Anchor = f.anchors[0]
	}
	for _, name := range f.anchors {
		if name == b.Anchor {
			continue
		}
		if f.b.o.Alias != nil {
			f.b.o.Alias(name, b.Anchor)
		} else {
			f.b.aliases[name] = b.Anchor
		}
	}
	f.anchors = nil
}

// take moves the names that an inner flow could not give away to this one: to the block that the inner flow's blocks go into.
func (f *flow) take(inner *flow) { f.anchors = append(f.anchors, inner.anchors...) }

// resolveAliases lets links lead to the name that a block has, in the blocks and in the notes from the one with that index on.
func (b *builder) resolveAliases(blocks []doc.Block, notes int) {
	if len(b.aliases) == 0 {
		return
	}
	Redirect(blocks, b.aliases)
	for i := notes; i < len(b.d.Notes); i++ {
		Redirect(b.d.Notes[i].Blocks, b.aliases)
	}
}

// Redirect gives the links to names inside the document that have another name the other one.
func Redirect(blocks []doc.Block, aliases map[string]string) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		for _, inlines := range [][]doc.Inline{b.Inlines, b.Caption} {
			for i := range inlines {
				name, ok := strings.CutPrefix(inlines[i].Link, "#")
				if !ok {
					continue
				}
				for range 8 {
					of, again := aliases[name]
					if !again {
						break
					}
					name = of
				}
				inlines[i].Link = "#" + name
			}
		}
		return true
	})
}
