package layout

import "decant/handler/internal/doc"

// frame turns text that does not run from left to right so that it does, and its boxes back afterwards.
// angle is the writing direction in degrees clockwise; 90 is also how upright East Asian columns are read:
// down, and column after column to the left.
type frame struct {
	angle         int
	width, height float64 // of the page as seen
}

func (f frame) point(x, y float64) (float64, float64) {
	switch f.angle {
	case 90:
		return y, f.width - x
	case 180:
		return f.width - x, f.height - y
	case 270:
		return f.height - y, x
	}
	return x, y
}

func (f frame) back(x, y float64) (float64, float64) {
	switch f.angle {
	case 90:
		return f.width - y, x
	case 180:
		return f.width - x, f.height - y
	case 270:
		return y, f.height - x
	}
	return x, y
}

func turnBox(b doc.Box, turn func(x, y float64) (float64, float64)) doc.Box {
	x0, y0 := turn(b.X0, b.Y0)
	x1, y1 := turn(b.X1, b.Y1)
	return doc.Box{X0: min(x0, x1), Y0: min(y0, y1), X1: max(x0, x1), Y1: max(y0, y1)}
}

// turned gives the page as seen in the frame, with the glyphs of the frame's direction only.
func (f frame) turned(p *Page, glyphs []int) *Page {
	t := &Page{Number: p.Number, Width: p.Width, Height: p.Height, Styles: p.Styles}
	if f.angle%180 != 0 {
		t.Width, t.Height = p.Height, p.Width
	}
	for _, i := range glyphs {
		g := p.Glyphs[i]
		g.Box = turnBox(g.Box, f.point)
		g.X, g.Y = f.point(g.X, g.Y)
		t.Glyphs = append(t.Glyphs, g)
	}
	for _, s := range p.Strokes {
		b := turnBox(doc.Box{X0: s.X0, Y0: s.Y0, X1: s.X1, Y1: s.Y1}, f.point)
		t.Strokes = append(t.Strokes, Stroke{X0: b.X0, Y0: b.Y0, X1: b.X1, Y1: b.Y1, Width: s.Width})
	}
	for _, fill := range p.Fills {
		t.Fills = append(t.Fills, Fill{Box: turnBox(fill.Box, f.point), Gray: fill.Gray})
	}
	for _, l := range p.Links {
		t.Links = append(t.Links, Link{Box: turnBox(l.Box, f.point), Target: l.Target})
	}
	for _, image := range p.Images {
		image.Box = turnBox(image.Box, f.point)
		t.Images = append(t.Images, image)
	}
	return t
}

// restore puts the boxes of blocks back on the page.
func (f frame) restore(blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		b.box = turnBox(b.box, f.back)
		f.restoreLines(b.lines)
		if b.figure != nil {
			b.figure.box = turnBox(b.figure.box, f.back)
			f.restoreLines(b.figure.lines)
		}
		if b.table != nil {
			b.table.box = turnBox(b.table.box, f.back)
			for c := range b.table.cells {
				f.restoreLines(b.table.cells[c].lines)
			}
		}
	}
}

func (f frame) restoreLines(lines []Line) {
	for i := range lines {
		lines[i].Box = turnBox(lines[i].Box, f.back)
	}
}

// upright tells whether glyphs follow each other downwards, as East Asian text in upright columns does.
func upright(p *Page, glyphs []int) bool {
	down, along := 0, 0
	for k := 1; k < len(glyphs); k++ {
		a, b := &p.Glyphs[glyphs[k-1]], &p.Glyphs[glyphs[k]]
		if !eastAsian(a.Rune) || !eastAsian(b.Rune) {
			continue
		}
		size := max(1, p.Styles[b.Style].Size)
		dx, dy := abs((b.Box.X0+b.Box.X1)-(a.Box.X0+a.Box.X1))/2, b.Y-a.Y
		switch {
		case dx < 0.3*size && dy > 0.5*size && dy < 2*size:
			down++
		case abs(dy) < 0.3*size:
			along++
		}
	}
	return down >= 4 && down > 2*along
}

// eastAsian tells whether a rune is an ideograph, kana or hangul.
func eastAsian(r rune) bool {
	return r >= 0x3000 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}
