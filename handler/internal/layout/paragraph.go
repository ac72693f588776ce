package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// block is lines that belong together, or a table or figure.
type block struct {
	page  int
	lines []Line
	box   doc.Box // on the page it begins on
	table *table  // in place of lines
	// figure is a picture or drawing in place of lines
	figure *figure

	kind      blockKind
	level     int    // of a heading
	label     string // of an item, note or formula, as printed
	note      string // of a note: doc.Note.ID
	caption   []Line // of a table or figure
	furniture string // role, when it is furniture
	endPage   int    // of a table that goes on
	region    int    // number of the region it stands in

	opener      Word // of an item: the label's word
	cell        bool // the content of a table's cell
	sure        bool // the outline or the tags say so
	tied        bool // a caption that a table or figure has taken
	rotated     bool // text that does not run from left to right, beside text that does
	joined      bool // put together from several regions
	regionStart bool
	regionEnd   bool
}

// blockKind is what a block turned out to be; "" is a paragraph.
type blockKind string

const (
	kindHeading blockKind = "heading"
	kindItem    blockKind = "item"
	kindCaption blockKind = "caption"
	kindNote    blockKind = "note"
	kindEntry   blockKind = "entry" // of a table of contents
	kindCode    blockKind = "code"
	kindQuote   blockKind = "quote"
	kindFormula blockKind = "formula"
)

// figure is a picture, or a drawing with its text.
type figure struct {
	box   doc.Box
	image string
	alt   string
	lines []Line
}

// text is the block's words, for looking at; lines divided by a hyphen are not joined.
func (b *block) text() string {
	c := tableCell{lines: b.lines}
	return c.text()
}

// paragraphs cuts a region's lines where a new paragraph begins.
func paragraphs(page, number int, lines []Line) []block {
	var blocks []block
	partBullets(lines)
	region := doc.Box{}
	for _, l := range lines {
		region = union(region, l.Box)
	}
	fresh := true
	for i, l := range lines {
		l.page = page
		l.Words = append(make([]Word, 0, len(l.Words)), l.Words...) // no spare room: there are many lines
		if len(l.Words) == 0 {
			l.Words = nil
		}
		if l.table != nil || l.figure != nil {
			l.table.setPage(page)
			blocks = append(blocks, block{page: page, region: number, box: l.Box, table: l.table, figure: l.figure})
			fresh = true
			continue
		}
		item, entry := opensItem(lines, i), hasLeader(lineText(l))
		if fresh || item || entry || begins(lines, i, region, blocks[len(blocks)-1].kind) {
			blocks = append(blocks, block{page: page, region: number})
			last := &blocks[len(blocks)-1]
			switch {
			case item:
				last.kind = kindItem
				last.label = l.Words[0].Text
			case entry:
				last.kind = kindEntry
			}
		}
		fresh = false
		b := &blocks[len(blocks)-1]
		b.lines = append(b.lines, l)
		b.box = union(b.box, l.Box)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.kind == kindItem {
			b.opener = b.lines[0].Words[0]
			b.lines[0].Words = b.lines[0].Words[1:]
		}
	}
	return blocks
}

