package latex

import (
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// macro is a command that the document defines.
type macro struct {
	arguments   int
	fallback    string // of the first argument, when that is optional
	hasFallback bool
	body        string
	operator    bool // made by \DeclareMathOperator: for formulas only
}

// environment is an environment that the document defines.
type environment struct {
	macro
	end string
}

// Bounds of definitions.
const (
	maxDefinitions = 1000
	maxMacroBody   = 2000    // bytes; a longer one is a program
	maxExpanded    = 1 << 20 // bytes that one formula may grow by
)

var (
	newCommand     = lazyregexp.New(`(?m)^[^%\n]*?\\(?:re|provide)?(?:new)?command\*?\s*\{?\\([A-Za-z]+)\}?\s*(?:\[(\d)\]\s*)?(?:\[([^\]\n]*)\]\s*)?\{`)
	defCommand     = lazyregexp.New(`\\def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*\{`)
	newOperator    = lazyregexp.New(`\\DeclareMathOperator(\*?)\s*\{?\\([A-Za-z]+)\}?\s*\{`)
	newEnvironment = lazyregexp.New(`\\(?:re)?newenvironment\*?\s*\{([A-Za-z*]+)\}\s*(?:\[(\d)\]\s*)?(?:\[([^\]\n]*)\]\s*)?\{`)
	newTheorem     = lazyregexp.New(`\\newtheorem\*?\s*\{([A-Za-z*]+)\}\s*(?:\[[^\]\n]*\]\s*)?\{([^{}\n]+)\}`)
)

// readMacros takes the definitions of a source.
func (w *writer) readMacros(source string) {
	each(source, newCommand, func(m []string, s *scanner) {
		w.define(m[1], macro{arguments: digit(m[2]), fallback: m[3], hasFallback: m[3] != "" || strings.Contains(m[0], "[]"), body: s.balanced('{', '}')})
	})
	each(source, defCommand, func(m []string, s *scanner) {
		w.define(m[1], macro{arguments: len(m[2]) / 2, body: s.balanced('{', '}')})
	})
	each(source, newOperator, func(m []string, s *scanner) {
		w.define(m[2], macro{operator: true, body: `\operatorname` + m[1] + `{` + s.balanced('{', '}') + `}`})
	})
	each(source, newEnvironment, func(m []string, s *scanner) {
		e := environment{macro: macro{arguments: digit(m[2]), fallback: m[3], hasFallback: m[3] != "", body: s.balanced('{', '}')}}
		if s.spaces(); s.peek() == '{' {
			e.end = s.balanced('{', '}')
		}
		if begin := `\begin{` + m[1] + `}`; len(e.body)+len(e.end) < maxMacroBody && !strings.Contains(e.body, begin) {
			w.environments[m[1]] = e
		}
	})
	for _, m := range newTheorem.FindAllStringSubmatch(source, maxDefinitions) {
		w.theorems[strings.TrimSuffix(m[1], "*")] = w.convert(m[2])
	}
}

func (w *writer) define(name string, m macro) {
	if len(m.body) < maxMacroBody && !strings.Contains(m.body, `\`+name) {
		w.macros[name] = m
	}
}

// each calls define for what a pattern finds, with a scanner at the brace that ends it.
func each(source string, pattern *lazyregexp.Regexp, define func(groups []string, s *scanner)) {
	for _, at := range pattern.FindAllStringSubmatchIndex(source, maxDefinitions) {
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = source[at[2*i]:at[2*i+1]]
			}
		}
		define(groups, &scanner{text: source, pos: at[1] - 1})
	}
}

func digit(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// expand reads the arguments that follow and puts them into the body.
func (m macro) expand(s *scanner) string { return m.fill(m.body, m.read(s)) }

func (m macro) read(s *scanner) []string {
	var values []string
	for i := range m.arguments {
		if i == 0 && m.hasFallback {
			value, ok := s.option()
			if !ok {
				value = m.fallback
			}
			values = append(values, value)
			continue
		}
		values = append(values, s.group())
	}
	return values
}

func (m macro) fill(body string, values []string) string {
	if len(values) == 0 {
		return body
	}
	return parameter.ReplaceAllStringFunc(body, func(m string) string {
		value, word := "", strings.HasPrefix(m, `\`)
		if n := int(m[len(m)-1] - '1'); n < len(values) {
			value = values[n]
		}
		if word && value != "" && isLetter(value[0]) {
			value = " " + value // what follows a control word is not a part of it
		}
		return m[:len(m)-2] + value
	})
}

var parameter = lazyregexp.New(`(?:\\[A-Za-z]+)?#[1-9]`)

// around puts what an environment begins and ends with around its body.
func (e environment) around(body string) string {
	s := &scanner{text: body}
	values := e.read(s)
	return e.fill(e.body, values) + body[s.pos:] + e.end
}

// expandMath puts the document's own commands into a formula.
func (w *writer) expandMath(tex string) string {
	if len(w.macros) == 0 || !strings.Contains(tex, `\`) {
		return tex
	}
	for range 8 { // macros of macros
		var b strings.Builder
		s, found := &scanner{text: tex}, false
		for s.more() {
			next := strings.IndexByte(s.text[s.pos:], '\\')
			if next < 0 {
				break
			}
			b.WriteString(s.text[s.pos : s.pos+next])
			at := s.pos + next
			s.pos = at + 1
			m, ok := w.macros[strings.TrimSuffix(s.command(), "*")]
			if !ok || w.replaced >= maxMacros || b.Len() > maxExpanded {
				b.WriteString(s.text[at:s.pos])
				continue
			}
			w.replaced, found = w.replaced+1, true
			body := m.expand(s)
			b.WriteString(body)
			if s.more() && isLetter(s.peek()) && body != "" && isLetter(body[len(body)-1]) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(s.text[s.pos:])
		if tex = b.String(); !found {
			break
		}
	}
	return tex
}
