package asciidoc

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Format describes AsciiDoc.
func Format() format.Format {
	return format.Format{
		Name: "asciidoc", Title: "AsciiDoc",
		Extensions: []string{".adoc", ".asciidoc", ".ad"}, MediaTypes: []string{"text/asciidoc"},
		Description: "sections, lists, tables, blocks, admonitions, footnotes",
		Match:       match,
		Parse:       parse,
	}
}

var signs = []*lazyregexp.Regexp{
	lazyregexp.New(`(?m)^={1,5} \S`), lazyregexp.New(`(?m)^:[\w-]+:(?: |$)`), lazyregexp.New(`(?m)^\|===\s*$`),
	lazyregexp.New(`(?m)^\[(?:source|NOTE|TIP|quote|cols=|listing)[^\]]*\]\s*$`), lazyregexp.New(`(?m)^(?:image|include)::`),
}

func match(h *format.Head) int {
	if h.Text == "" {
		return 0
	}
	if h.HasExtension(".adoc", ".asciidoc", ".ad") {
		return format.Plausible + 5
	}
	found := 0
	for _, sign := range signs {
		if sign.MatchString(h.Text) {
			found++
		}
	}
	if found >= 2 && signs[0].MatchString(h.Text) {
		return 14
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
		return d, textfile.Lean(ctx, in, d, text, "asciidoc")
	}
	p := newParser(text)
	p.header(d)
	p.blocks("")
	page := p.page()
	if p.included > 0 {
		d.Warn("external_reference", "An include was not followed: other files are not part of the document.")
	}
	root, _ := htmldoc.Tree(page)
	return d, htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{Files: in.Files, Lines: true})
}

// parser walks over the lines once and writes HTML.
type parser struct {
	lines      []string
	at         int
	out        strings.Builder
	attributes map[string]string
	notes      []string
	included   int
	depth      int
	style      string // of the attribute line above a block: "source,go"
	title      string // of the ".Title" line above a block
}

func newParser(text string) *parser {
	p := &parser{attributes: map[string]string{}}
	var c conditions
	for line := range textfile.Lines(text) {
		if line := strings.TrimRight(line.Text, " \t"); c.keeps(&line) {
			p.lines = append(p.lines, line)
		}
	}
	return p
}

func (p *parser) more() bool { return p.at < len(p.lines) }

func (p *parser) line() string { return p.lines[p.at] }

func (p *parser) page() string {
	for i, note := range p.notes {
		if i == 0 {
			p.out.WriteString(`<section class="footnotes"><ol>`)
		}
		p.out.WriteString(`<li id="fn` + itoa(i+1) + `"><p>` + note + "</p></li>")
	}
	return p.out.String()
}

var (
	attributeLine = lazyregexp.New(`^:(!?[\w-]+!?):(?:\s+(.*))?$`)
	authorLine    = lazyregexp.New(`^([\p{L}][\p{L}.'-]*(?:\s+[\p{L}][\p{L}.'-]*){0,4})(?:\s+<([^>]+)>)?(?:;.*)?$`)
	revisionLine  = lazyregexp.New(`^(?:v?[\d.]+,?\s*)?(\d{4}-\d\d-\d\d)`)
)

// header reads the title, author and revision lines and the attributes at the top.
func (p *parser) header(d *doc.Document) {
	for p.more() && (p.line() == "" || strings.HasPrefix(p.line(), "//") || p.attribute()) {
		p.at++
	}
	if !p.more() || !strings.HasPrefix(p.line(), "= ") {
		return
	}
	title := strings.TrimSpace(p.line()[2:])
	d.Metadata.Title = plain(title)
	d.Metadata.Sources = map[string]string{"title": "asciidoc"}
	p.out.WriteString("<h1>" + p.inline(title) + "</h1>\n")
	p.at++
	if p.more() && p.line() != "" && !p.attribute() {
		if m := authorLine.FindStringSubmatch(p.line()); m != nil {
			d.Metadata.Authors = authors(p.line())
			p.out.WriteString("<p>" + p.inline(p.line()) + "</p>\n")
			p.at++
			if p.more() {
				if m := revisionLine.FindStringSubmatch(p.line()); m != nil {
					d.Metadata.Created = m[1]
					p.at++
				}
			}
		}
	}
	for p.more() && p.line() != "" && p.attribute() {
		p.at++
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
	m := attributeLine.FindStringSubmatch(p.line())
	if m == nil {
		return false
	}
	p.attributes[strings.Trim(m[1], "!")] = m[2]
	return true
}
