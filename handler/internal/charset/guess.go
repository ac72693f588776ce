package charset

import (
	"strings"
	"unicode"
)

// guess weighs every candidate on evidence from the whole text. sure is false when even the best fits badly.
func guess(raw string) (name string, sure bool) {
	sample := evidence(raw)
	best, bestScore := "windows-1252", 0.0
	for _, c := range candidates {
		_, enc, ok := Lookup(c.encoding)
		if !ok {
			continue
		}
		score := weigh(convert(sample, enc), c)
		if score > bestScore {
			best, bestScore = c.encoding, score
		}
	}
	return best, bestScore > 0.3
}

// Sizes of the evidence, in bytes: enough lines with non-ASCII bytes from every part of the text.
const (
	evidenceTotal   = 128 << 10
	evidenceWindows = 32
	evidenceLine    = 4 << 10
)

// evidence collects lines that have non-ASCII bytes, a share from each of 32 equal parts of the text.
func evidence(raw string) string {
	if len(raw) <= evidenceTotal {
		return raw
	}
	var b strings.Builder
	part := len(raw)/evidenceWindows + 1
	for start := 0; start < len(raw); start += part {
		window, taken := raw[start:min(len(raw), start+part)], 0
		for len(window) > 0 && taken < evidenceTotal/evidenceWindows {
			line := window
			if end := strings.IndexAny(window, "\r\n"); end >= 0 {
				line = window[:end+1]
			}
			window = window[len(line):]
			line = line[:min(len(line), evidenceLine)]
			if !isASCII(line) {
				b.WriteString(line)
				taken += len(line)
			}
		}
	}
	return b.String()
}

// weigh gives the mean fit of the non-ASCII characters of text for one candidate, at most 1, minus the candidate's handicap.
func weigh(text string, c candidate) float64 {
	sum, n := 0.0, 0
	previous := rune(' ')
	runes := []rune(text)
	for i, r := range runes {
		if r >= 0x80 {
			next := rune(' ')
			if i+1 < len(runes) {
				next = runes[i+1]
			}
			sum += fit(previous, r, next, c)
			n++
		}
		previous = r
	}
	if n == 0 {
		return 0
	}
	return sum/float64(n) - c.handicap
}

// fit judges one character beside its neighbours, from -5 (cannot be) to 1 (frequent in the candidate's language).
func fit(previous, r, next rune, c candidate) float64 {
	switch {
	case r == unicode.ReplacementChar:
		return -5
	case r < 0xA0:
		return -4 // a C1 control: no text has it
	case strings.ContainsRune(c.letters, r):
		return c.frequency(r) - strangers(previous, r, next, c)
	case unicode.Is(unicode.Co, r):
		return -2
	case c.script != nil && unicode.Is(c.script, r):
		return c.other - strangers(previous, r, next, c)
	case strings.ContainsRune("’“”„–—…«»°§€£·•©®™¿¡‘№、。，「」：！？（）", r):
		if unicode.IsLetter(previous) && unicode.IsLetter(next) && r != '’' && r != '·' {
			return -1
		}
		return 0.6
	case r == 0xA0 || r == 0x3000:
		return 0.5
	case unicode.IsLetter(r):
		return -0.5
	case unicode.IsLetter(previous) || unicode.IsLetter(next):
		return -1 // a symbol inside or beside a word
	}
	return -0.2
}

// frequency is 1 for the most frequent letter of an alphabet and falls to 0.5; letters of Latin alphabets all count 1.
func (c candidate) frequency(r rune) float64 {
	if c.script == nil || c.script == unicode.Latin || c.script == unicode.Han || c.script == unicode.Hangul {
		return 1
	}
	return 1 - 0.5*float64(strings.IndexRune(c.letters, r))/float64(len(c.letters))
}

// strangers punishes what no orthography does: a capital right after a small letter, two scripts in one word,
// and in Latin texts long runs without a plain letter.
func strangers(previous, r, next rune, c candidate) float64 {
	penalty := 0.0
	if unicode.IsUpper(r) && unicode.IsLower(previous) {
		penalty++
	}
	if c.script == nil {
		return penalty
	}
	latin := c.script == unicode.Latin
	for _, other := range []rune{previous, next} {
		if isASCIILetter(other) != latin && (isASCIILetter(other) || latin && other >= 0x80 && unicode.IsLetter(other)) {
			penalty += 0.45
			if !latin {
				penalty += 0.5
			}
		}
	}
	return penalty
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
