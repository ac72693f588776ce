package outside

import (
	"net/url"
	"slices"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// Placeholders of command and env. In worker mode only {temp} has a meaning, as the documents come later.
const (
	placeInput   = "{input}"   // path of the document's copy, with the extension of its format
	placeOutput  = "{output}"  // folder that takes the result
	placeOutfile = "{outfile}" // path in that folder, with the extension of what is returned
	placeTemp    = "{temp}"    // folder of its own, gone afterwards
	placeTempURL = "{tempurl}" // the same as a file URL: in one, a blank in the path of the temporary folder is not a blank
)

var placeholders = []string{placeInput, placeOutput, placeOutfile, placeTemp, placeTempURL}

var placeholder = lazyregexp.New(`\{[a-z]+\}`)

// unknownPlaceholder gives the first one in the text that means nothing, or "".
func unknownPlaceholder(text string) string {
	for _, found := range placeholder.FindAllString(text, -1) {
		if !slices.Contains(placeholders, found) {
			return found
		}
	}
	return ""
}

// fill puts values in the place of the placeholders.
func fill(words []string, values map[string]string) []string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, name, value)
	}
	replacer := strings.NewReplacer(pairs...)
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = replacer.Replace(word)
	}
	return out
}

func fileURL(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// mentions tells whether any of the words has one of the placeholders.
func mentions(words []string, names ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(word, name) })
	})
}
