package layout

import "decant/handler/internal/doc"

// block is lines that belong together on one page.
type block struct {
	page  int
	lines []Line
	box   doc.Box
	table *table // in place of lines
	kind  blockKind
	level int  // of a heading
	cell  bool // the content of a table's cell
	sure  bool // the outline or the tags say so
}

// blockKind is what a block turned out to be; "" is a paragraph.
type blockKind string

const kindHeading blockKind = "heading"

// text is the block's words, for looking at; lines divided by a hyphen are not joined.
func (b *block) text() string {
	c := tableCell{lines: b.lines}
	return c.text()
}

// paragraphs cuts a region's lines where a new paragraph begins.
func paragraphs(page int, lines []Line) []block {
	var blocks []block
	region := doc.Box{}
	for _, l := range lines {
		region = union(region, l.Box)
	}
	for i, l := range lines {
		if l.table != nil {
			blocks = append(blocks, block{page: page, box: l.Box, table: l.table})
			continue
		}
		if i == 0 || lines[i-1].table != nil || begins(lines, i, region) {
			blocks = append(blocks, block{page: page})
		}
		b := &blocks[len(blocks)-1]
		b.lines = append(b.lines, l)
		b.box = union(b.box, l.Box)
	}
	return blocks
}

// begins tells whether line i opens a paragraph.
func begins(lines []Line, i int, region doc.Box) bool {
	before, l := lines[i-1], lines[i]
	size := max(before.Size, l.Size)
	if abs(before.Size-l.Size) > 0.12*size {
		return true
	}
	if allBold(before) != allBold(l) && (allBold(before) && noBold(l) || noBold(before) && allBold(l)) {
		return true
	}
	if allBold(l) && allBold(before) && numberedHeading.MatchString(lineText(l)) && before.Box.X1 < region.X1-2*size {
		return true
	}
	pitch := l.Base - before.Base
	if pitch > usualPitch(lines, i)*1.3 {
		return true
	}
	// A short line before, and an indent: a new paragraph without space.
	indent := l.Box.X0 - region.X0
	if indent > 0.8*size && indent < 4*size && before.Box.X0-region.X0 < 0.3*size {
		return true
	}
	return false
}

// usualPitch is the smaller of the distances to the neighbours of lines i-1 and i: the leading of the paragraph around.
func usualPitch(lines []Line, i int) float64 {
	best := 1.45 * max(lines[i].Size, lines[i-1].Size)
	if i >= 2 && lines[i-2].table == nil && lines[i-1].Base-lines[i-2].Base > 0.5*lines[i].Size {
		best = min(best, max(lines[i-1].Base-lines[i-2].Base, 1.0*lines[i].Size))
	}
	if i+1 < len(lines) && lines[i+1].table == nil && lines[i+1].Base-lines[i].Base > 0.5*lines[i].Size {
		best = min(best, max(lines[i+1].Base-lines[i].Base, 1.0*lines[i].Size))
	}
	return best
}

func allBold(l Line) bool {
	for _, w := range l.Words {
		if !w.Style.Bold {
			return false
		}
	}
	return true
}

func noBold(l Line) bool {
	for _, w := range l.Words {
		if w.Style.Bold {
			return false
		}
	}
	return true
}
