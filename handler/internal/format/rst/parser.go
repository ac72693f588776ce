package rst

import (
	"html"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// maxDepth bounds blocks in blocks.
const maxDepth = 40

// shared is what all parsers of one document know.
type shared struct {
	targets  map[string]string // name → address
	levels   map[string]int    // look of a section title → level, in order of appearance
	notes    map[string]string // label → HTML
	order    []string
	fields   map[string]string
	included int
	replaced map[string]string // what |name| stands for, as HTML
	unnamed  map[string]int    // notes whose number is given by their order, by their mark and side: "[#]" and "#"
}

// parser reads one piece of text, whose lines begin at its own margin.
type parser struct {
	*shared
	lines []string
	at    int
	depth int
	out   strings.Builder
}

func (p *parser) more() bool { return p.at < len(p.lines) }

var (
	target   = lazyregexp.New("^\\.\\. _`?([^:`]+)`?:\\s*(\\S.*)?$")
	noteMark = lazyregexp.New(`^\.\. \[(#?[\w*.-]*)\]\s*(.*)$`)
)

// collect finds the link targets and substitutions before they are used.
func (s *shared) collect(lines []string) {
	for i, line := range lines {
		if m := target.FindStringSubmatch(strings.TrimLeft(line, " ")); m != nil {
			address := m[2]
			if address == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "   ") {
				address = strings.TrimSpace(lines[i+1])
			}
			s.targets[normal(m[1])] = address
		}
		s.define(lines, i)
	}
}

