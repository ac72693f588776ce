package rst

import (
	"encoding/csv"
	"html"
	"strings"

	"decant/handler/internal/markup"
)

// explicit reads what begins with two dots: a directive, a footnote, a link target or a comment.
func (p *parser) explicit(line string) {
	switch {
	case line == ".." && p.Next() == "":
		p.At++ // an empty comment: what follows it is no part of it
	case substitutionMark.MatchString(line):
		p.At++
		p.indented(1)
	case directive.MatchString(line):
		m := directive.FindStringSubmatch(line)
		p.At++
		p.directive(strings.ToLower(m[1]), m[2], p.indented(1))
	case noteMark.MatchString(line):
		m := noteMark.FindStringSubmatch(line)
		p.At++
		body := p.sub(append([]string{m[2]}, p.indented(1)...))
		label := p.unnamedNote(m[1], "")
		if _, known := p.notes[label]; !known {
			p.order = append(p.order, label)
		}
		p.notes[label] += body
	case target.MatchString(line):
		p.At++
		if m := target.FindStringSubmatch(line); m[2] == "" {
			p.out.WriteString(`<a id="` + html.EscapeString(normal(m[1])) + `"></a>`)
		}
		p.indented(1)
	default:
		p.At++
		p.indented(1) // a comment
	}
}

// admonitions have a usual title; others take their argument.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "tip": "Tip", "important": "Important", "caution": "Caution", "danger": "Danger", "attention": "Attention", "hint": "Hint", "error": "Error",
	"seealso": "See also", "versionadded": "Added in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version", "topic": "", "admonition": "", "sidebar": "",
}

// cutOptions parts a directive's options from its content.
func cutOptions(lines []string) (options map[string]string, content []string) {
	options = map[string]string{}
	for len(lines) > 0 {
		m := fieldLine.FindStringSubmatch(lines[0])
		if m == nil {
			break
		}
		options[strings.ToLower(m[1])] = m[2]
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return options, lines
}

func (p *parser) directive(name, argument string, body []string) {
	options, content := cutOptions(body)
	if title, ok := admonitions[name]; ok {
		p.admonition(name, title, argument, content)
		return
	}
	switch name {
	case "code-block", "code", "sourcecode", "highlight", "prompt":
		if len(content) > 0 {
			p.code(content, argument)
		}
	case "parsed-literal", "literalinclude", "productionlist", "graphviz", "mermaid":
		p.code(content, "")
	case "math":
		if argument != "" {
			content = append([]string{argument}, content...)
		}
		p.out.WriteString(markup.Formula(strings.TrimSpace(strings.Join(content, "\n"))))
	case "image", "figure":
		p.figure(argument, options, content)
	case "table":
		p.captioned(p.sub(content), argument)
	case "list-table":
		p.listTable(argument, options, content)
	case "csv-table":
		p.csvTable(argument, options, content)
	case "include", "toctree", "automodule", "autoclass", "autofunction":
		p.included++
	case "raw":
		if strings.Contains(argument, "html") {
			p.out.WriteString("<div>" + strings.Join(content, "\n") + "</div>")
		}
	case "contents", "index", "meta", "role", "default-role", "currentmodule", "module", "only", "sectnum", "class", "rubric", "centered", "epigraph", "pull-quote", "compound", "container", "highlights", "glossary":
		p.plain(name, argument, content)
	default:
		p.object(argument, content)
	}
}

func (p *parser) plain(name, argument string, content []string) {
	switch name {
	case "rubric", "centered":
		p.out.WriteString("<p><strong>" + p.inline(argument) + "</strong></p>\n")
	case "epigraph", "pull-quote", "highlights":
		p.out.WriteString("<blockquote>" + p.sub(content) + "</blockquote>\n")
	case "only", "compound", "container", "glossary", "class":
		p.out.WriteString(p.sub(content))
	}
}

// object is the description of a function, class or the like, or a directive that is not known: its argument and its text.
func (p *parser) object(argument string, content []string) {
	if argument != "" {
		p.out.WriteString("<p><code>" + html.EscapeString(argument) + "</code></p>")
	}
	p.out.WriteString(p.sub(content))
}

func (p *parser) admonition(name, title, argument string, content []string) {
	switch {
	case strings.HasPrefix(name, "version") || name == "deprecated":
		title += " " + argument
	case title == "":
		title = argument
	case argument != "":
		content = append([]string{argument}, content...)
	}
	p.out.WriteString(markup.Admonition(p.inline(title), p.sub(content)))
}

func (p *parser) figure(source string, options map[string]string, content []string) {
	p.out.WriteString("<figure>" + markup.Image(source, options["alt"]))
	caption := content
	for i, line := range content {
		if line == "" {
			caption = content[:i]
			break
		}
	}
	if len(caption) > 0 && strings.TrimSpace(strings.Join(caption, "")) != ".." {
		p.out.WriteString("<figcaption>" + p.sub(caption) + "</figcaption>")
	}
	p.out.WriteString("</figure>\n" + p.sub(content[len(caption):])) // the legend
}

// captioned puts a title into a table.
func (p *parser) captioned(table, title string) {
	if title != "" {
		table = strings.Replace(table, `<table role="table">`, `<table role="table"><caption>`+p.inline(title)+"</caption>", 1)
	}
	p.out.WriteString(table)
}

func (p *parser) csvTable(title string, options map[string]string, content []string) {
	text := strings.Join(content, "\n")
	if header := options["header"]; header != "" {
		text = header + "\n" + text
		options["header-rows"] = "1"
	}
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
	records, err := r.ReadAll()
	if err != nil {
		p.code(content, "csv")
		return
	}
	var rows [][]string
	for _, record := range records {
		var row []string
		for _, field := range record {
			row = append(row, p.inline(field))
		}
		rows = append(rows, row)
	}
	p.captioned(tableHTML(rows, count(options["header-rows"])), title)
}

// listTable is a list of rows, each a list of cells.
func (p *parser) listTable(title string, options map[string]string, content []string) {
	var rows [][]string
	outer := parser{Cursor: markup.Cursor{Lines: content}}
	for outer.More() {
		line := outer.Lines[outer.At]
		if !strings.HasPrefix(line, "* -") {
			outer.At++
			continue
		}
		outer.At++
		cells := append([]string{line[2:]}, outer.rest(2)...)
		var row []string
		inner := parser{Cursor: markup.Cursor{Lines: cells}}
		for inner.More() {
			if !strings.HasPrefix(inner.Lines[inner.At], "-") {
				inner.At++
				continue
			}
			first := strings.TrimPrefix(strings.TrimPrefix(inner.Lines[inner.At], "-"), " ")
			inner.At++
			row = append(row, p.sub(append([]string{first}, inner.rest(2)...)))
		}
		rows = append(rows, row)
	}
	p.captioned(tableHTML(rows, count(options["header-rows"])), title)
}

func count(s string) int {
	n := 0
	for _, c := range strings.TrimSpace(s) {
		if c < '0' || c > '9' || n > 1000 {
			return n
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func tableHTML(rows [][]string, header int) string {
	var b strings.Builder
	b.WriteString(`<table role="table">`)
	for i, row := range rows {
		tag := "td"
		if i < header {
			tag = "th"
		}
		b.WriteString("<tr>")
		for _, cell := range row {
			b.WriteString("<" + tag + ">" + cell + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>\n")
	return b.String()
}
