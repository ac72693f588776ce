package bicep

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// token is a word of the language. A string is already taken apart.
type token struct {
	kind string // name, int, string, symbol, end
	text string
	expr Expr // of a string
	line int
	nl   bool // a line ended before it
}

// lexer cuts a text into tokens.
type lexer struct {
	file string
	text []rune
	at   int
	line int
}

func (l *lexer) fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.file, l.line, fmt.Sprintf(format, args...))
}

// tokens reads all of it.
func (l *lexer) tokens() ([]token, error) {
	var list []token
	for {
		nl, err := l.skip()
		if err != nil {
			return nil, err
		}
		if l.at >= len(l.text) {
			return append(list, token{kind: "end", line: l.line, nl: true}), nil
		}
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		t.nl = nl
		list = append(list, t)
	}
}

// skip passes over space and comments and tells whether a line ended.
func (l *lexer) skip() (nl bool, err error) {
	for l.at < len(l.text) {
		switch {
		case l.text[l.at] == '\n':
			nl = true
			l.line++
			l.at++
		case unicode.IsSpace(l.text[l.at]):
			l.at++
		case l.has("//"):
			for l.at < len(l.text) && l.text[l.at] != '\n' {
				l.at++
			}
		case l.has("/*"):
			end := strings.Index(string(l.text[l.at:]), "*/")
			if end < 0 {
				return nl, l.fail("a comment is not closed")
			}
			comment := []rune(string(l.text[l.at:])[:end+2])
			l.line += strings.Count(string(comment), "\n")
			l.at += len(comment)
		default:
			return nl, nil
		}
	}
	return nl, nil
}

func (l *lexer) has(s string) bool {
	return strings.HasPrefix(string(l.text[l.at:min(len(l.text), l.at+len(s))]), s)
}

var symbols = []string{"=>", "==", "!=", "<=", ">=", "&&", "||", "??", ".?"}

func (l *lexer) next() (token, error) {
	start, c := l.at, l.text[l.at]
	switch {
	case c == '\'':
		return l.str()
	case unicode.IsLetter(c) || c == '_':
		for l.at < len(l.text) && (unicode.IsLetter(l.text[l.at]) || unicode.IsDigit(l.text[l.at]) || l.text[l.at] == '_') {
			l.at++
		}
		return token{kind: "name", text: string(l.text[start:l.at]), line: l.line}, nil
	case unicode.IsDigit(c):
		for l.at < len(l.text) && unicode.IsDigit(l.text[l.at]) {
			l.at++
		}
		return token{kind: "int", text: string(l.text[start:l.at]), line: l.line}, nil
	}
	for _, s := range symbols {
		if l.has(s) {
			l.at += len(s)
			return token{kind: "symbol", text: s, line: l.line}, nil
		}
	}
	if !strings.ContainsRune("{}[]()=:.,?!<>+-*/%@|", c) {
		return token{}, l.fail("unexpected %q", c)
	}
	l.at++
	return token{kind: "symbol", text: string(c), line: l.line}, nil
}

var escapes = map[rune]string{'\'': "'", '\\': "\\", 'n': "\n", 'r': "\r", 't': "\t", '$': "$"}

// str reads a string with its interpolations.
func (l *lexer) str() (token, error) {
	l.at++
	var text strings.Builder
	var parts []Expr
	for {
		if l.at >= len(l.text) || l.text[l.at] == '\n' {
			return token{}, l.fail("a string is not closed")
		}
		c := l.text[l.at]
		switch {
		case c == '\'':
			l.at++
			if len(parts) == 0 {
				return token{kind: "string", expr: Literal{text.String()}, line: l.line}, nil
			}
			return token{kind: "string", expr: Text{append(parts, Literal{text.String()})}, line: l.line}, nil
		case c == '\\' && l.at+1 < len(l.text):
			known, ok := escapes[l.text[l.at+1]]
			if !ok {
				return token{}, l.fail("unknown escape %q", string(l.text[l.at:l.at+2]))
			}
			text.WriteString(known)
			l.at += 2
		case l.has("${"):
			inner, err := l.interpolation()
			if err != nil {
				return token{}, err
			}
			parts = append(parts, Literal{text.String()}, inner)
			text.Reset()
		default:
			text.WriteRune(c)
			l.at++
		}
	}
}

// interpolation reads ${...}: what stands in it may hold strings and braces of its own.
func (l *lexer) interpolation() (Expr, error) {
	l.at += 2
	start, depth, quoted := l.at, 1, false
	for ; l.at < len(l.text) && l.text[l.at] != '\n'; l.at++ {
		switch c := l.text[l.at]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		if depth == 0 {
			p, err := newParser(l.file, string(l.text[start:l.at]), l.line)
			if err != nil {
				return nil, err
			}
			l.at++
			return p.only()
		}
	}
	return nil, l.fail("${ is not closed")
}

func number(text string) (Expr, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	return Literal{n}, err
}
