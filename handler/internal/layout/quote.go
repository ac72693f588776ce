package layout

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// quoteInset is how far a quotation is set in from either side of its column, in ems.
const quoteInset = 1.2

// noQuote is what opens other text that is set in from both sides.
var noQuote = lazyregexp.New(`^(?i:abstract|summary|zusammenfassung|résumé|resumen|key\s?words|index terms|categories|contents)\b`)

// markQuotes finds block quotations: paragraphs set in from both sides of a column of wider ones.
func markQuotes(blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		if b.kind != "" || b.isFloat() || len(b.lines) < 2 || noQuote.MatchString(b.text()) || i > 0 && noQuote.MatchString(blocks[i-1].text()) {
			continue
		}
		if f := faceOf(b); f.bold || !endsSentence(b.lines[len(b.lines)-1]) {
			continue
		}
		if column, ok := columnAround(blocks, i); ok && setIn(b, column) {
			b.kind = kindQuote
		}
	}
}

// columnAround is the width of the paragraphs right above or below block i, in its region.
func columnAround(blocks []block, i int) (span, bool) {
	b := &blocks[i]
	var column span
	found := false
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(blocks) && blocks[k].page == b.page && blocks[k].region == b.region; k += step {
			o := &blocks[k]
			if o.isFloat() || o.kind == kindQuote || o.kind == kindFormula {
				continue
			}
			if o.kind == "" && (len(o.lines) >= 2 || width(o.box) > width(b.box)) {
				if !found {
					column = span{o.box.X0, o.box.X1}
				}
				column = span{min(column.from, o.box.X0), max(column.to, o.box.X1)}
				found = true
			}
			break
		}
	}
	return column, found
}

// setIn tells whether the lines of a block have a left and a right edge of their own within the column:
// each line ended though the next word would have had room.
func setIn(b *block, column span) bool {
	size := b.lines[0].Size
	if b.box.X0-column.from < quoteInset*size || column.to-b.box.X1 < quoteInset*size {
		return false
	}
	if b.box.X0-column.from > 0.3*(column.to-column.from) {
		return false
	}
	for i := 1; i < len(b.lines); i++ {
		before, l := &b.lines[i-1], &b.lines[i]
		if i > 1 && abs(l.Box.X0-b.lines[1].Box.X0) > 0.5*size || i == 1 && (l.Box.X0-before.Box.X0 > 0.5*size || before.Box.X0-l.Box.X0 > 3*size) {
			return false
		}
		if before.Box.X1+0.25*size+width(l.Words[0].Box) > column.to {
			return false
		}
		if before.Box.X1 < b.box.X1-0.35*width(b.box) {
			return false // short lines are verse or an address
		}
	}
	return true
}

// quote makes one quotation of blocks that follow each other.
func (r *Result) quote(blocks []block) doc.Block {
	q := doc.Block{Kind: doc.Quote}
	for i := range blocks {
		q.Children = append(q.Children, r.paragraph(&blocks[i]))
	}
	return q
}
