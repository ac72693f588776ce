package markup

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Reader makes HTML of a text, and sets in d what the text says of itself. included is how many other files the text asks for.
type Reader func(d *doc.Document, text string) (page string, included int)

// Parse reads a document of a markup, whose format's name is language. A text that is too large for trees is read as a text.
func Parse(ctx context.Context, in *format.Input, language string, read Reader) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, language)
	}
	page, included := read(d, text)
	if included > 0 {
		d.Warn("external_reference", "An include was not followed: other files are not part of the document.")
	}
	root, _ := htmldoc.Tree(page)
	return d, htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{Files: in.Files, Lines: true})
}

// Signs are what a markup is known by.
type Signs struct {
	Extensions []string             // of files' names; they settle it
	Hint       string               // what a text has that the first pattern matches
	Patterns   []*lazyregexp.Regexp // what stands in a text; the first must be there
	Least      int                  // how many of them must be
	Value      int                  // what Match gives then
}

// Match is the format's Match.
func (s Signs) Match(h *format.Head) int {
	if h.Text == "" {
		return 0
	}
	if h.HasExtension(s.Extensions...) {
		return format.Plausible + 5
	}
	if !strings.Contains(h.Text, s.Hint) || !s.Patterns[0].MatchString(h.Text) { // most texts end here, without an expression compiled
		return 0
	}
	found := 1
	for _, sign := range s.Patterns[1:] {
		if found < s.Least && sign.MatchString(h.Text) {
			found++
		}
	}
	if found < s.Least {
		return 0
	}
	return s.Value
}