func normal(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// sub reads lines as a piece of their own and gives its HTML.
func (p *parser) sub(lines []string) string {
	if p.depth >= maxDepth {
		return "<pre>" + html.EscapeString(strings.Join(lines, "\n")) + "</pre>"
	}
	inner := parser{shared: p.shared, lines: lines, depth: p.depth + 1}
	inner.blocks()
	return inner.out.String()
}

func (s *shared) footnotes() string {
	if len(s.order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<section class="footnotes"><ol>`)
	for _, label := range s.order {
		b.WriteString(`<li id="fn` + html.EscapeString(label) + `">` + s.notes[label] + "</li>")
	}
	b.WriteString("</ol></section>")
	return b.String()
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indented takes the lines from at that are blank or indented by at least n, without the indent they share.
func (p *parser) indented(n int) []string {
	start := p.at
	for p.more() && (p.lines[p.at] == "" || indentOf(p.lines[p.at]) >= n) {
		p.at++
	}
	end := p.at
	for end > start && p.lines[end-1] == "" {
		end--
	}
	return dedent(p.lines[start:end])
}

func dedent(lines []string) []string {
	margin := -1
	for _, line := range lines {
		if line != "" && (margin < 0 || indentOf(line) < margin) {
			margin = indentOf(line)
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			out[i] = line[margin:]
		}
	}
	for len(out) > 0 && out[0] == "" {
		out = out[1:]
	}
	return out
}

// level numbers the looks of titles in the order in which they appear.
func (s *shared) level(look string) int {
	if _, known := s.levels[look]; !known {
		s.levels[look] = len(s.levels) + 1
	}
	return min(s.levels[look], 6)
}

var looks = []struct {
	pattern *lazyregexp.Regexp
	replace string
}{
	{lazyregexp.New(`\*\*(\S(?:[^*]|\*[^*])*?)\*\*`), "<strong>$1</strong>"},
	{lazyregexp.New(`(^|[^\w*\\])\*(\S(?:[^*]*?[^\s*])?)\*($|[^\w*])`), "$1<em>$2</em>$3"},
}

var (
	literal      = lazyregexp.New("``(.+?)``")
	role         = lazyregexp.New("(?:(:[\\w:+.-]+:)`([^`]+)`|`([^`]+)`(:[\\w:+.-]+:))")
	embeddedLink = lazyregexp.New("`([^`<]*?)\\s*<([^`>]+)>`__?")
	namedLink    = lazyregexp.New("`([^`]+)`__?|([A-Za-z0-9][\\w.-]*[A-Za-z0-9])_($|[^\\w])")
	bareLink     = lazyregexp.New(`(?:https?|ftp)://[^\s<>"]*[^\s<>".,;:!?)\]]`)
	noteLink     = lazyregexp.New(`\s?\[(#?[\w*.-]+|#)\]_`)
	plainRole    = lazyregexp.New("`([^`]+)`")
	substitution = lazyregexp.New(`\|([^|\s][^|]*)\|_?`)
)

// inline gives a text as HTML. What must not be looked at again is put aside and back at the end.
func (p *parser) inline(text string) string {
	var aside []string
	keep := func(s string) string {
		aside = append(aside, s)
		return "\x00" + strconv.Itoa(len(aside)-1) + "\x01"
	}
	text = strings.NewReplacer("\x00", "", "\x01", "").Replace(text)
	text = literal.ReplaceAllStringFunc(text, func(m string) string { return keep("<code>" + html.EscapeString(m[2:len(m)-2]) + "</code>") })
	text = role.ReplaceAllStringFunc(text, func(m string) string {
		parts := role.FindStringSubmatch(m)
		return keep(p.role(strings.Trim(parts[1]+parts[4], ":"), parts[2]+parts[3]))
	})
	text = embeddedLink.ReplaceAllStringFunc(text, func(m string) string {
		parts := embeddedLink.FindStringSubmatch(m)
		return keep(p.link(parts[2], parts[1]))
	})
	text = noteLink.ReplaceAllStringFunc(text, func(m string) string {
		label := p.unnamedNote(noteLink.FindStringSubmatch(m)[1], "[")
		return keep(`<a href="#fn` + html.EscapeString(label) + `">` + html.EscapeString(label) + "</a>")
	})
	text = bareLink.ReplaceAllStringFunc(text, func(m string) string { return keep(p.link(m, m)) })
	text = namedLink.ReplaceAllStringFunc(text, func(m string) string {
		parts := namedLink.FindStringSubmatch(m)
		name := parts[1] + parts[2]
		return keep(p.link(p.targets[normal(name)], name)) + parts[3]
	})
	text = plainRole.ReplaceAllStringFunc(text, func(m string) string { return keep("<cite>" + html.EscapeString(m[1:len(m)-1]) + "</cite>") })
	text = html.EscapeString(text)
	for _, look := range looks {
		text = look.pattern.ReplaceAllString(text, look.replace)
	}
	text = substitution.ReplaceAllStringFunc(text, func(m string) string {
		name := substitution.FindStringSubmatch(m)[1]
		if value, ok := p.replaced[normal(name)]; ok {
			return keep(value)
		}
		return name
	})
	text = unescape(text)
	for i := len(aside) - 1; i >= 0; i-- {
		text = strings.Replace(text, "\x00"+strconv.Itoa(i)+"\x01", aside[i], 1)
	}
	return text
}

var escaped = lazyregexp.New(`\\(\s|.)`)

func unescape(text string) string {
	return escaped.ReplaceAllStringFunc(strings.TrimSuffix(text, `\`), func(m string) string { return strings.TrimSpace(m[1:]) })
}

func (p *parser) link(address, text string) string {
	if inner, ok := strings.CutSuffix(address, "_"); ok {
		address = p.targets[normal(strings.Trim(inner, "`"))]
	}
	if text == "" {
		text = address
	}
	if address == "" {
		return html.EscapeString(text)
	}
	return `<a href="` + html.EscapeString(address) + `">` + html.EscapeString(text) + "</a>"
}

var roleTarget = lazyregexp.New(`^(.*?)\s*<([^>]+)>$`)

// role gives the text of an interpreted text role: what it looks like, where it leads is in other files.
func (p *parser) role(name, text string) string {
	switch name[strings.LastIndex(name, ":")+1:] {
	case "math":
		return `<span class="math inline">` + html.EscapeString(text) + "</span>"
	case "sub", "subscript":
		return "<sub>" + html.EscapeString(text) + "</sub>"
	case "sup", "superscript":
		return "<sup>" + html.EscapeString(text) + "</sup>"
	case "strong":
		return "<strong>" + html.EscapeString(text) + "</strong>"
	case "emphasis", "title":
		return "<em>" + html.EscapeString(text) + "</em>"
	case "code", "literal", "file", "samp", "command", "program", "option", "envvar", "kbd", "func", "class", "meth", "mod", "attr", "data", "obj", "exc", "const":
		if m := roleTarget.FindStringSubmatch(text); m != nil && m[1] != "" {
			text = m[1]
		}
		return "<code>" + html.EscapeString(strings.TrimLeft(text, "~!")) + "</code>"
	}
	if m := roleTarget.FindStringSubmatch(text); m != nil && m[1] != "" {
		text = m[1]
	}
	return html.EscapeString(text)
}
