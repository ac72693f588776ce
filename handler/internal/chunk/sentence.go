package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// sentenceEnds gives the ends of the sentences of a text by UAX #29, without those behind abbreviations and initials.
// The end of the text is not among them, unless the text ends a sentence.
func sentenceEnds(text string) []int {
	var ends []int
	at, state, rest := 0, -1, text
	for rest != "" {
		var s string
		s, rest, state = uniseg.FirstSentenceInString(rest, state)
		at += len(s)
		trimmed := strings.TrimRight(s, " \t\n\r")
		if trimmed == "" || rest == "" && !endsSentence(trimmed) {
			continue
		}
		if isAbbreviated(trimmed) || strings.HasPrefix(rest, "%") || !endsSentence(trimmed) && !strings.HasSuffix(s, "\n") {
			continue
		}
		ends = append(ends, at)
	}
	return ends
}

// endsSentence tells whether a text ends with a mark that ends sentences, maybe inside quotes or brackets.
func endsSentence(s string) bool {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		switch {
		case unicode.Is(unicode.STerm, r), r == '.', r == '…', r == '。', r == '．', r == '!', r == '?', r == ':' || r == ';':
			return true
		case unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi), r == '"', r == '\'', r == '*', r == '_':
			s = s[:len(s)-size]
		default:
			return false
		}
	}
	return false
}

// isAbbreviated tells whether the full stop at the end of a text belongs to an abbreviation or an initial.
func isAbbreviated(s string) bool {
	if !strings.HasSuffix(s, ".") {
		return false
	}
	word := s[:len(s)-1]
	if i := strings.LastIndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '"' || r == '-' }); i >= 0 {
		_, size := utf8.DecodeRuneInString(word[i:])
		word = word[i+size:]
	}
	if n := utf8.RuneCountInString(word); n == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) // J. Smith
	}
	return abbreviations[strings.ToLower(word)] || strings.Contains(word, ".") && shortParts(word)
}

// shortParts tells whether a word is letters with full stops between, such as "e.g" or "U.S".
func shortParts(word string) bool {
	for _, part := range strings.Split(word, ".") {
		r, size := utf8.DecodeRuneInString(part)
		if size != len(part) || !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// abbreviations are words that usually do not end a sentence although a full stop follows, lower case.
var abbreviations = set(`mr mrs ms dr prof st sr jr vs cf etc al approx dept est fig figs eq eqs sec secs ch chap vol vols no nos p pp ed eds rev
 gen col lt sgt capt gov sen rep hon messrs mt inc ltd co corp art arts abs nr bzw ca usw vgl evtl ggf inkl exkl max min str tel
 bd hrsg jh jan feb mar apr jun jul aug sep sept oct nov dec mio mrd zzgl abb tab anm s.o u.a z.b d.h i.d.r m cie av env éd
 ej sra dra ud uds núm pág`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
