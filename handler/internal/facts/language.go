package facts

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"

	"decant/handler/internal/doc"
)

// minLetters is how many letters a language guess needs. Below it, guesses are little better than chance.
const minLetters = 60

// minConfidence is the surety below which a language stays unknown: keyboard noise gets 0.16, a Russian sentence 0.42.
const minConfidence = 0.35

// fillLanguage guesses the language of the text when the document does not declare one. Unknown stays unknown.
func fillLanguage(d *doc.Document, text string) {
	m := &d.Metadata
	if m.Language != "" {
		if m.Confidence == 0 {
			m.Confidence = 1
		}
		return
	}
	if letters(text) < minLetters {
		return
	}
	info := whatlanggo.Detect(text)
	code := info.Lang.Iso6391()
	if code == "" || info.Confidence < minConfidence {
		return
	}
	m.Language, m.Confidence = code, info.Confidence
	m.Sources["language"] = "text"
}

func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
			if r >= 0x3000 {
				n += 3 // a CJK character says as much as a short word
			}
		}
	}
	return n
}

// trimPunctuation takes off what a sentence puts after an identifier.
func trimPunctuation(s string) string { return strings.TrimRight(s, ".,;:)]}>'\"”’") }
