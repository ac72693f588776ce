package htmldoc

import (
	"strings"

	"decant/handler/internal/doc"
)

// tracker finds the source line of each text while the page is walked in order. The parser of x/net/html does not say where
// a node stood, so the longest plain word of a text is looked for from the place of the text before.
type tracker struct {
	source string
	offset int
	line   int
}

func newTracker(source string, before int) *tracker {
	return &tracker{source: source, line: before + 1}
}

// Bounds of the search, in bytes: a word is never far from the one before, except behind scripts and pictures in the page.
const (
	trackWindow = 256 << 10
	trackWord   = 40
)

// at gives the line of text, or the last known line when it cannot be found; 0 when nobody wants lines.
func (t *tracker) at(text string) int {
	if t == nil {
		return 0
	}
	word := plainWord(text)
	if word == "" {
		return 0
	}
	rest := t.source[t.offset:min(len(t.source), t.offset+trackWindow)]
	if i := strings.Index(rest, word); i >= 0 {
		t.line += strings.Count(rest[:i], "\n")
		t.offset += i + len(word)
	}
	return t.line
}

// plainWord is the first long run of ASCII letters and digits in the beginning of text: no entity can hide it.
func plainWord(text string) string {
	text = text[:min(len(text), 400)]
	best, start := "", -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isPlain(text[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start > len(best) {
			best = text[start:min(i, start+trackWord)]
			if len(best) >= 8 {
				return best
			}
		}
		start = -1
	}
	return best
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// placed gives every block its place: containers span what they contain, and Options.Place is set on all.
func (b *builder) placed(blocks []doc.Block) []doc.Block {
	for i := range blocks {
		b.span(&blocks[i])
	}
	return blocks
}

func (b *builder) span(block *doc.Block) (first, last int) {
	join := func(from, to int) {
		if from > 0 && (first == 0 || from < first) {
			first = from
		}
		last = max(last, to)
	}
	if len(block.Places) > 0 {
		join(block.Places[0].Line, block.Places[0].EndLine)
	}
	for i := range block.Children {
		join(b.span(&block.Children[i]))
	}
	if block.Table != nil {
		for c := range block.Table.Cells {
			for i := range block.Table.Cells[c].Blocks {
				join(b.span(&block.Table.Cells[c].Blocks[i]))
			}
		}
	}
	place := b.o.Place
	place.Line, place.EndLine = first, last
	if place != (doc.Place{}) {
		block.Places = []doc.Place{place}
	}
	return first, last
}
