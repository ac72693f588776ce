package asciidoc

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
	"decant/handler/internal/textfile"
)

// Format describes AsciiDoc.
func Format() format.Format {
	return format.Format{
		Name: "asciidoc", Title: "AsciiDoc",
		Extensions: []string{".adoc", ".asciidoc", ".ad"}, MediaTypes: []string{"text/asciidoc"},
		Description: "sections, lists, tables, blocks, admonitions, footnotes",
		Match:       signs.Match,
		Parse:       parse,
	}
}

var signs = markup.Signs{
	Extensions: []string{".adoc", ".asciidoc", ".ad"},
	Patterns: []*lazyregexp.Regexp{
		lazyregexp.New(`(?m)^={1,5} \S`), lazyregexp.New(`(?m)^:[\w-]+:(?: |$)`), lazyregexp.New(`(?m)^\|===\s*$`),
		lazyregexp.New(`(?m)^\[(?:source|NOTE|TIP|quote|cols=|listing)[^\]]*\]\s*$`), lazyregexp.New(`(?m)^(?:image|include)::`),
	},
	Hint: "= ", Least: 2, Value: 14,
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	return markup.Parse(ctx, in, "asciidoc", func(d *doc.Document, text string) (page string, included int) {
		p := newParser(text)
		p.header(d)
		p.blocks("")
		p.replaced.Warn(d, markup.ReplacedWords)
		p.cells.Warn(d, "A table repeats more cells than the limit; it is shown as it is written.")
		return p.page(), p.included
	})
}

// parser walks over the lines once and writes HTML.
type parser struct {
	markup.Cursor
	out        strings.Builder
	attributes map[string]string
	replaced   *markup.Budget // bytes that attributes are replaced by
	cells      *markup.Budget // cells that are made, not written
	notes      []markup.Note
	included   int
	depth      int
	style      string // of the attribute line above a block: "source,go"
	title      string // of the ".Title" line above a block
}

func newParser(text string) *parser {
	p := &parser{attributes: map[string]string{}, replaced: markup.NewBudget(markup.MaxReplaced), cells: markup.NewBudget(maxMade)}
	var c conditions
	for line := range textfile.Lines(text) {
		if line := strings.TrimRight(line.Text, " \t"); c.keeps(&line) {
			p.Lines = append(p.Lines, line)
		}
	}
	return p
}

func (p *parser) page() string { return p.out.String() + markup.Notes(p.notes) }

var (
	attributeLine = lazyregexp.New(`^:(!?[\w-]+!?):(?:\s+(.*))?$`)
	authorLine    = lazyregexp.New(`^([\p{L}][\p{L}.'-]*(?:\s+[\p{L}][\p{L}.'-]*){0,4})(?:\s+<([^>]+)>)?(?:;.*)?$`)
	revisionLine  = lazyregexp.New(`^(?:v?[\d.]+,?\s*)?(\d{4}-\d\d-\d\d)`)
)

// header reads the title, author and revision lines and the attributes at the top.
func (p *parser) header(d *doc.Document) {
	for p.More() && (p.Line() == "" || strings.HasPrefix(p.Line(), "//") || p.attribute()) {
		p.At++
	}
	if !p.More() || !strings.HasPrefix(p.Line(), "= ") {
		return
	}
	title := strings.TrimSpace(p.Line()[2:])
	d.Metadata.Title = plain(title)
	d.Metadata.Sources = map[string]string{"title": "asciidoc"}
	p.out.WriteString(markup.Heading(1, p.inline(title)))
	p.At++
	if p.More() && p.Line() != "" && !p.attribute() {
		if m := authorLine.FindStringSubmatch(p.Line()); m != nil {
			d.Metadata.Authors = authors(p.Line())
			p.out.WriteString("<p>" + p.inline(p.Line()) + "</p>\n")
			p.At++
			if p.More() {
				if m := revisionLine.FindStringSubmatch(p.Line()); m != nil {
					d.Metadata.Created = m[1]
					p.At++
				}
			}
		}
	}
	for p.More() && p.Line() != "" && p.attribute() {
		p.At++
	}
	for name, field := range map[string]*string{"description": &d.Metadata.Subject, "lang": &d.Metadata.Language} {
		if value := p.attributes[name]; value != "" {
			*field = value
		}
	}
	if words := p.attributes["keywords"]; words != "" {
		for _, word := range strings.Split(words, ",") {
			d.Metadata.Keywords = append(d.Metadata.Keywords, strings.TrimSpace(word))
		}
	}
}

// authors reads the author line: "Ann Lee <ann@example.org>; Bob Ray".
func authors(line string) []string {
	var names []string
	for _, part := range strings.Split(line, ";") {
		name, _, _ := strings.Cut(part, "<")
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// attribute takes a ":name: value" line in, without stepping over it.
func (p *parser) attribute() bool {
	m := attributeLine.FindStringSubmatch(p.Line())
	if m == nil {
		return false
	}
	p.attributes[strings.Trim(m[1], "!")] = m[2]
	return true
}
