package chunk

import (
	"slices"
	"sort"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// placer finds where ranges of the Markdown come from. Ranges are asked for in order.
type placer struct {
	md     *markdown.Output
	doc    *doc.Document
	nodes  int     // the first node that may end behind the range before
	around []int32 // the nodes that contain the place reached

	looked *doc.Grid // the table last asked about
	inside bool      // some of its cells say where they stand
}

// place sets a chunk's pages, boxes, source and blocks.
func (p *placer) place(c *Chunk, d *draft) {
	g := gathered{chunk: c, doc: p.doc}
	p.spans(&g, c.Range)
	p.blocks(&g, c.Range)
	g.finish()
}

// spans gathers the places of the text in a range.
func (p *placer) spans(g *gathered, r Range) {
	spans := p.md.Spans
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > r.Start })
	for i < len(spans) && spans[i].Start < r.End {
		s := spans[i]
		from, to := inPlain(&s, r)
		for i++; i < len(spans) && spans[i].Start < r.End && spans[i].Block == s.Block && spans[i].Caption == s.Caption; i++ {
			_, to = inPlain(&spans[i], r)
		}
		g.block(s.Block)
		if s.Caption {
			from, to = 0, 0
		}
		g.text(s.Block, from, to)
	}
}

// inPlain is the part of a block's plain text that the range has of a span.
func inPlain(s *markdown.Span, r Range) (from, to int) {
	from, to = s.From, s.To
	if s.To-s.From == s.End-s.Start {
		if r.Start > s.Start {
			from += r.Start - s.Start
		}
		if r.End < s.End {
			to -= s.End - r.End
		}
	}
	return from, to
}

// blocks gathers the places of blocks and cells in the range, of tables whose cells have none, and when nothing at all has a place,
// of what is around.
func (p *placer) blocks(g *gathered, r Range) {
	nodes := p.md.Nodes
	p.reach(r.Start)
	for _, i := range p.around {
		p.table(g, int(i), r)
	}
	for i := p.nodes; i < len(nodes) && nodes[i].Start < r.End; i++ {
		n := &nodes[i]
		if n.End <= r.Start {
			continue
		}
		switch {
		case n.Kind == markdown.CellNode && n.Cell != nil:
			g.places(n.Cell.Places)
		case n.Kind == markdown.CommentNode:
			g.places(p.doc.Annotations[n.Note].Places)
		case n.Kind == markdown.BlockNode:
			g.block(n.Block)
			p.table(g, i, r)
			if len(n.Block.Inlines) == 0 && n.Block.Text == "" && n.Block.Table == nil && n.End <= r.End {
				g.places(n.Block.Places)
			}
		}
	}
	for i := len(p.around) - 1; i >= 0 && !g.found; i-- {
		if b := nodes[p.around[i]].Block; b != nil {
			g.places(b.Places)
		}
	}
	for i := p.nodes; i < len(nodes) && nodes[i].Start < r.End && !g.found; i++ { // markup of a block that reaches further
		if b := nodes[i].Block; b != nil {
			g.places(b.Places)
		}
	}
}

// table adds the place of a table of which only the whole has one.
func (p *placer) table(g *gathered, i int, r Range) {
	n := &p.md.Nodes[i]
	if n.Kind != markdown.BlockNode || n.Block.Table == nil {
		return
	}
	g.block(n.Block)
	if !p.hasPlaces(n.Block.Table) {
		g.around(n.Block, n, r, p.md.Nodes)
	}
}

// hasPlaces tells whether any cell of a table says where it stands. The chunks of a table ask one after the other.
func (p *placer) hasPlaces(t *doc.Grid) bool {
	if p.looked != t {
		p.looked, p.inside = t, false
		for j := range t.Cells {
			if placed(&t.Cells[j]) {
				p.inside = true
				break
			}
		}
	}
	return p.inside
}

// placed tells whether a cell, or a block in it, says where it stands.
func placed(c *doc.Cell) bool {
	if len(c.Places) > 0 {
		return true
	}
	for i := range c.Blocks {
		if len(c.Blocks[i].Places) > 0 {
			return true
		}
	}
	return false
}