// begins tells whether line i opens a paragraph below line i-1, which is in a block of the given kind.
func begins(lines []Line, i int, region doc.Box, kind blockKind) bool {
	before, l := lines[i-1], lines[i]
	size := max(before.Size, l.Size)
	if abs(before.Size-l.Size) > 0.12*size || kind == kindEntry {
		return true
	}
	if isMono(before) != isMono(l) {
		return true
	}
	if allBold(before) && noBold(l) || noBold(before) && allBold(l) {
		return true
	}
	if allItalic(before) && noItalic(l) && before.Box.X1 < region.X1-3*size {
		return true
	}
	if allItalic(l) && noItalic(before) && endsSentence(before) && before.Box.X1 < region.X1-3*size {
		return true
	}
	if allBold(l) && allBold(before) && numberedHeading.MatchString(lineText(l)) && before.Box.X1 < region.X1-2*size {
		return true
	}
	if opensNote(l) || opensCaption(l) && endsSentence(before) {
		return true
	}
	pitch := l.Base - before.Base
	if pitch > usualPitch(lines, i)*1.3 || pitch < 0.2*size {
		return true
	}
	if isRightToLeft(l) {
		return false
	}
	if kind == kindItem {
		// An item goes on with a hanging indent; text back at the margin after a short line is new.
		return l.Box.X0 < before.Box.X0-1.2*size && endsSentence(before) && before.Box.X1 < region.X1-3*size
	}
	if hangsUnderTitle(before, l) {
		return false
	}
	near := around(lines, i)
	if stopsShort(before, l, near) {
		return true
	}
	// A short line before, and an indent: a new paragraph without space. The margin is that of the lines around: notes and
	// numbers of the page may stand further left.
	region.X0 = near.X0
	indent := l.Box.X0 - region.X0
	centred := abs((l.Box.X0+l.Box.X1)-(before.Box.X0+before.Box.X1)) < size
	if indent > 0.8*size && indent < 4*size && before.Box.X0-region.X0 < 0.3*size && !centred {
		return true
	}
	// Back from an indent that was a whole paragraph's (a quotation), after a short line that ends a sentence.
	return before.Box.X0-l.Box.X0 > 1.5*size && i >= 2 && abs(lines[i-2].Box.X0-before.Box.X0) < 0.3*size && before.Box.X1 < region.X1-3*size && endsSentence(before)
}

// around is the box of the lines about line i, as far as they follow each other without a wide space, up to four on each side.
func around(lines []Line, i int) doc.Box {
	box := lines[i].Box
	for _, step := range []int{-1, 1} {
		for k := i; k != i+4*step; k += step {
			next := k + step
			if next < 0 || next >= len(lines) || lines[next].Words == nil || abs(lines[next].Base-lines[k].Base) > 2.2*lines[i].Size {
				break
			}
			if abs(lines[next].Size-lines[i].Size) <= 0.12*lines[i].Size {
				box = union(box, lines[next].Box)
			}
		}
	}
	return box
}

// hangsUnderTitle tells whether a line goes on under the title of a numbered line, past its number.
func hangsUnderTitle(before, l Line) bool {
	return len(before.Words) >= 2 && hangingNumber.MatchString(before.Words[0].Text) && !before.Words[1].Glued &&
		before.Words[1].Box.X0-before.Words[0].Box.X1 > 0.4*before.Size && abs(l.Box.X0-before.Words[1].Box.X0) < 0.3*l.Size
}

// hangingNumber is a heading's number as a word of its own.
var hangingNumber = lazyregexp.New(`^(?:\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z]|[IVX]{1,5})[.)]?$`)

// stopsShort tells whether the line before ends a sentence where the first word of l, which opens one at the same margin, would have had room.
func stopsShort(before, l Line, near doc.Box) bool {
	if len(l.Words) == 0 || abs(l.Box.X0-before.Box.X0) > 0.3*l.Size || opensCaption(before) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(lineText(before))
	first, _ := utf8.DecodeRuneInString(l.Words[0].Text)
	room := near.X1 - before.Box.X1 - width(l.Words[0].Box)
	return strings.ContainsRune(".!?", r) && (unicode.IsUpper(first) || first == '(') && room > 2*l.Size
}

func endsSentence(l Line) bool {
	r, _ := utf8.DecodeLastRuneInString(lineText(l))
	return !unicode.IsLetter(r) && r != ',' && r != '-' && !unicode.IsDigit(r)
}

// usualPitch is the smaller of the distances to the neighbours of lines i-1 and i: the leading of the paragraph around.
func usualPitch(lines []Line, i int) float64 {
	best := 1.45 * max(lines[i].Size, lines[i-1].Size)
	if i >= 2 && lines[i-2].Words != nil && lines[i-1].Base-lines[i-2].Base > 0.5*lines[i].Size {
		best = min(best, max(lines[i-1].Base-lines[i-2].Base, 1.0*lines[i].Size))
	}
	if i+1 < len(lines) && lines[i+1].Words != nil && lines[i+1].Base-lines[i].Base > 0.5*lines[i].Size {
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

func allItalic(l Line) bool {
	for _, w := range l.Words {
		if !w.Style.Italic {
			return false
		}
	}
	return true
}

func noItalic(l Line) bool {
	for _, w := range l.Words {
		if w.Style.Italic {
			return false
		}
	}
	return true
}
