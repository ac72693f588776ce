package numfmt

import (
	"math"
	"strings"
)

// Kind says what a format makes of a number.
type Kind uint8

// The kinds. A format has the kind of the section that served the number.
const (
	Number   Kind = iota // a number, a percentage, an amount
	Date                 // a day, perhaps with a time
	Time                 // a time of day
	Duration             // hours, minutes or seconds that count on: [h]:mm
	TextKind             // the format @
)

// Format is a parsed code, safe for concurrent use.
type Format struct {
	code     string
	sections []section
}

// Shown is a number as a person sees it.
type Shown struct {
	Text string
	Kind Kind
	ISO  string // ISO 8601 of a date, time or duration; "" when there is none (a date before 1900)
}

// maxCode bounds a code's length in bytes; Excel allows 255 characters.
const maxCode = 2048

// Parse reads a format code. Every string is a code: what is not understood stands for itself, as in Excel.
func Parse(code string) *Format {
	if len(code) > maxCode {
		code = "General"
	}
	f := &Format{code: code}
	for _, part := range splitSections(code) {
		s := lex(part)
		s.settle()
		f.sections = append(f.sections, s)
		if len(f.sections) == 4 {
			break
		}
	}
	return f
}

// Code is the format as written.
func (f *Format) Code() string { return f.code }

// IsGeneral tells whether the format is plain General, which every cell without a format has.
func (f *Format) IsGeneral() bool {
	return len(f.sections) == 1 && len(f.sections[0].tokens) == 1 && f.sections[0].tokens[0].kind == general || f.code == ""
}

// Kind is what the format makes of positive numbers.
func (f *Format) Kind() Kind { return f.sections[0].kind }

// Number shows a value. raw is the number as the file has it, so that whole numbers beyond 15 digits stay exact; "" is allowed.
// epoch1904 says that day 0 is 1904-01-01 (workbookPr date1904).
func (f *Format) Number(v float64, raw string, epoch1904 bool) Shown {
	if f.IsGeneral() {
		return Shown{Text: General(v, raw)}
	}
	s, signed := f.choose(v)
	if s == nil {
		return Shown{Text: General(v, raw)}
	}
	switch s.kind {
	case Date, Time, Duration:
		return s.dateTime(v, raw, epoch1904)
	case TextKind:
		return Shown{Text: strings.TrimSpace(s.withText(General(v, raw))), Kind: TextKind}
	}
	return Shown{Text: s.number(v, raw, signed)}
}

// Text shows a text cell: the fourth section, or an only section with @, may put words around it.
func (f *Format) Text(text string) string {
	n := len(f.sections)
	if last := &f.sections[n-1]; (n == 4 || last.has(at)) && !last.has(general) {
		return last.withText(text)
	}
	return text
}

// choose finds the section for a value, and whether a minus sign is still to be written in front.
func (f *Format) choose(v float64) (s *section, signed bool) {
	numeric := f.sections
	if n := len(numeric); n > 1 && (n == 4 || numeric[n-1].has(at)) {
		numeric = numeric[:n-1]
	}
	if numeric[0].cond.op != "" || len(numeric) > 1 && numeric[1].cond.op != "" {
		return chooseByCondition(numeric, v)
	}
	switch {
	case len(numeric) == 1 || v > 0 || v == 0 && len(numeric) == 2:
		return &numeric[0], v < 0
	case v < 0:
		return &numeric[1], false
	}
	return &numeric[min(2, len(numeric)-1)], false
}

// chooseByCondition takes the first section whose condition holds; one without a condition takes the rest.
// A section whose condition only lets negative numbers through shows them without the sign, as Excel does.
func chooseByCondition(sections []section, v float64) (*section, bool) {
	for i := range sections {
		s := &sections[i]
		switch {
		case s.cond.op != "" && s.cond.holds(v):
			onlyNegative := (s.cond.op == "<" && s.cond.value <= 0) || (s.cond.op == "<=" && s.cond.value < 0)
			return s, v < 0 && !onlyNegative
		case s.cond.op == "" && i == 1 && len(sections) == 3 && v >= 0:
			continue // [>5]a;b;c: the second is for negative numbers
		case s.cond.op == "":
			return s, v < 0
		}
	}
	return nil, false
}

// settle finds what kind a section is, and tells minutes from months.
func (s *section) settle() {
	for i, t := range s.tokens {
		switch {
		case t.kind == datePart && t.text[0] == '[':
			s.kind = Duration
		case t.kind == datePart && strings.ContainsAny(t.text[:1], "yd") && s.kind != Duration:
			s.kind = Date
		case t.kind == datePart && t.text[0] == 'm' && !s.isMinute(i) && s.kind != Duration:
			s.kind = Date
		case t.kind == datePart && s.kind == Number:
			s.kind = Time
		case t.kind == at && len(s.tokens) == 1:
			s.kind = TextKind
		}
	}
	if s.kind == Time && !s.hasPart("hs") && !s.hasMinute() { // a lone b, e or g is no time
		s.kind = Number
		s.partsToLiterals()
	}
	for i := range s.tokens {
		if s.isMinute(i) {
			s.tokens[i].text = strings.ReplaceAll(s.tokens[i].text, "m", "n") // n: minutes from here on
		}
	}
}

// isMinute tells whether the m at i means minutes: after hours, or before seconds (18.8.31).
func (s *section) isMinute(i int) bool {
	if t := s.tokens[i]; t.kind != datePart || (t.text != "m" && t.text != "mm") {
		return false
	}
	return s.neighbour(i, -1) == 'h' || s.neighbour(i, 1) == 's'
}

// neighbour is the letter of the next date part in a direction.
func (s *section) neighbour(i, step int) byte {
	for i += step; i >= 0 && i < len(s.tokens); i += step {
		if t := s.tokens[i]; t.kind == datePart && t.text != "am/pm" && t.text != "a/p" && t.text[0] != '.' {
			return strings.TrimLeft(t.text, "[")[0]
		}
	}
	return 0
}

func (s *section) has(kind tokenKind) bool {
	for _, t := range s.tokens {
		if t.kind == kind {
			return true
		}
	}
	return false
}

func (s *section) hasPart(letters string) bool {
	for _, t := range s.tokens {
		if t.kind == datePart && strings.ContainsAny(t.text[:1], letters) {
			return true
		}
	}
	return false
}

func (s *section) hasMinute() bool {
	for i := range s.tokens {
		if s.isMinute(i) {
			return true
		}
	}
	return false
}

func (s *section) partsToLiterals() {
	for i := range s.tokens {
		if s.tokens[i].kind == datePart {
			s.tokens[i].kind = literal
		}
	}
}

// withText writes the section with text in the place of @ and General.
func (s *section) withText(text string) string {
	var b strings.Builder
	for _, t := range s.tokens {
		switch t.kind {
		case at, general:
			b.WriteString(text)
		case literal:
			b.WriteString(t.text)
		}
	}
	return b.String()
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
