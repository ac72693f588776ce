package layout

import (
	"strings"
	"unicode"
)

// vocabulary knows the document's own words, to decide about a hyphen at a line's end.
type vocabulary struct {
	words     map[string]bool
	compounds map[string]bool // with a hyphen inside a line
	parts     map[string]bool // of compounds
	whole     bool            // the document divides no words: a hyphen at a line's end is one of its own
}

// maxVocabulary bounds the words kept: enough for any one book.
const maxVocabulary = 300_000

func vocabularyOf(blocks []block) *vocabulary {
	v := &vocabulary{words: map[string]bool{}, compounds: map[string]bool{}, parts: map[string]bool{}}
	for i := range blocks {
		v.learn(blocks[i].lines)
		if t := blocks[i].table; t != nil {
			for c := range t.cells {
				v.learn(t.cells[c].lines)
			}
		}
	}
	v.whole = v.dividesNone(blocks)
	return v
}

// learn takes the words of lines.
func (v *vocabulary) learn(lines []Line) {
	for _, l := range lines {
		for k, w := range l.Words {
			text := strings.ToLower(strings.TrimFunc(w.Text, func(r rune) bool { return !unicode.IsLetter(r) }))
			if text == "" || len(v.words) >= maxVocabulary {
				continue
			}
			switch {
			case k == len(l.Words)-1 && strings.HasSuffix(w.Text, "-"):
			case strings.Contains(text, "-"):
				v.compounds[text] = true
				for part := range strings.SplitSeq(text, "-") {
					v.parts[part] = true
				}
			default:
				v.words[text] = true
			}
		}
	}
}

// dividesNone tells whether a document divides no words at line ends: of its line ends with a hyphen none makes a word that it has,
// and they are as rare as compounds are. A document that divides words does so in one line of twenty or more.
func (v *vocabulary) dividesNone(blocks []block) bool {
	lines, open := 0, 0
	for i := range blocks {
		for k := 0; k+1 < len(blocks[i].lines); k++ {
			lines++
			head, tail := dividedWord(blocks[i].lines[k], blocks[i].lines[k+1])
			if head == "" {
				continue
			}
			switch {
			case v.words[head+tail]:
				return false
			case !v.compounds[head+"-"+tail]:
				open++
			}
		}
	}
	return lines >= 15 && open*25 <= lines
}

// dividedWord gives the two halves, in lower case, of a word with a hyphen at the end of line a, or nothing.
func dividedWord(a, b Line) (head, tail string) {
	if len(a.Words) == 0 || len(b.Words) == 0 || isRightToLeft(b) {
		return "", ""
	}
	text, divided := strings.CutSuffix(a.Words[len(a.Words)-1].Text, "-")
	head, tail = lastWord(text), firstWord(b.Words[0].Text)
	if !divided || head == "" || tail == "" {
		return "", ""
	}
	return strings.ToLower(head), strings.ToLower(tail)
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
	if v.whole && len(head) >= 3 && len(tail) >= 3 && (v.has(head) || v.has(tail)) {
		return true
	}
	return compoundHeads[head] && v.words[tail] || compoundHeads[head] && len(tail) >= 4
}

// has tells whether the document has a word of four letters or more by itself or in a compound.
func (v *vocabulary) has(word string) bool { return len(word) >= 4 && (v.words[word] || v.parts[word]) }
