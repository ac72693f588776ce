package layout

import (
	"strings"
	"unicode/utf8"
)

// Brackets in pairs.
const (
	openBrackets  = "([{«‹"
	closeBrackets = ")]}»›"
)

// turnBrackets puts the brackets around figures and foreign words of a right-to-left line where they belong. Such words run from left to
// right, but their brackets do not: what stands on the right of a number comes before it. Files differ in whether they name
// a bracket by its shape or by its meaning, so the place decides which it is.
func turnBrackets(words []Word, pick func(*Word) bool) {
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && pick(&words[j]) {
			j++
		}
		switch {
		case j == i+1:
			lead, core, trail := bracketed(words[i].Text)
			if _, letters := directions(core); letters == 0 && (lead == "" || trail == "") {
				lead, trail = trail, lead
			}
			words[i].Text = shaped(lead, openBrackets) + core + shaped(trail, closeBrackets)
		case j > i+1:
			lead, core, trail := bracketed(words[i].Text)
			words[i].Text = shaped(lead, openBrackets) + core + trail
			lead, core, trail = bracketed(words[j-1].Text)
			words[j-1].Text = lead + core + shaped(trail, closeBrackets)
		}
		i = max(j, i+1)
	}
}

// bracketed divides a word into the brackets it opens with, its core and the brackets it ends with.
func bracketed(s string) (lead, core, trail string) {
	core = strings.TrimLeft(s, openBrackets+closeBrackets)
	lead = s[:len(s)-len(core)]
	rest := strings.TrimRight(core, openBrackets+closeBrackets)
	return lead, rest, core[len(rest):]
}

// shaped gives each bracket the side that kind has.
func shaped(s, kind string) string {
	return strings.Map(func(r rune) rune {
		for _, side := range []string{openBrackets, closeBrackets} {
			if at := strings.IndexRune(side, r); at >= 0 {
				return []rune(kind)[utf8.RuneCountInString(side[:at])]
			}
		}
		return r
	}, s)
}
