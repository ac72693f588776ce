package rst

import (
	"html"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

var substitutionMark = lazyregexp.New(`^\.\. \|([^|]+)\| (replace|image|unicode|date)::\s*(.*)$`)

// define takes in the substitution that begins at line i, when one does.
func (s *shared) define(lines []string, i int) {
	m := substitutionMark.FindStringSubmatch(lines[i])
	if m == nil {
		return
	}
	text, alt := m[3], m[1]
	for _, line := range lines[i+1:] {
		if line == "" || line[0] != ' ' {
			break
		}
		if option := fieldLine.FindStringSubmatch(strings.TrimSpace(line)); option != nil {
			if option[1] == "alt" {
				alt = option[2]
			}
			continue
		}
		text += " " + strings.TrimSpace(line)
	}
	value := ""
	switch m[2] {
	case "replace":
		inner := parser{shared: &shared{targets: s.targets}}
		value = inner.inline(text)
	case "image":
		value = `<img src="` + html.EscapeString(text) + `" alt="` + html.EscapeString(alt) + `">`
	case "unicode":
		value = html.EscapeString(codes(text))
	}
	if s.replaced == nil {
		s.replaced = map[string]string{}
	}
	s.replaced[normal(m[1])] = value
}

// codes reads characters by number ("0xA9", "U+00A9", "169") and text between them; what follows two dots is a remark.
func codes(text string) string {
	text, _, _ = strings.Cut(text, ".. ")
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		digits := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(word), "0x"), "u+"), "x")
		base := 16
		if digits == strings.ToLower(word) {
			base = 10
		}
		if n, err := strconv.ParseUint(digits, base, 21); err == nil {
			b.WriteRune(rune(n))
		} else {
			b.WriteString(word)
		}
	}
	return b.String()
}

// unnamedNote gives the marks "#" and "*", which are numbered by their order, names of their own. Definitions and links are counted
// apart: side says which it is.
func (s *shared) unnamedNote(label, side string) string {
	if label != "#" && label != "*" {
		return label
	}
	if s.unnamed == nil {
		s.unnamed = map[string]int{}
	}
	s.unnamed[side+label]++
	return label + strconv.Itoa(s.unnamed[side+label])
}
