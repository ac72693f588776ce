package rst

import (
	"html"
	"strings"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

// maxDepth bounds blocks in blocks.
const maxDepth = 40

// shared is what all parsers of one document know.
type shared struct {
	budget   *markup.Budget    // bytes that substitutions are replaced by
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
	markup.Cursor
	depth int
	out   strings.Builder
}

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
	inner := parser{shared: p.shared, Cursor: markup.Cursor{Lines: lines}, depth: p.depth + 1}
	inner.blocks()
	return inner.out.String()
}

func (s *shared) footnotes() string {
	var notes []markup.Note
	for _, label := range s.order {
		notes = append(notes, markup.Note{Label: label, HTML: s.notes[label]})
	}
	return markup.Notes(notes)
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indented takes the lines from at that are blank or indented by at least n, without the indent they share.
func (p *parser) indented(n int) []string {
	lines := p.While(func(line string) bool { return line == "" || indentOf(line) >= n })
	return dedent(lines[:len(lines)-blanksAtEnd(lines)])
}

func blanksAtEnd(lines []string) (n int) {
	for n < len(lines) && lines[len(lines)-1-n] == "" {
		n++
	}
	return n
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

var looks = []markup.Look{
	{Pattern: lazyregexp.New(`\*\*(\S(?:[^*]|\*[^*])*?)\*\*`), Replace: "<strong>$1</strong>"},
	{Pattern: lazyregexp.New(`(^|[^\w*\\])\*(\S(?:[^*]*?[^\s*])?)\*($|[^\w*])`), Replace: "$1<em>$2</em>$3"},
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

// inline gives a text as HTML.
func (p *parser) inline(text string) string {
	n := markup.NewInline(text)
	n.Put(literal, func(m []string) string { return "<code>" + html.EscapeString(m[0][2:len(m[0])-2]) + "</code>" })
	n.Put(role, func(m []string) string { return p.role(strings.Trim(m[1]+m[4], ":"), m[2]+m[3]) })
	n.Put(embeddedLink, func(m []string) string { return p.link(m[2], m[1]) })
	n.Put(noteLink, func(m []string) string { return markup.NoteLink(p.unnamedNote(m[1], "[")) })
	n.Put(bareLink, func(m []string) string { return p.link(m[0], m[0]) })
	n.Change(namedLink, func(m []string) string {
		name := m[1] + m[2]
		return n.Keep(p.link(p.targets[normal(name)], name)) + m[3]
	})
	n.Put(plainRole, func(m []string) string { return "<cite>" + html.EscapeString(m[0][1:len(m[0])-1]) + "</cite>" })
	n.Escape()
	n.Look(looks...)
	n.Change(substitution, func(m []string) string {
		if value, ok := p.replaced[normal(m[1])]; ok && p.budget.Take(len(value)) {
			return n.Keep(value)
		}
		return m[1]
	})
	n.Change(escaped, func(m []string) string { return strings.TrimSpace(m[1]) })
	return n.HTML()
}

var escaped = lazyregexp.New(`\\(\s|.)`)

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
	return markup.Link(address, text)
}

var roleTarget = lazyregexp.New(`^(.*?)\s*<([^>]+)>$`)

// role gives the text of an interpreted text role: what it looks like, where it leads is in other files.
func (p *parser) role(name, text string) string {
	switch name[strings.LastIndex(name, ":")+1:] {
	case "math":
		return markup.InlineFormula(text)
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
