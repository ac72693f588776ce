package latex

import (
	"html"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// maxDepth bounds groups in groups; maxMacros the replacements of one document, so that macros of macros end.
const (
	maxDepth  = 60
	maxMacros = 20_000
)

// writer writes HTML for LaTeX.
type writer struct {
	source              string
	title, author, date string
	notes               []string
	macros              map[string]macro
	environments        map[string]environment
	theorems            map[string]string // the printed name of each kind, by environment
	replaced            int
	included            int
	depth               int
	tooDeep             bool
	chapters            bool // sections are below chapters
	counters            map[string]int
}

func newWriter(source string) *writer {
	return &writer{source: source, macros: map[string]macro{}, environments: map[string]environment{}, theorems: map[string]string{}, counters: map[string]int{}}
}

// document writes the whole source. The preamble gives title, author, date and macros.
func (w *writer) document() string {
	preamble, body, found := strings.Cut(w.source, `\begin{document}`)
	if !found {
		preamble, body = "", w.source
	}
	body, _, _ = strings.Cut(body, `\end{document}`)
	w.chapters = strings.Contains(body, `\chapter`)
	w.readMacros(w.source)
	if preamble != "" {
		w.convert(preamble) // for \title and the like; its text is not part of the document
	}
	page := w.convert(body)
	var b strings.Builder
	if w.title != "" && !strings.Contains(page, titleMark) {
		b.WriteString(w.titleHTML())
	}
	b.WriteString(strings.Replace(page, titleMark, w.titleHTML(), 1))
	for i, note := range w.notes {
		if i == 0 {
			b.WriteString(`<section class="footnotes"><ol>`)
		}
		b.WriteString(`<li id="fn` + strconv.Itoa(i+1) + `">` + note + "</li>")
	}
	return strings.ReplaceAll(b.String(), titleMark, "")
}

// titleMark stands where \maketitle is.
const titleMark = "\x02"

func (w *writer) titleHTML() string {
	if w.title == "" {
		return ""
	}
	out := "<h1>" + w.title + "</h1>"
	if w.author != "" {
		out += "<p>" + w.author + "</p>"
	}
	if w.date != "" {
		out += "<p>" + w.date + "</p>"
	}
	return out
}

// convert writes a piece of source.
func (w *writer) convert(source string) string {
	if w.depth >= maxDepth {
		w.tooDeep = true
		return html.EscapeString(source)
	}
	w.depth++
	defer func() { w.depth-- }()
	s := &scanner{text: source}
	var b strings.Builder
	for s.more() {
		w.token(s, &b)
	}
	return b.String()
}

func (w *writer) token(s *scanner, b *strings.Builder) {
	switch c := s.peek(); c {
	case '\\':
		s.pos++
		w.command(s, b)
	case '%':
		s.comment()
	case '{':
		b.WriteString(w.styled(s.balanced('{', '}')))
	case '}':
		s.pos++
	case '$':
		w.dollar(s, b)
	case '~':
		s.pos++
		b.WriteString(" ")
	case '\n':
		if s.blankLine() {
			b.WriteString("<p>")
		} else {
			b.WriteString("\n")
		}
		s.pos++
	case '&':
		s.pos++
		b.WriteString(" ")
	default:
		end := strings.IndexAny(s.text[s.pos+1:], "\\%{}$~\n&")
		if end < 0 {
			end = len(s.text) - s.pos - 1
		}
		piece := s.text[s.pos : s.pos+1+end]
		s.pos += len(piece)
		b.WriteString(html.EscapeString(typography.Replace(strings.Map(visible, piece))))
	}
}

func visible(r rune) rune {
	if r < 0x20 && r != '\t' {
		return -1
	}
	return r
}

var typography = strings.NewReplacer("``", "“", "''", "”", "---", "—", "--", "–", "`", "‘")

// dollar reads $x$ and $$x$$.
func (w *writer) dollar(s *scanner, b *strings.Builder) {
	mark, display := "$", false
	if strings.HasPrefix(s.text[s.pos:], "$$") {
		mark, display = "$$", true
	}
	s.pos += len(mark)
	tex, ok := s.math(mark)
	if !ok {
		b.WriteString(mark)
		return
	}
	b.WriteString(w.formula(tex, display))
}

// formula writes a formula with the document's own commands put in: who reads it does not have them.
func (w *writer) formula(tex string, display bool) string { return formula(w.expandMath(tex), display) }

func formula(tex string, display bool) string {
	if strings.TrimSpace(tex) == "" {
		return ""
	}
	if display {
		return `<div class="math display">` + html.EscapeString(strings.TrimSpace(tex)) + "</div>"
	}
	return `<span class="math inline">` + html.EscapeString(tex) + "</span>"
}

// switches are commands that change the look of the rest of their group.
var switches = map[string]string{"bf": "b", "bfseries": "b", "it": "i", "itshape": "i", "em": "em", "sl": "i", "slshape": "i", "tt": "code", "ttfamily": "code"}

var firstCommand = lazyregexp.New(`^\s*\\([a-z]+)(?:\s+|\b)`)

// styled writes a group, with the look that its first command gives it.
func (w *writer) styled(source string) string {
	if m := firstCommand.FindStringSubmatch(source); m != nil {
		if tag, ok := switches[m[1]]; ok {
			return "<" + tag + ">" + w.convert(source[len(m[0]):]) + "</" + tag + ">"
		}
	}
	return w.convert(source)
}

// command writes what a command says. Its backslash is already read.
func (w *writer) command(s *scanner, b *strings.Builder) {
	name := s.command()
	if level, ok := sectionLevels[name]; ok {
		w.section(s, b, level)
		return
	}
	if tag, ok := looks[name]; ok {
		b.WriteString("<" + tag + ">" + w.convert(s.group()) + "</" + tag + ">")
		return
	}
	if text, ok := symbols[name]; ok {
		b.WriteString(html.EscapeString(text))
		if isLetter(name[0]) {
			s.spaces()
			if strings.HasPrefix(s.text[s.pos:], "{}") {
				s.pos += 2
			}
		}
		return
	}
	if mark, ok := accents[name]; ok {
		b.WriteString(html.EscapeString(accented(w.convert(s.group()), mark)))
		return
	}
	if write, ok := commandTable()[name]; ok {
		write(w, s, b)
		return
	}
	if m, ok := w.macros[name]; ok && !m.operator && w.replaced < maxMacros {
		w.replaced++
		b.WriteString(w.convert(m.expand(s)))
		return
	}
	w.unknown(s, b, name)
}

// unknown passes over a command with its options and keeps the text of its first argument, unless it is a mere setting.
func (w *writer) unknown(s *scanner, b *strings.Builder, name string) {
	s.options()
	if silent[name] > 0 {
		for range silent[name] {
			s.options()
			if s.spaces(); s.peek() == '{' || s.peek() == '\\' && strings.HasSuffix(name, "command") {
				s.group()
			}
		}
		if name == "newtheorem" {
			s.options()
		}
		return
	}
	if s.peek() == '{' {
		b.WriteString(w.convert(s.group()))
	} else if len(name) > 0 && isLetter(name[0]) {
		b.WriteString(" ")
		s.spaces()
	}
}

func (w *writer) section(s *scanner, b *strings.Builder, level int) {
	s.option()
	if !w.chapters {
		level--
	}
	tag := "h" + strconv.Itoa(min(max(level, 1), 6))
	b.WriteString("<" + tag + ">" + w.convert(s.group()) + "</" + tag + ">\n")
}
