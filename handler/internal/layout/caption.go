package layout

import "strings"

// markCaptions finds captions and ties each to the table or figure beside it.
func markCaptions(blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		if b.kind != "" || b.isFloat() || len(b.lines) > 8 || !captionStart.MatchString(b.text()) {
			continue
		}
		if !captionFace(b) {
			continue
		}
		b.kind = kindCaption
		if k := captioned(blocks, i); k >= 0 {
			blocks[k].caption = append(blocks[k].caption, b.lines...)
			b.kind, b.tied = kindCaption, true
		}
	}
}

// opensCaption tells whether a line opens a caption and no sentence: its number ends the phrase.
func opensCaption(l Line) bool {
	text := lineText(l)
	at := captionStart.FindStringIndex(text)
	return at != nil && at[1] < len(text) && strings.ContainsRune(".:|", rune(text[at[1]]))
}

// captionFace tells a caption from a sentence that begins with "Table 3 shows": the number ends the phrase, or the block is short.
func captionFace(b *block) bool {
	text := b.text()
	end := captionStart.FindStringIndex(text)[1]
	if end >= len(text) {
		return true
	}
	switch text[end] {
	case '.', ':', '-', '|', ')':
		return true
	}
	f := faceOf(b)
	return f.bold || f.italic || f.words <= 12 && lastLetter(text) != '.'
}

// captioned finds the table or figure that a caption stands beside: the nearer of those right above and below.
func captioned(blocks []block, i int) int {
	c := &blocks[i]
	best, distance := -1, 4*c.lines[0].Size
	for k := max(0, i-4); k < len(blocks) && k <= i+4; k++ {
		b := &blocks[k]
		if b.table == nil && b.figure == nil || b.page != c.page || len(b.caption) > 0 || overlapX(b.box, c.box) <= 0 {
			continue
		}
		gap := max(b.box.Y0-c.box.Y1, c.box.Y0-b.box.Y1)
		if gap < distance {
			best, distance = k, gap
		}
	}
	return best
}
