package layout

import (
	"slices"

	"decant/handler/internal/doc"
)

// Bounds of what stands between a document's title and its text.
const (
	maxByline      = 24 // blocks
	maxBylineWords = 40 // of one block: more is running text
)

// splitByline keeps the lines below the title apart that were set apart: authors, their institutes and addresses are no running text.
func splitByline(blocks []block) []block {
	title := slices.IndexFunc(blocks, func(b block) bool { return b.kind == kindHeading && b.furniture == "" })
	if title < 0 || blocks[title].page != blocks[0].page {
		return blocks
	}
	out := slices.Clone(blocks[:title+1])
	i := title + 1
	for ; i < len(blocks) && i <= title+maxByline; i++ {
		b := blocks[i]
		if b.page != blocks[title].page || b.kind == kindHeading || wordsOf(&b) > maxBylineWords {
			break
		}
		if b.kind != "" || b.isFloat() || len(b.lines) < 2 || !endsEarly(blocks, i) {
			out = append(out, b)
			continue
		}
		for _, l := range b.lines {
			part := b
			part.lines, part.box = []Line{l}, l.Box
			out = append(out, part)
		}
	}
	return append(out, blocks[i:]...)
}

func wordsOf(b *block) int {
	n := 0
	for _, l := range b.lines {
		n += wordCount(l)
	}
	return n
}

// measures are the widths that lines of block i could have had: that of its region's running text, and of the page's.
func measures(blocks []block, i int) (region, page span) {
	for k := range blocks {
		b := &blocks[k]
		if k == i || b.page != blocks[i].page || b.isFloat() || len(b.lines) < 2 {
			continue
		}
		page = widen(page, b)
		if b.region == blocks[i].region && wordsOf(b) > maxBylineWords/2 {
			region = widen(region, b)
		}
	}
	return region, page
}

func widen(s span, b *block) span {
	if s == (span{}) {
		return span{b.box.X0, b.box.X1}
	}
	return span{min(s.from, b.box.X0), max(s.to, b.box.X1)}
}

// endsEarly tells whether each line of block i ends long before it must: the next word would have had room.
func endsEarly(blocks []block, i int) bool {
	region, page := measures(blocks, i)
	b := &blocks[i]
	for k := 1; k < len(b.lines); k++ {
		before, l := &b.lines[k-1], &b.lines[k]
		column, room := region, region.to-before.Box.X1
		least := max(width(l.Words[0].Box)+1.5*l.Size, 0.25*width(doc.Box{X0: region.from, X1: region.to}))
		if isCentred(before, l) {
			if column == (span{}) {
				column = page
			}
			room, least = column.to-column.from-width(before.Box), width(l.Words[0].Box)+1.5*l.Size
		}
		if column == (span{}) || room < least {
			return false
		}
	}
	return true
}

// isCentred tells whether two lines stand in the middle above each other, and begin at different places.
func isCentred(a, b *Line) bool {
	return abs((a.Box.X0+a.Box.X1)-(b.Box.X0+b.Box.X1)) < 1.2*b.Size && abs(a.Box.X0-b.Box.X0) > 0.5*b.Size
}
