package layout

import (
	"strings"
	"unicode"
)

// vocabulary knows the document's own words, to decide about a hyphen at a line's end.
type vocabulary struct {
	words     map[string]bool
	compounds map[string]bool // with a hyphen inside a line
}

// maxVocabulary bounds the words kept: enough for any one book.
const maxVocabulary = 300_000

func vocabularyOf(blocks []block) *vocabulary {
	v := &vocabulary{words: map[string]bool{}, compounds: map[string]bool{}}
	for i := range blocks {
		for _, l := range blocks[i].lines {
			for k, w := range l.Words {
				text := strings.ToLower(strings.TrimFunc(w.Text, func(r rune) bool { return !unicode.IsLetter(r) }))
				if text == "" || len(v.words) >= maxVocabulary {
					continue
				}
				switch {
				case k == len(l.Words)-1 && strings.HasSuffix(w.Text, "-"):
				case strings.Contains(text, "-"):
					v.compounds[text] = true
				default:
					v.words[text] = true
				}
			}
		}
	}
	return v
}

// compoundHeads open compounds that are written with a hyphen far more often than without.
var compoundHeads = map[string]bool{
	"well": true, "self": true, "ex": true, "all": true, "cross": true, "high": true, "low": true, "long": true, "short": true,
	"half": true, "one": true, "two": true, "three": true, "four": true, "five": true, "ten": true, "twenty": true, "thirty": true,
	"forty": true, "fifty": true, "sixty": true, "seventy": true, "eighty": true, "ninety": true, "full": true, "part": true,
	"state": true, "user": true, "data": true, "real": true, "open": true, "large": true, "small": true, "first": true,
	"second": true, "third": true, "single": true, "multi": false, "decision": true, "evidence": true, "time": true,
}

// keepsHyphen tells whether the hyphen between two halves is part of the word.
func (v *vocabulary) keepsHyphen(head, tail string) bool {
	head, tail = strings.ToLower(head), strings.ToLower(tail)
	if v == nil || tail == "" {
		return false
	}
	switch {
	case v.compounds[head+"-"+tail]:
		return true
	case v.words[strings.ReplaceAll(head, "-", "")+tail]:
		return false
	case strings.Contains(head, "-"):
		// "state-of-the-" + "art"
		return v.words[tail]
	}
	return compoundHeads[head] && v.words[tail] || compoundHeads[head] && len(tail) >= 4
}
