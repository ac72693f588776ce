package layout

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// logical gives the words of a row, which stand as seen from left to right, in the order in which they are read.
// The text of each word is in reading order already.
// The words given stay as they are.
func logical(words []Word) []Word {
	right, left := 0, 0
	for i := range words {
		r, l := directions(words[i].Text)
		right, left = right+r, left+l
	}
	if right == 0 || words[0].leftward {
		return words
	}
	words = slices.Clone(words)
	if right >= left {
		reverseWords(words)
		foreign := func(w *Word) bool { r, l := directions(w.Text); return l > 0 || r == 0 && hasDigit(w.Text) }
		reverseRuns(words, foreign)
		turnBrackets(words, foreign)
	} else {
		reverseRuns(words, func(w *Word) bool { r, _ := directions(w.Text); return r > 0 })
	}
	return words
}

// isRightToLeft tells whether most letters of a line are read from right to left.
func isRightToLeft(l Line) bool {
	right, left := 0, 0
	for i := range l.Words {
		r, k := directions(l.Words[i].Text)
		right, left = right+r, left+k
	}
	return right > left
}

// directions counts a text's letters by their direction.
func directions(s string) (right, left int) {
	for _, c := range s {
		if c < 0x300 {
			if unicode.IsLetter(c) {
				left++
			}
			continue
		}
		p, _ := bidi.LookupRune(c)
		switch p.Class() {
		case bidi.R, bidi.AL:
			right++
		case bidi.L:
			left++
		}
	}
	return right, left
}

func hasDigit(s string) bool {
	for _, c := range s {
		if unicode.IsDigit(c) {
			return true
		}
	}
	return false
}

// reverseWords turns the order of words round; what was glued to the word before it is now glued to the word after.
func reverseWords(words []Word) {
	glued := make([]bool, len(words)+1)
	for i := range words {
		glued[i] = words[i].Glued
	}
	slices.Reverse(words)
	for i := range words {
		words[i].Glued = i > 0 && glued[len(words)-i]
	}
}

// reverseRuns turns runs of words for which pick holds round again.
func reverseRuns(words []Word, pick func(*Word) bool) {
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && pick(&words[j]) {
			j++
		}
		if j > i+1 {
			first := words[i].Glued
			reverseWords(words[i:j])
			words[i].Glued = first
		}
		i = max(j, i+1)
	}
}
