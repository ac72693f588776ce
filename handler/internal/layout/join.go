package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinParagraphs puts paragraphs together that go on in the next column or on the next page, past figures, tables and notes between.
func joinParagraphs(blocks []block, body bodyStyle) []block {
	markRegions(blocks, body)
	gone := make([]bool, len(blocks))
	for i := range blocks {
		if gone[i] {
			continue
		}
		for {
			next := nextText(blocks, gone, i, body)
			if next < 0 || !carriesOn(&blocks[i], &blocks[next]) {
				break
			}
			a, b := &blocks[i], &blocks[next]
			a.lines = append(a.lines[:len(a.lines):len(a.lines)], b.lines...)
			a.regionEnd, a.joined = b.regionEnd, true
			gone[next] = true
		}
	}
	kept := blocks[:0]
	for i := range blocks {
		if !gone[i] {
			kept = append(kept, blocks[i])
		}
	}
	return kept
}

// markRegions tells which text opens and ends its region: what floats, captions and notes do not count.
func markRegions(blocks []block, body bodyStyle) {
	last := map[int]int{}
	for i := range blocks {
		b := &blocks[i]
		b.regionStart, b.regionEnd = false, false
		if b.isFloat() || b.kind == kindCaption || b.kind == kindNote || b.isSmallPrint(body) {
			continue
		}
		if _, seen := last[b.region]; !seen {
			b.regionStart = true
		}
		last[b.region] = i
	}
	for _, i := range last {
		blocks[i].regionEnd = true
	}
}

// maxBetween is how many tables, figures and captions may stand between two parts of a paragraph; notes and furniture do not count.
const maxBetween = 8

// nextText finds the block that could carry on block i: the next paragraph, past what floats.
func nextText(blocks []block, gone []bool, i int, body bodyStyle) int {
	if blocks[i].kind != "" && blocks[i].kind != kindItem || blocks[i].isFloat() || !blocks[i].regionEnd {
		return -1
	}
	between := 0
	for k := i + 1; k < len(blocks) && between <= maxBetween; k++ {
		b := &blocks[k]
		if b.kind != kindNote && b.furniture == "" {
			between++
		}
		if gone[k] || b.isFloat() || b.kind == kindCaption || b.kind == kindNote || b.isSmallPrint(body) {
			continue
		}
		if b.kind == "" && b.regionStart {
			return k
		}
		return -1
	}
	return -1
}

// isSmallPrint tells whether a block is set smaller than the document's text, as notes below tables are.
func (b *block) isSmallPrint(body bodyStyle) bool { return b.lines[0].Size < 0.93*body.size }

func (b *block) isFloat() bool {
	return b.table != nil || b.figure != nil || b.rotated || b.furniture != "" || len(b.lines) == 0
}

// carriesOn tells whether b is the rest of a's last sentence.
func carriesOn(a, b *block) bool {
	last, first := a.lines[len(a.lines)-1], b.lines[0]
	if abs(last.Size-first.Size) > 0.06*max(last.Size, first.Size) {
		return false
	}
	if b.page-lastPage(a) > 1 {
		return false
	}
	end, begin := lineText(last), lineText(first)
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(end, "”\"’')]"))
	f, _ := utf8.DecodeRuneInString(begin)
	if strings.ContainsRune(".!?:。！？", r) {
		return false
	}
	switch {
	case unicode.IsLower(f), r == '-' && unicode.IsLetter(f), eastAsian(f) && eastAsian(r):
		return true
	case r == ',' || r == ';':
		return unicode.IsLetter(f) || unicode.IsDigit(f)
	}
	// A full last line without an end: the sentence goes on, also with a name or a number.
	full := len(a.lines) >= 2 && last.Box.X1 > a.box.X1-1.5*last.Size
	return full && wordCount(last) >= 5 && a.page == b.page && unicode.IsLetter(f) && unicode.IsLower(lastLetter(end)) && len(b.lines) >= 2
}

func lastLetter(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func lastPage(b *block) int { return b.lines[len(b.lines)-1].page }

// joinTables puts a table together with its continuation on the next page: as many columns at the same places,
// nothing but furniture and captions between, the header once.
func joinTables(blocks []block) []block {
	kept := blocks[:0]
	last := -1 // index in kept of a table that may go on
	for _, b := range blocks {
		if b.furniture != "" {
			kept = append(kept, b)
			continue
		}
		if b.table != nil && last >= 0 && kept[last].page2()+1 == b.page && sameTable(kept[last].table, b.table) {
			kept[last].table.extend(b.table, b.page)
			kept[last].endPage = b.page
			continue
		}
		if b.table != nil {
			last = len(kept)
			b.endPage = b.page
		} else if !continuedMark(&b) {
			last = -1
		}
		kept = append(kept, b)
	}
	return kept
}

// page2 is the page a table ends on.
func (b *block) page2() int { return max(b.page, b.endPage) }

// continuedMark tells whether a block is no more than "(continued)" or "Table 3 (cont.)".
func continuedMark(b *block) bool {
	text := strings.ToLower(b.text())
	return len(text) < 80 && strings.Contains(text, "cont") && (strings.Contains(text, "table") || strings.HasPrefix(text, "(cont") || strings.HasPrefix(text, "cont"))
}

func sameTable(a, b *table) bool {
	if a.columns != b.columns || a.columns < 2 {
		return false
	}
	if abs(a.box.X0-b.box.X0) > 6 || abs(a.box.X1-b.box.X1) > 6 {
		return false
	}
	// A new header of other words is a new table.
	return b.header == 0 || a.sameHeader(b) || b.header > 0 && !b.boldHeader()
}

func (t *table) boldHeader() bool { return t.rows > 0 && t.rowIsBold(0) }

// sameHeader tells whether the header rows of two tables read alike.
func (t *table) sameHeader(o *table) bool {
	n := min(t.header, o.header)
	if n == 0 {
		return false
	}
	return t.headText(n) == o.headText(n)
}

func (t *table) headText(rows int) string {
	var b strings.Builder
	for i := range t.cells {
		if c := &t.cells[i]; c.row < rows {
			b.WriteString(letters(c.text()))
			b.WriteByte('|')
		}
	}
	return b.String()
}

// extend appends the rows of a continuation, without its repeated header.
func (t *table) extend(o *table, page int) {
	skip := 0
	if t.sameHeader(o) {
		skip = min(t.header, o.header)
	}
	for _, c := range o.cells {
		if c.row < skip {
			continue
		}
		c.row += t.rows - skip
		t.cells = append(t.cells, c)
	}
	t.rows += o.rows - skip
	t.more = append(t.more, placed{page: page, box: o.box})
}
