package mail

import (
	"sort"
	"strconv"
	"strings"

	"decant/handler/internal/charset"
)

// parameters reads "value; name=text; name*=utf-8”text" (RFC 2045, 2231) as leniently as mailers write it: values with special
// characters need no quotes, of doubled names the first counts, encoded words are decoded where they do not belong.
func parameters(header string) (value string, params map[string]string) {
	pieces := splitParameters(header)
	params = map[string]string{}
	extended := map[string]map[int]string{} // name → section → text, with a sign in front of percent-encoded ones
	for _, piece := range pieces[1:] {
		name, text, ok := strings.Cut(piece, "=")
		if !ok {
			continue
		}
		name, text = strings.ToLower(strings.TrimSpace(name)), unquoteString(strings.TrimSpace(text))
		base, section, isSection := strings.Cut(name, "*")
		if !isSection {
			if _, known := params[name]; !known {
				params[name] = text
			}
			continue
		}
		if extended[base] == nil {
			extended[base] = map[int]string{}
		}
		number, percent := strings.TrimSuffix(section, "*"), strings.HasSuffix(name, "*")
		n, _ := strconv.Atoi(number)
		if percent {
			text = "\x00" + text
		}
		extended[base][n] = text
	}
	for name, sections := range extended {
		params[name] = joinSections(sections)
	}
	for name, text := range params {
		if encodedWord.MatchString(text) {
			params[name] = DecodeWords(text)
		} else {
			params[name] = plainText(text)
		}
	}
	return strings.ToLower(strings.TrimSpace(plainText(pieces[0]))), params
}

// splitParameters cuts at semicolons outside of quotes. There is always a first piece.
func splitParameters(header string) []string {
	var pieces []string
	start, quoted := 0, false
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			pieces = append(pieces, header[start:i])
			start = i + 1
		}
	}
	if quoted { // a quote that nobody closes is no quote
		if rest := strings.Split(header[start:], ";"); len(rest) > 1 {
			return append(pieces, rest...)
		}
	}
	return append(pieces, header[start:])
}

func unquoteString(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return strings.TrimSpace(s)
	}
	s = strings.TrimPrefix(s, `"`)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		} else if s[i] == '"' {
			break
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func joinSections(sections map[int]string) string {
	var numbers []int
	for n := range sections {
		numbers = append(numbers, n)
	}
	sort.Ints(numbers)
	name, raw := "", ""
	for i, n := range numbers {
		text, percent := strings.CutPrefix(sections[n], "\x00")
		if percent && i == 0 {
			if parts := strings.SplitN(text, "'", 3); len(parts) == 3 {
				name, text = parts[0], parts[2]
			}
		}
		if percent {
			text = unquote(text, '%')
		}
		raw += text
	}
	return charset.Decode(raw, name).String
}
