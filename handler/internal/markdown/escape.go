package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

func itoa(n int) string { return strconv.Itoa(n) }

// escapes says which characters of a block need a backslash. A single "*" is only text: it takes two, or marks, to be read as emphasis.
type escapes struct {
	star, underscore, tilde, backtick, dollar, paren bool

	link    bool // inside a link's text: brackets are escaped
	heading bool // marks that headings have anyway are left out
}

// special are the bytes that can mean something inside a line.
const special = "\\*_~`$[]<&|!\n\t "

// means tells for each byte whether it can mean something inside a line; blanks can at its ends only.
var means = func() (table [256]bool) {
	for _, c := range []byte(special) {
		table[c] = c != ' ' && c != '\t'
	}
	return table
}()

// needs looks over the text of a block once.
func needs(list []doc.Inline) escapes {
	var e escapes
	stars, underscores, tildes, ticks, dollars := 0, 0, 0, 0, 0
	closing := false
	for i := range list {
		in := &list[i]
		if in.Marks != 0 || in.Link != "" {
			e.star = e.star || in.Marks&(doc.Strong|doc.Emphasis) != 0
			e.tilde = e.tilde || in.Marks.Has(doc.Strike)
			e.backtick = e.backtick || in.Marks.Has(doc.Monospace)
		}
		if in.Kind == doc.Math {
			e.dollar = true
		}
		if in.Kind != doc.Text && in.Kind != doc.Input {
			closing = false
			continue
		}
		if !strings.ContainsAny(in.Text, "*_~`$](") {
			closing = closing && in.Text == ""
			continue
		}
		stars += strings.Count(in.Text, "*")
		underscores += strings.Count(in.Text, "_")
		tildes += strings.Count(in.Text, "~")
		ticks += strings.Count(in.Text, "`")
		dollars += strings.Count(in.Text, "$")
		e.paren = e.paren || closing && in.Text[0] == '(' || strings.Contains(in.Text, "](")
		closing = strings.HasSuffix(in.Text, "]")
	}
	e.star = e.star || stars > 1
	e.underscore = underscores > 1
	e.tilde = e.tilde || tildes > 1
	e.backtick = e.backtick || ticks > 1
	e.dollar = e.dollar || dollars > 1
	return e
}

// literal writes text that is in no block's plain text, such as a printed number.
func (r *renderer) literal(s string) {
	spans := len(r.spans)
	need, line, offset := r.need, r.line, r.offset
	r.need = needs([]doc.Inline{doc.T(s)})
	if r.line == keepLines {
		r.line = oneLine
	}
	r.plain(s, nil, 0)
	r.need, r.line, r.offset = need, line, offset
	r.spans = r.spans[:spans]
}

// plain writes text, with backslashes where Markdown would read more than text.
// rest are the inlines that follow it, after the character that follows those.
func (r *renderer) plain(s string, rest []doc.Inline, after rune) {
	i, written := 0, 0
	if at := r.escapeAt - r.offset; r.escapeAt > 0 && at >= 0 && at < len(s) {
		r.escapeAt = 0
		r.verbatim(s[:at], r.offset)
		r.raw(`\`)
		r.verbatim(s[at:at+1], r.offset+at)
		i, written = at+1, at+1
	}
	flush := func(to int) {
		if written < to {
			r.verbatim(s[written:to], r.offset+written)
		}
		written = to
	}
	for i < len(s) {
		if r.fresh && written == i && s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			at := lineStart(s[i:], rest, r.line)
			if i+at >= len(s) { // in a run that follows
				r.escapeAt, at = r.offset+i+at, -1
			}
			if at >= 0 {
				flush(i + at)
				r.raw(`\`)
				r.verbatim(s[i+at:i+at+1], r.offset+i+at)
				i += at + 1
				written = i
				continue
			}
		}
		next := strings.IndexAny(s[i:], special)
		if next < 0 {
			break
		}
		i += next
		switch c := s[i]; c {
		case '\n':
			flush(i)
			r.softBreak(i)
			i++
			written = i
		case ' ', '\t':
			end := i + 1
			for end < len(s) && (s[end] == ' ' || s[end] == '\t') {
				end++
			}
			if end < len(s) && s[end] != '\n' && !((r.fresh || len(r.buf) == r.started) && written == i) {
				i = end // inside a line
				continue
			}
			flush(i)
			r.wait(s[i:end], r.offset+i)
			i, written = end, end
		default:
			if r.escaped(s, i, rest, after, written == i) {
				flush(i)
				r.raw(`\`)
			}
			i++
		}
	}
	flush(len(s))
}

func (r *renderer) softBreak(at int) {
	switch r.line {
	case keepLines:
		if !r.fresh {
			r.newline()
		}
	case cellLines:
		r.blanks = ""
		r.raw("<br>")
	default:
		r.wait(" ", r.offset+at)
	}
}

// escaped tells whether the character at s[i] needs a backslash.
func (r *renderer) escaped(s string, i int, rest []doc.Inline, after rune, atWritten bool) bool {
	next := first(rest, after)
	if i+1 < len(s) {
		next, _ = utf8.DecodeRuneInString(s[i+1:])
	}
	before := func() rune {
		if i > 0 {
			c, _ := utf8.DecodeLastRuneInString(s[:i])
			return c
		}
		return r.before()
	}
	blank := func(c rune) bool { return isBlank(c) && !(c == '\n' && r.line == cellLines) } // <br> there
	switch s[i] {
	case '\\':
		return i+1 == len(s) || isBlank(next) || next < utf8.RuneSelf && isASCIIPunct(byte(next))
	case '*':
		return r.need.star && !(blank(before()) && blank(next))
	case '_':
		b := before()
		return r.need.underscore && !(blank(b) && blank(next)) && !(isWord(b) && isWord(next))
	case '~':
		return r.need.tilde && !(blank(before()) && blank(next))
	case '`':
		return r.need.backtick
	case '$':
		return r.need.dollar && (!isBlank(next) || !blank(before()))
	case '[':
		return r.need.link || next == '^'
	case ']':
		return r.need.link || r.need.paren && next == '('
	case '<':
		return next == '/' || next == '!' || next == '?' || next < utf8.RuneSelf && unicode.IsLetter(next)
	case '&':
		return isEntity(s[i+1:], len(rest) > 0)
	case '!':
		return i+1 == len(s) && len(rest) > 0 && (rest[0].Link != "" || rest[0].Kind == doc.NoteReference) || next == '[' && r.need.paren
	case '|':
		return r.line == cellLines
	}
	return false
}

func isBlank(c rune) bool { return c == 0 || unicode.IsSpace(c) }

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }

func isASCIIPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// isEntity tells whether "&" and s are read as a character reference, or could be when more text follows.
func isEntity(s string, goesOn bool) bool {
	for i := 0; i < len(s) && i < 33; i++ {
		c := s[i]
		switch {
		case c == ';':
			return i > 0
		case c == '#' && i == 0:
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return false
		}
	}
	return goesOn && len(s) < 33
}

// slugOf is the name that GitHub gives a heading.
func slugOf(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '-':
			return '-'
		case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), c == '_':
			return unicode.ToLower(c)
		}
		return -1
	}, strings.TrimSpace(text))
}
