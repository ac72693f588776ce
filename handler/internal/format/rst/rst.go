package rst

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Format describes reStructuredText.
func Format() format.Format {
	return format.Format{
		Name: "rst", Title: "reStructuredText",
		Extensions: []string{".rst", ".rest"}, MediaTypes: []string{"text/x-rst"},
		Description: "sections, lists, tables, directives, footnotes",
		Match:       match,
		Parse:       parse,
	}
}

var signs = []*lazyregexp.Regexp{
	lazyregexp.New(`(?m)^\.\. [\w-]+::`), lazyregexp.New("(?m)^(?:={4,}|-{4,}|~{4,}|\\^{4,}|\\*{4,})$"),
	lazyregexp.New("`[^`<\n]+<[^>\n]+>`__?"), lazyregexp.New(":[a-z]+:`[^`\n]+`"), lazyregexp.New(`(?m)::\s*$`), lazyregexp.New("``[^`\n]+``"),
}

func match(h *format.Head) int {
	if h.Text == "" {
		return 0
	}
	if h.HasExtension(".rst", ".rest") {
		return format.Plausible + 5
	}
	found := 0
	for _, sign := range signs {
		if sign.MatchString(h.Text) {
			found++
		}
	}
	if found >= 3 && signs[0].MatchString(h.Text) {
		return 13
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "rst")
	}
	s := &shared{targets: map[string]string{}, levels: map[string]int{}, notes: map[string]string{}}
	var lines []string
	for line := range textfile.Lines(text) {
		lines = append(lines, strings.TrimRight(strings.ReplaceAll(line.Text, "\t", "        "), " "))
	}
	s.collect(lines)
	p := parser{shared: s, lines: lines}
	p.blocks()
	page := p.out.String() + s.footnotes()
	root, _ := htmldoc.Tree(page)
	if s.included > 0 {
		d.Warn("external_reference", "An include was not followed: other files are not part of the document.")
	}
	d.Metadata.Other = map[string]string{}
	for name, value := range s.fields {
		switch name {
		case "author", "authors":
			d.Metadata.Authors = append(d.Metadata.Authors, value)
		case "date":
			d.Metadata.Created = value
		}
	}
	return d, htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{Files: in.Files, Lines: true})
}
