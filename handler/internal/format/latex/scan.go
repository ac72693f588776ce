package latex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/lazyregexp"
)

// scanner reads LaTeX source. It never looks back further than the token it is at.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) more() bool { return s.pos < len(s.text) }

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// spaces passes over white space and comments, but not over an empty line.
func (s *scanner) spaces() {
	for s.more() {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.pos++
		case c == '\n' && !s.blankLine():
			s.pos++
		case c == '%':
			s.comment()
		default:
			return
		}
	}
}

// blankLine tells whether the line after the line end at pos is empty: the end of a paragraph.
func (s *scanner) blankLine() bool {
	rest := strings.TrimLeft(s.text[s.pos+1:], " \t\r")
	return strings.HasPrefix(rest, "\n")
}

// comment passes over a comment with its line end, and the spaces that begin the next line.
func (s *scanner) comment() {
	end := strings.IndexByte(s.text[s.pos:], '\n')
	if end < 0 {
		s.pos = len(s.text)
		return
	}
	s.pos += end + 1
	for s.more() && (s.peek() == ' ' || s.peek() == '\t') {
		s.pos++
	}
}

// command reads a control word or symbol from behind its backslash.
func (s *scanner) command() string {
	start := s.pos
	for s.more() && isLetter(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == start {
		if s.more() {
			_, size := utf8.DecodeRuneInString(s.text[s.pos:])
			s.pos += size
		}
		return s.text[start:s.pos]
	}
	name := s.text[start:s.pos]
	if s.peek() == '*' {
		s.pos++
	}
	return name
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '@' }

// group reads a {group} and gives what is in it; without braces the next character or command.
func (s *scanner) group() string {
	s.spaces()
	switch c := s.peek(); c {
	case 0:
		return ""
	case '{':
		return s.balanced('{', '}')
	case '\\':
		start := s.pos
		s.pos++
		if name := s.command(); name != "" && isLetter(name[0]) {
			end := s.pos
			s.spaces() // TeX passes over blanks behind a control word
			return s.text[start:end]
		}
		return s.text[start:s.pos]
	case '\n':
		return ""
	}
	_, size := utf8.DecodeRuneInString(s.text[s.pos:])
	s.pos += size
	return s.text[s.pos-size : s.pos]
}

// pass goes behind the next mark, when there is one.
func (s *scanner) pass(mark string) {
	if i := strings.Index(s.text[s.pos:], mark); i >= 0 {
		s.pos += i + len(mark)
	}
}

// option reads an [option] when there is one.
func (s *scanner) option() (string, bool) {
	at := s.pos
	s.spaces()
	if s.peek() != '[' {
		s.pos = at
		return "", false
	}
	return s.balanced('[', ']'), true
}

// address reads the {group} of an address, in which a percent sign is one and begins no comment.
func (s *scanner) address() string {
	s.spaces()
	if s.peek() != '{' {
		return s.group()
	}
	end := addressEnd(s.text, s.pos)
	if end < 0 {
		return s.group()
	}
	address := s.text[s.pos+1 : end]
	s.pos = end + 1
	return address
}

// addressEnd finds the brace that closes the one at start, in the same paragraph; -1 when there is none.
func addressEnd(text string, start int) int {
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '\n':
			if strings.HasPrefix(strings.TrimLeft(text[i+1:min(len(text), i+80)], " \t\r"), "\n") {
				return -1
			}
		}
	}
	return -1
}

// addresses are the commands whose first argument is an address.
var addresses = lazyregexp.New(`^\\(?:url|href|nolinkurl|path)\s*\{`)

// options passes over the [options] that follow.
func (s *scanner) options() {
	for {
		if _, ok := s.option(); !ok {
			return
		}
	}
}

// balanced gives what is between the bracket at pos and the one that closes it. A bracket that nothing closes ends with its
// paragraph, as TeX stops a "runaway argument": the rest of the document is not a part of it.
func (s *scanner) balanced(open, end byte) string {
	depth, braces := 0, 0
	start := s.pos + 1
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '\\':
			if m := addresses.FindString(s.text[s.pos:min(len(s.text), s.pos+40)]); m != "" {
				if close := addressEnd(s.text, s.pos+len(m)-1); close > 0 {
					s.pos = close
					continue
				}
			}
			s.pos++
		case c == '%':
			if line := strings.IndexByte(s.text[s.pos:], '\n'); line >= 0 {
				s.pos += line
			}
		case c == open && (open == '{' || braces == 0):
			depth++
		case c == end && (open == '{' || braces == 0):
			if depth--; depth == 0 {
				s.pos++
				return s.text[start : s.pos-1]
			}
		case c == '{':
			braces++
		case c == '}':
			if braces--; braces < 0 && open == '[' {
				return s.text[start:s.pos]
			}
		}
	}
	start = min(start, len(s.text))
	s.pos = len(s.text)
	if end := paragraphEnd.FindStringIndex(s.text[start:]); end != nil {
		s.pos = start + end[0]
	}
	return s.text[start:s.pos]
}

var paragraphEnd = lazyregexp.New(`\n[ \t\r]*\n`)

// environment gives the source up to the \end of an environment that was just begun, which is passed over.
func (s *scanner) environment(name string) string {
	begin, end := `\begin{`+name+`}`, `\end{`+name+`}`
	depth, start, at := 1, s.pos, s.pos
	for {
		e := strings.Index(s.text[at:], end)
		if e < 0 {
			s.pos = len(s.text)
			return s.text[start:]
		}
		b := strings.Index(s.text[at:at+e], begin)
		if b >= 0 {
			depth++
			at += b + len(begin)
			continue
		}
		at += e + len(end)
		if depth--; depth == 0 {
			s.pos = at
			return s.text[start : at-len(end)]
		}
	}
}

// math gives what is up to the next mark that is not escaped, and passes over the mark.
func (s *scanner) math(mark string) (string, bool) {
	for at := s.pos; at < len(s.text); at++ {
		if strings.HasPrefix(s.text[at:], mark) && !(s.text[at] != '\\' && at > 0 && s.text[at-1] == '\\') {
			tex := s.text[s.pos:at]
			s.pos = at + len(mark)
			return strings.TrimSpace(tex), true
		}
		if s.text[at] == '\n' && mark != `\]` && mark != "$$" && strings.HasPrefix(strings.TrimLeftFunc(s.text[at+1:min(len(s.text), at+80)], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) }), "\n") {
			return "", false // a formula in a line does not reach over the end of a paragraph
		}
	}
	return "", false
}
