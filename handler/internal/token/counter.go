package token

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Counter counts the tokens of texts. It keeps what it counted, so it is for one goroutine at a time.
type Counter interface {
	// Name is how the tokenizer is called in results.
	Name() string
	// Count is the number of tokens of the text, with those that the model puts around every text.
	Count(text string) int
}

// Splitter is a Counter that knows where a text can be divided without changing its count.
type Splitter interface {
	Counter
	// Additive tells whether Count(text) == Count(text[:at]) + Count(text[at:]) - Count("") for sure.
	Additive(text string, at int) bool
}

// Names are the tokenizers that need no file.
var names = []string{"o200k_base", "cl100k_base", "characters", "words"}

// Names lists the tokenizers that need no file.
func Names() []string { return append([]string(nil), names...) }

// New finds a tokenizer by its name: one of Names, or the path of a tokenizer.json.
func New(name string) (Counter, error) {
	switch name {
	case "o200k_base", "":
		return newBPE("o200k_base", o200kTable, o200kPiece), nil
	case "cl100k_base":
		return newBPE("cl100k_base", cl100kTable, cl100kPiece), nil
	case "characters":
		return characters{}, nil
	case "words":
		return words{}, nil
	}
	if strings.HasSuffix(name, ".json") || strings.ContainsAny(name, `/\`) {
		return Open(name)
	}
	return nil, fmt.Errorf("unknown tokenizer %q: choose %s, or the path of a tokenizer.json", name, strings.Join(names, ", "))
}

// characters counts code points.
type characters struct{}

func (characters) Name() string              { return "characters" }
func (characters) Count(text string) int     { return utf8.RuneCountInString(text) }
func (characters) Additive(string, int) bool { return true }

// words counts runs of what is not a blank.
type words struct{}

func (words) Name() string { return "words" }

func (words) Count(text string) int {
	n, inWord := 0, false
	for _, c := range text {
		blank := isSpace(c)
		if !blank && !inWord {
			n++
		}
		inWord = !blank
	}
	return n
}

func (words) Additive(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return isSpace(before) || isSpace(after)
}

// fileName is how a tokenizer from a file is called: the folder and the file, for a folder is usually named after the model.
func fileName(path string) string {
	path = filepath.ToSlash(path)
	parts := strings.Split(path, "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}
