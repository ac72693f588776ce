package numfmt

import (
	"strings"
	"unicode/utf8"
)

// tokenKind says what a piece of a section does.
type tokenKind uint8

const (
	literal  tokenKind = iota // text shown as it is
	digit                     // 0 # ?
	point                     // the decimal point
	group                     // a comma: thousands, or scaling by 1000 when it ends the digits
	percent                   // %
	exponent                  // E+ E- e+ e-
	slash                     // / of a fraction
	general                   // the word General
	at                        // @, the cell's text
	datePart                  // y m d h s b e g, AM/PM, [h] [m] [s], fractions of seconds
)

type token struct {
	kind tokenKind
	text string // of a datePart: lower case, "mmm", "am/pm", "[h]", ".00"
}

// section is one of a code's sections.
type section struct {
	tokens []token
	cond   condition
	kind   Kind
}

// condition decides whether a section serves a number: [>=100].
type condition struct {
	op    string // "" for none
	value float64
}

func (c condition) holds(v float64) bool {
	switch c.op {
	case "<":
		return v < c.value
	case "<=":
		return v <= c.value
	case ">":
		return v > c.value
	case ">=":
		return v >= c.value
	case "=":
		return v == c.value
	case "<>":
		return v != c.value
	}
	return false
}

// splitSections cuts a code at its semicolons, leaving quoted and escaped ones.
func splitSections(code string) []string {
	var parts []string
	start, quoted, bracket := 0, false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case quoted:
			quoted = c != '"'
		case bracket:
			bracket = c != ']'
		case c == '"':
			quoted = true
		case c == '[':
			bracket = true
		case c == '\\' || c == '_' || c == '*':
			i++
		case c == ';':
			parts = append(parts, code[start:i])
			start = i + 1
		}
	}
	return append(parts, code[start:])
}

// lexer cuts one section into tokens.
type lexer struct {
	rest string
	out  section
}

func lex(text string) section {
	l := lexer{rest: text}
	for l.rest != "" {
		l.step()
	}
	return l.out
}

func (l *lexer) emit(kind tokenKind, text string) {
	if n := len(l.out.tokens); kind == literal && n > 0 && l.out.tokens[n-1].kind == literal {
		l.out.tokens[n-1].text += text
		return
	}
	l.out.tokens = append(l.out.tokens, token{kind, text})
}

// step reads one token from the front.
func (l *lexer) step() {
	r, size := utf8.DecodeRuneInString(l.rest)
	switch r {
	case '"':
		l.quoted()
	case '\\':
		l.escaped(func(char string) { l.emit(literal, char) })
	case '_': // a space as wide as the next character
		l.escaped(func(string) { l.emit(literal, " ") })
	case '*': // fill the column with the next character: not text
		l.escaped(func(string) {})
	case '[':
		l.bracket()
	case '0', '#', '?':
		l.take(digit, size)
	case '.':
		l.fractionOrPoint()
	case ',':
		l.take(group, size)
	case '%':
		l.take(percent, size)
	case '/':
		l.take(slash, size)
	case '@':
		l.take(at, size)
	default:
		l.word(r, size)
	}
}

func (l *lexer) take(kind tokenKind, size int) {
	l.emit(kind, l.rest[:size])
	l.rest = l.rest[size:]
}

func (l *lexer) quoted() {
	end := strings.IndexByte(l.rest[1:], '"')
	if end < 0 {
		l.emit(literal, l.rest[1:])
		l.rest = ""
		return
	}
	l.emit(literal, l.rest[1:1+end])
	l.rest = l.rest[2+end:]
}

func (l *lexer) escaped(use func(char string)) {
	_, size := utf8.DecodeRuneInString(l.rest[1:])
	if size > 0 {
		use(l.rest[1 : 1+size])
	}
	l.rest = l.rest[1+size:]
}

// fractionOrPoint tells "ss.00" from "0.00".
func (l *lexer) fractionOrPoint() {
	zeros := len(l.rest[1:]) - len(strings.TrimLeft(l.rest[1:], "0"))
	if zeros > 0 && l.lastDatePart() == 's' {
		l.take(datePart, 1+zeros)
		return
	}
	l.take(point, 1)
}

// lastDatePart is the letter of the last token when that is a date part, looking past nothing.
func (l *lexer) lastDatePart() byte {
	if n := len(l.out.tokens); n > 0 && l.out.tokens[n-1].kind == datePart {
		return strings.TrimLeft(l.out.tokens[n-1].text, "[")[0]
	}
	return 0
}

// word reads letters: General, E+, AM/PM, date parts, or text that stands for itself.
func (l *lexer) word(r rune, size int) {
	lower := strings.ToLower(l.rest[:min(len(l.rest), 16)])
	switch {
	case strings.HasPrefix(lower, "general"):
		l.take(general, len("general"))
	case strings.HasPrefix(lower, "standard"): // LibreOffice in German
		l.take(general, len("standard"))
	case strings.HasPrefix(lower, "am/pm"):
		l.out.tokens = append(l.out.tokens, token{datePart, "am/pm"})
		l.rest = l.rest[5:]
	case strings.HasPrefix(lower, "a/p"):
		l.out.tokens = append(l.out.tokens, token{datePart, "a/p"})
		l.rest = l.rest[3:]
	case strings.HasPrefix(lower, "e+") || strings.HasPrefix(lower, "e-"):
		l.take(exponent, 2)
	case strings.ContainsRune("ymdhsbeg", r|0x20) && r < 0x80:
		n := len(lower) - len(strings.TrimLeft(lower, string(r|0x20)))
		l.out.tokens = append(l.out.tokens, token{datePart, lower[:n]})
		l.rest = l.rest[n:]
	default:
		l.take(literal, size)
	}
}