// reach moves on to the first node that ends behind a place, and keeps the nodes that contain it.
func (p *placer) reach(at int) {
	nodes := p.md.Nodes
	for len(p.around) > 0 && nodes[p.around[len(p.around)-1]].End <= at {
		p.around = p.around[:len(p.around)-1]
	}
	for p.nodes < len(nodes) {
		n := &nodes[p.nodes]
		switch {
		case n.End <= at: // left behind
			p.nodes = int(n.Last)
		case n.Start < at: // contains the place
			p.around = append(p.around, int32(p.nodes))
			p.nodes++
		default:
			return
		}
	}
}

// gathered collects the places of one chunk.
type gathered struct {
	chunk *Chunk
	doc   *doc.Document
	found bool
	cells area
	pages []int
}

func (g *gathered) block(b *doc.Block) {
	if b.ID != "" && !isAmong(g.chunk.Blocks[max(0, len(g.chunk.Blocks)-8):], b.ID) {
		g.chunk.Blocks = append(g.chunk.Blocks, b.ID)
	}
}

// isAmong is slices.Contains for ids, most of which differ in their last digit.
func isAmong(list []string, id string) bool {
	last := id[len(id)-1]
	for _, other := range list {
		if len(other) == len(id) && other[len(other)-1] == last && other == id {
			return true
		}
	}
	return false
}

// text adds the places of bytes from..to of a block's text; both 0 mean all of it.
func (g *gathered) text(b *doc.Block, from, to int) {
	for i := range b.Places {
		pl := &b.Places[i]
		if pl.From == 0 && pl.To == 0 || to == 0 || pl.From < to && from < pl.To {
			g.add(pl)
		}
	}
}

func (g *gathered) places(places []doc.Place) {
	for i := range places {
		g.add(&places[i])
	}
}

// around adds the place of a block that contains the chunk. Of a table with a cell range, only the rows in the chunk count.
func (g *gathered) around(b *doc.Block, n *markdown.Node, r Range, nodes []markdown.Node) {
	for i := range b.Places {
		pl := b.Places[i]
		if b.Kind == doc.Table && pl.Cells != "" {
			pl.Cells = rowsIn(pl.Cells, b.Table, n, r, nodes)
		}
		g.add(&pl)
	}
}

func (g *gathered) add(pl *doc.Place) {
	g.found = true
	c := g.chunk
	if pl.Page > 0 && !slices.Contains(g.pages, pl.Page) {
		g.pages = append(g.pages, pl.Page)
	}
	if pl.Box != nil && pl.Page > 0 {
		box := Box{pl.Page, pl.Box.X0, pl.Box.Y0, pl.Box.X1, pl.Box.Y1}
		if !slices.Contains(c.Boxes[max(0, len(c.Boxes)-16):], box) {
			c.Boxes = append(c.Boxes, box)
		}
	}
	if pl.Sheet == "" && pl.Slide == 0 && pl.Part == "" && pl.Line == 0 {
		return
	}
	if c.Source == nil {
		c.Source = &Source{}
	}
	s := c.Source
	if s.Sheet == "" {
		s.Sheet = pl.Sheet
	}
	if s.Sheet == pl.Sheet {
		g.cells.add(pl.Cells)
	}
	if s.Slide == 0 {
		s.Slide = pl.Slide
	}
	if s.Part == "" {
		s.Part = pl.Part
	}
	if pl.Line > 0 {
		if s.Line == 0 || pl.Line < s.Line {
			s.Line = pl.Line
		}
		s.EndLine = max(s.EndLine, pl.Line, pl.EndLine)
	}
}

func (g *gathered) finish() {
	if g.chunk.Source != nil {
		g.chunk.Source.Cells = g.cells.String()
	}
	if len(g.pages) == 0 {
		return
	}
	slices.Sort(g.pages)
	pages := &Pages{First: g.pages[0], Last: g.pages[len(g.pages)-1]}
	for _, n := range g.pages {
		if n <= len(g.doc.Pages) && g.doc.Pages[n-1].Label != "" {
			pages.Labels = append(pages.Labels, g.doc.Pages[n-1].Label)
		}
	}
	g.chunk.Pages = pages
}
