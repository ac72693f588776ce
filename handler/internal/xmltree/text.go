package xmltree

import (
	"bytes"
	"html"
	"strconv"
	"unicode/utf8"
)

// decode turns character data into text: entities, line ends, invalid bytes.
func (s *Scanner) decode(raw []byte) []byte {
	if bytes.IndexByte(raw, '&') < 0 {
		return s.valid(raw)
	}
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			out = append(out, raw...)
			break
		}
		out = append(out, raw[:i]...)
		text, size := s.entity(raw[i:])
		out = append(out, text...)
		raw = raw[i+size:]
	}
	return s.valid(out)
}

var predefined = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// entity decodes the reference at the start of raw. What is none stays as it is.
func (s *Scanner) entity(raw []byte) (text string, size int) {
	end := bytes.IndexByte(raw[:min(len(raw), 40)], ';')
	if end < 2 {
		s.damage.Entities = true
		return "&", 1
	}
	name := string(raw[1:end])
	if text, ok := predefined[name]; ok {
		return text, end + 1
	}
	if name[0] == '#' {
		if r, ok := characterNumber(name[1:]); ok {
			return string(r), end + 1
		}
		return "\uFFFD", end + 1
	}
	whole := string(raw[:end+1])
	if text := html.UnescapeString(whole); text != whole && !bytes.HasSuffix([]byte(text), []byte(";")) {
		return text, end + 1
	}
	s.damage.Entities = true
	return "&", 1
}

func characterNumber(digits string) (rune, bool) {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || n <= 0 || !utf8.ValidRune(rune(n)) || isControl(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

// isControl tells whether XML 1.0 (2.2) forbids the character in text.
func isControl(r rune) bool { return r < 0x20 && r != '\t' && r != '\n' && r != '\r' }

// valid is raw itself when it is clean text, else a repaired copy.
func (s *Scanner) valid(raw []byte) []byte {
	clean := true
	for _, c := range raw {
		if c < 0x20 && c != '\t' && c != '\n' || c >= 0x80 {
			clean = false
			break
		}
	}
	if clean || utf8.Valid(raw) && !bytes.ContainsFunc(raw, func(r rune) bool { return r < 0x20 && r != '\t' && r != '\n' }) {
		return raw
	}
	return s.repair(raw)
}

func (s *Scanner) repair(raw []byte) []byte {
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		switch {
		case r == utf8.RuneError && size == 1:
			s.damage.Invalid = true
			out = append(out, "\uFFFD"...)
		case isControl(r):
			s.damage.Invalid = true
		default:
			out = append(out, raw[:size]...)
		}
		raw = raw[size:]
	}
	return out
}
