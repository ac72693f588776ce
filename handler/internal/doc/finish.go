package doc

import (
	"math"
	"strconv"
)

// Finish makes a parsed document ready for renderers: every block gets its id, in reading order, boxes are rounded to
// hundredths of a point, and empty leaves (paragraphs and headings without any inline) are taken out.
// Parsers do not call it; convert does, once.
func (d *Document) Finish() { d.FinishAfter(0) }

// FinishAfter is Finish for what comes behind blocks that have n ids already. It gives the number of ids then.
func (d *Document) FinishAfter(n int) int {
	names := numberer{n: n}
	number := func(b *Block) bool {
		b.ID = names.next()
		roundBoxes(b)
		return true
	}
	d.Blocks = prune(d.Blocks)
	Walk(d.Blocks, number)
	for i := range d.Notes {
		d.Notes[i].Blocks = prune(d.Notes[i].Blocks)
		Walk(d.Notes[i].Blocks, number)
	}
	Walk(d.Furniture, number)
	for i := range d.Hidden {
		Walk(d.Hidden[i].Blocks, number)
	}
	return names.n
}

// numberer gives ids, "b1" and so on. They are parts of longer texts: one for each would be most of what a large table allocates.
type numberer struct {
	n     int
	ahead string // the ids that follow, one behind the other
	batch int    // how many were made last
}

func (a *numberer) next() string {
	if a.ahead == "" {
		a.batch = min(max(16, 2*a.batch), 1024)
		var b []byte
		for i := range a.batch {
			b = strconv.AppendInt(append(b, 'b'), int64(a.n+1+i), 10)
		}
		a.ahead = string(b)
	}
	a.n++
	size := 2
	for size < len(a.ahead) && a.ahead[size] != 'b' {
		size++
	}
	id := a.ahead[:size]
	a.ahead = a.ahead[size:]
	return id
}

// prune takes out blocks that carry nothing.
func prune(blocks []Block) []Block {
	kept := 0
	for i := range blocks {
		b := &blocks[i]
		b.Children = prune(b.Children)
		if b.Table != nil {
			for c := range b.Table.Cells {
				b.Table.Cells[c].Blocks = prune(b.Table.Cells[c].Blocks)
			}
		}
		if carriesNothing(b) {
			continue
		}
		if kept < i {
			blocks[kept] = *b
		}
		kept++
	}
	return blocks[:kept]
}

func carriesNothing(b *Block) bool {
	switch b.Kind {
	case Paragraph, Heading, Term:
		return len(b.Inlines) == 0
	case List, Group, Quote, TOC, Terms, Details:
		return len(b.Children) == 0
	case Table:
		return b.Table == nil || len(b.Table.Cells) == 0
	}
	return false
}

// roundBoxes leaves out the digits that no reader needs and that make document.json half as long again.
func roundBoxes(b *Block) {
	if len(b.Places) == 0 && b.Table == nil {
		return
	}
	round := func(v float64) float64 { return math.Round(v*100) / 100 }
	rounded := func(places []Place) {
		for i := range places {
			if box := places[i].Box; box != nil {
				places[i].Box = &Box{round(box.X0), round(box.Y0), round(box.X1), round(box.Y1)}
			}
		}
	}
	rounded(b.Places)
	if b.Table != nil {
		for i := range b.Table.Cells {
			rounded(b.Table.Cells[i].Places)
		}
	}
}
