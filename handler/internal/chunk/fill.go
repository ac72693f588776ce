package chunk

import (
	"sort"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// cutText finds where to cut a text that does not fit: the end of the longest beginning that fits, at the highest border there is:
// a sentence, a blank, a word (Unicode's rules), a grapheme cluster, at last a character. fits must be true for short beginnings.
// guess is about where the text stops to fit. The result is after least, which is from or the end of a list item's marker, and before to; the level is noBorder when not even one character fits.
func cutText(text string, from, to int, isCode bool, least, guess int, fits func(end int) bool) (cut int, found level) {
	limit := longest(text, from, to, guess, fits)
	if limit <= from {
		return 0, noBorder
	}
	if limit <= least {
		least = from
	}
	for l, border := range borders(isCode) {
		if cut := border(text, from, to, limit, fits); cut > least {
			if cut = trimEnd(text, from, cut); cut > least && fits(cut) {
				return cut, level(l)
			}
		}
	}
	return 0, noBorder
}

// level is how good a border is: the lower, the better.
type level int

const (
	sentenceBorder level = iota // of code: a line
	blankBorder
	wordBorder
	graphemeBorder
	runeBorder
	noBorder
)

type border func(text string, from, to, limit int, fits func(int) bool) int

func borders(isCode bool) []border {
	if isCode {
		return []border{lastLine, lastBlank, lastWord, lastGrapheme, lastRune}
	}
	return []border{lastSentence, lastBlank, lastWord, lastGrapheme, lastRune}
}

// longest is the end of the longest beginning that fits. It starts at a guess, goes on in growing steps to where it does not fit
// or fits again, and halves what is between.
func longest(text string, from, to, guess int, fits func(int) bool) int {
	good, bad := from, to+1
	at := runeStart(text, max(from, min(to, guess)))
	for width := max(16, (at-from)/8); ; width *= 2 {
		if at <= good {
			break
		}
		if fits(at) {
			good = at
			if good >= to {
				return to
			}
			at = runeStart(text, min(to, at+width))
			if at <= good {
				at = to
			}
			if at >= bad {
				break
			}
			continue
		}
		bad = at
		at = runeStart(text, max(from, at-width))
	}
	return between(text, good, min(bad, to), fits)
}

// nearEnough is how many bytes of room are not worth looking for.
const nearEnough = 6

func between(text string, good, bad int, fits func(int) bool) int {
	for first := good; bad-good > 1 && (good == first || bad-good > nearEnough); {
		middle := runeStart(text, good+(bad-good)/2)
		if middle <= good {
			middle = good + 1
			for middle < bad && !utf8.RuneStart(text[middle]) {
				middle++
			}
			if middle >= bad {
				break
			}
		}
		if fits(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}

// runeStart is the last start of a character at or before at.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// trimEnd leaves blanks at the end out.
func trimEnd(text string, from, end int) int {
	for end > from {
		r, size := utf8.DecodeLastRuneInString(text[from:end])
		if !isBlank(r) {
			break
		}
		end -= size
	}
	return end
}

// skipBlanks leaves blanks at the start out.
func skipBlanks(text string, from, end int) int {
	for from < end {
		r, size := utf8.DecodeRuneInString(text[from:end])
		if !isBlank(r) {
			break
		}
		from += size
	}
	return from
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\u3000' }

// lastSentence is the last sentence border up to limit, unless the sentence behind it is longer than a chunk
// and the border wastes most of the space.
func lastSentence(text string, from, to, limit int, _ func(int) bool) int {
	end := min(to, runeStart(text, min(len(text), limit+afterSentence)))
	for back := 8 * afterSentence; ; back *= 4 { // what stands last is looked at first
		start := from
		if limit-from > back {
			for start = limit - back; start < limit && text[start] != ' ' && text[start] != '\n'; start++ {
			}
		}
		ends := sentenceEnds(text[start:end])
		if i := sort.SearchInts(ends, limit-start+1); i > 0 {
			if best := start + ends[i-1]; (best-from)*4 >= limit-from {
				return best
			}
		}
		if start == from {
			return 0
		}
	}
}

// afterSentence is how many bytes behind the limit are enough to know that the sentence there goes on.
const afterSentence = 64

func lastLine(text string, from, _, limit int, _ func(int) bool) int {
	if limit < len(text) && text[limit] == '\n' {
		return limit
	}
	for i := limit - 1; i > from; i-- {
		if text[i] == '\n' {
			return i
		}
	}
	return 0
}

// lastBlank is the last blank up to limit that is not between a number and its unit.
func lastBlank(text string, from, _, limit int, _ func(int) bool) int {
	if limit < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[limit:]); isBlank(r) {
			return limit
		}
	}
	for i := limit; i > from; {
		r, size := utf8.DecodeLastRuneInString(text[from:i])
		i -= size
		if isBlank(r) && i > from && !beforeUnit(text, i+size) {
			return i
		}
	}
	return 0
}

// beforeUnit tells whether a "%" or the like stands at a place.
func beforeUnit(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	switch r, _ := utf8.DecodeRuneInString(text[at:]); r {
	case '%', '‰', '°', '€', '£', '¥':
		return true
	}
	return false
}

// lookBack is how many bytes before the limit words and graphemes are looked for; longer ones are cut.
const lookBack = 2048

// lastWord is the last border between words by UAX #29 that is one between grapheme clusters as well: numbers such as 5,120 stay whole.
func lastWord(text string, from, to, limit int, fits func(int) bool) int {
	for range 8 {
		word := lastBorder(text, from, to, limit, func(s string, state int) (string, string, int) { return uniseg.FirstWordInString(s, state) })
		if word <= from {
			return 0
		}
		if limit = lastGrapheme(text, from, to, word, fits); limit == word {
			return word
		}
		if limit <= from {
			return 0
		}
	}
	return 0
}

// lastGrapheme is the last border between grapheme clusters.
func lastGrapheme(text string, from, to, limit int, _ func(int) bool) int {
	return lastBorder(text, from, to, limit, func(s string, state int) (string, string, int) {
		cluster, rest, _, state := uniseg.FirstGraphemeClusterInString(s, state)
		return cluster, rest, state
	})
}

func lastBorder(text string, from, to, limit int, first func(string, int) (string, string, int)) int {
	start := from
	if limit-from > lookBack { // begin at a blank if there is one, for borders depend on what stands before
		start = runeStart(text, limit-lookBack)
		for i := start; i < limit-lookBack/2; i++ {
			if text[i] == ' ' || text[i] == '\n' {
				start = i
				break
			}
		}
	}
	rest := text[start:min(to, runeStart(text, limit+256))]
	at, best, state := start, 0, -1
	for rest != "" {
		var part string
		part, rest, state = first(rest, state)
		at += len(part)
		if at > limit {
			break
		}
		if rest != "" || at == to {
			best = at
		}
	}
	return best
}

func lastRune(text string, from, _, limit int, _ func(int) bool) int { return runeStart(text, limit) }
