package token

import (
	"math"
	"unicode/utf8"
)

// bpe counts as tiktoken does: the text is cut into pieces, and each piece is merged pair by pair, lowest rank first.
type bpe struct {
	name    string
	table   table
	cut     splitter
	classes *classes
	kept    map[string]int32 // counts of pieces that are not tokens themselves
	merge   merger
}

// maxKept bounds the counts that are kept; maxKeptLength the pieces they are kept for.
const (
	maxKept       = 1 << 15
	maxKeptLength = 64
)

func newBPE(name, data string, cut splitter) *bpe {
	return &bpe{name: name, table: newTable(data), cut: cut, classes: newClasses(), kept: map[string]int32{}}
}

func (b *bpe) Name() string { return b.name }

func (b *bpe) Count(text string) int {
	n := 0
	for len(text) > 0 {
		size := b.cut(b.classes, text)
		n += b.piece(text[:size])
		text = text[size:]
	}
	return n
}

func (b *bpe) piece(p string) int {
	if len(p) == 1 {
		return 1
	}
	if _, ok := b.table.rank(p); ok {
		return 1
	}
	if len(p) > maxKeptLength {
		return b.merge.count(p, b.rank)
	}
	if n, ok := b.kept[p]; ok {
		return int(n)
	}
	n := b.merge.count(p, b.rank)
	if len(b.kept) >= maxKept {
		clear(b.kept)
	}
	b.kept[p] = int32(n)
	return n
}

func (b *bpe) rank(p string) uint32 {
	if rank, ok := b.table.rank(p); ok {
		return rank
	}
	return noRank
}

// Additive holds where no piece can go over the place, whatever else stands in the text: at the borders of numbers, before
// blanks, between a letter and punctuation, and at the start of a line.
func (b *bpe) Additive(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := decode(text[at:])
	kb, ka := b.classes.of(before), b.classes.of(after)
	switch {
	case kb&number != 0:
		return ka&number == 0
	case kb&newline != 0:
		return b.startsLine(text[at:])
	case kb&space != 0:
		return false
	case ka&number != 0:
		return true
	case ka&space != 0:
		return ka&newline == 0 || kb&letter != 0
	case kb&letter != 0:
		return ka&(letter|mark) == 0 && after != '\''
	}
	return false
}

// startsLine tells whether a line can be counted apart from the line ending before it: a line ending, and in o200k_base a slash,
// would belong to the piece of that, and so would blanks with a line ending behind them.
func (b *bpe) startsLine(text string) bool {
	if text[0] == '/' {
		return false
	}
	for _, r := range text {
		k := b.classes.of(r)
		if k&newline != 0 {
			return false
		}
		if k&space == 0 {
			return true
		}
	}
	return false // the blanks would be one piece with what follows the text
}

const noRank = math.MaxUint32
