package layout

import "decant/handler/internal/doc"

// latticeTables finds tables whose cells have borders, takes their words out of the segments and gives both.
func latticeTables(p *Page, segments []Line, horizontal, vertical []rule) ([]Line, []*table, []doc.Box) {
	var tables []*table
	var boxes []doc.Box // nets that are no tables: frames, drawings
	for _, net := range lattices(horizontal, vertical) {
		if len(net.horizontal) < 2 || len(net.vertical) < 1 {
			continue
		}
		if width(net.box) < 15 || height(net.box) < 8 || len(net.horizontal)+len(net.vertical) > 4000 {
			continue
		}
		if net.frames(p.Images) {
			boxes = append(boxes, net.box)
			continue
		}
		rest, words := takeWords(segments, grow(net.box, 1))
		t := net.table(words)
		if t == nil {
			boxes = append(boxes, net.box)
			continue
		}
		segments = append(rest, t.peel()...)
		tables = append(tables, t)
	}
	return segments, tables, boxes
}

func grow(b doc.Box, by float64) doc.Box {
	return doc.Box{X0: b.X0 - by, Y0: b.Y0 - by, X1: b.X1 + by, Y1: b.Y1 + by}
}

// cellGap is how near two rules are one border, in points.
const cellGap = 3.0

// table makes a table of the net, or nil when it is none: a frame, a form line, a drawing.
func (net *lattice) table(words []Word) *table {
	xs := distinct(append(positions(net.vertical, cellGap), net.openSides()...), cellGap)
	ys := distinct(append(positions(net.horizontal, cellGap), net.openEnds()...), cellGap)
	if net.struckThrough(words) {
		return nil
	}
	if len(xs) < 2 || len(ys) < 2 || len(xs) > 200 || len(ys) > 2000 {
		return nil
	}
	g := &cellGrid{net: net, xs: xs, ys: ys, softX: map[float64]bool{}, softY: map[float64]bool{}}
	g.fill(words)
	g.splitColumns()
	g.softenColumns()
	g.splitRows()
	t := g.build()
	if !t.plausible() {
		return nil
	}
	t.box = net.box
	t.finish()
	return t
}

// framedShare is how much of a frame pictures fill when it is theirs, and no table's.
const framedShare = 0.25

// frames tells whether the net is nothing but a frame around pictures.
func (net *lattice) frames(images []Image) bool {
	if len(positions(net.vertical, cellGap)) > 2 || len(positions(net.horizontal, cellGap)) > 2 {
		return false
	}
	area := 0.0
	for i := range images {
		area += max(0, overlapX(images[i].Box, net.box)) * max(0, overlapY(images[i].Box, net.box))
	}
	return area > framedShare*width(net.box)*height(net.box)
}

// struckThrough tells whether rules run through many words, as they do in charts and never in tables.
func (net *lattice) struckThrough(words []Word) bool {
	struck := 0
	for _, w := range words {
		y, inset := middle(w), 0.2*width(w.Box)
		for _, v := range net.vertical {
			if v.at > w.Box.X0+inset && v.at < w.Box.X1-inset && v.from < y && v.to > y {
				struck++
				break
			}
		}
	}
	return struck*8 > len(words)
}

// openSides gives the ends of the horizontal rules where no vertical rule closes them.
func (net *lattice) openSides() []float64 {
	if len(net.vertical) == 0 {
		return nil
	}
	return []float64{net.box.X0, net.box.X1}
}

func (net *lattice) openEnds() []float64 { return []float64{net.box.Y0, net.box.Y1} }

// plausible tells whether the cells make a table: enough of them have text, and there is more than a frame around text.
func (t *table) plausible() bool {
	filled, text := 0, 0
	for i := range t.cells {
		if n := len(t.cells[i].text()); n > 0 {
			filled++
			text += n
		}
	}
	switch {
	case filled < 2 || t.rows*t.columns < 2:
		return false
	case t.columns == 1:
		return t.rows >= 3 && filled >= 3
	case t.rows == 1:
		return filled >= 2 && text/filled < 200
	}
	if len(t.cells) == t.rows*t.columns {
		return filled*4 >= len(t.cells)
	}
	spanned := 0
	for i := range t.cells {
		if t.cells[i].rowSpan > 1 || t.cells[i].colSpan > 1 {
			spanned++
		}
	}
	if spanned*2 > len(t.cells) && filled*10 < len(t.cells)*8 {
		return false
	}
	return filled*2 >= len(t.cells)
}
