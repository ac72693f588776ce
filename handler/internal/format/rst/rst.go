package rst

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
	"decant/handler/internal/textfile"
)

// Format describes reStructuredText.
func Format() format.Format {
	return format.Format{
		Name: "rst", Title: "reStructuredText",
		Extensions: []string{".rst", ".rest"}, MediaTypes: []string{"text/x-rst"},
		Description: "sections, lists, tables, directives, footnotes",
		Match:       signs.Match,
		Parse:       parse,
	}
}

var signs = markup.Signs{
	Extensions: []string{".rst", ".rest"},
	Patterns: []*lazyregexp.Regexp{
		lazyregexp.New(`(?m)^\.\. [\w-]+::`), lazyregexp.New("(?m)^(?:={4,}|-{4,}|~{4,}|\\^{4,}|\\*{4,})$"),
		lazyregexp.New("`[^`<\n]+<[^>\n]+>`__?"), lazyregexp.New(":[a-z]+:`[^`\n]+`"), lazyregexp.New(`(?m)::\s*$`), lazyregexp.New("``[^`\n]+``"),
	},
	Hint: ".. ", Least: 3, Value: 13,
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	return markup.Parse(ctx, in, "rst", func(d *doc.Document, text string) (page string, included int) {
		s := &shared{budget: markup.NewBudget(markup.MaxReplaced), targets: map[string]string{}, levels: map[string]int{}, notes: map[string]string{}}
		p := parser{shared: s}
		for line := range textfile.Lines(text) {
			p.Lines = append(p.Lines, strings.TrimRight(strings.ReplaceAll(line.Text, "\t", "        "), " "))
		}
		s.collect(p.Lines)
		p.blocks()
		s.describe(d)
		s.budget.Warn(d, markup.ReplacedWords)
		return p.out.String() + s.footnotes(), s.included
	})
}

// describe takes the fields at the top of the text over that say something of it.
func (s *shared) describe(d *doc.Document) {
	d.Metadata.Other = map[string]string{}
	for name, value := range s.fields {
		switch name {
		case "author", "authors":
			d.Metadata.Authors = append(d.Metadata.Authors, value)
		case "date":
			d.Metadata.Created = value
		}
	}
}
