package mail

import (
	"strings"

	"decant/handler/internal/charset"
)

// Header is the list of fields at the top of a message or part, in order.
type Header []Field

// Field is one header field with its value unfolded but not decoded.
type Field struct {
	Name  string // lower case
	Value string
}

// Raw gives a field's value as it stands, or "".
func (h Header) Raw(name string) string {
	for _, f := range h {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Text gives a field's value with its encoded words decoded.
func (h Header) Text(name string) string { return DecodeWords(h.Raw(name)) }

// All gives the raw values of all fields of that name.
func (h Header) All(name string) []string {
	var list []string
	for _, f := range h {
		if f.Name == name {
			list = append(list, f.Value)
		}
	}
	return list
}

// Bounds of a header: more is no mail.
const (
	maxFields     = 2000
	maxFieldBytes = 256 << 10
)

// readHeader reads fields up to a blank line, or to a line that cannot be one, and gives what follows.
// repaired counts lines that break the rules.
func readHeader(text string) (h Header, body string, repaired int) {
	for len(text) > 0 {
		line, rest := cutLine(text)
		switch {
		case strings.TrimRight(line, " \t") == "":
			return h, rest, repaired
		case line[0] == ' ' || line[0] == '\t':
			if n := len(h); n > 0 && len(h[n-1].Value) < maxFieldBytes {
				h[n-1].Value += " " + strings.TrimSpace(line)
			}
		default:
			name, value, ok := strings.Cut(line, ":")
			name = strings.TrimRight(name, " \t")
			if !ok || name == "" || strings.ContainsAny(name, " \t<>@\"()[]") {
				if isEnvelope(line) {
					break
				}
				repaired++
				if len(h) == 0 || !looksLikeFields(rest) {
					return h, text, repaired
				}
				break
			}
			if len(h) < maxFields {
				h = append(h, Field{strings.ToLower(name), strings.TrimSpace(value)})
			}
		}
		text = rest
	}
	return h, "", repaired
}

// isEnvelope tells the line with which an mbox or a server begins a message.
func isEnvelope(line string) bool {
	return strings.HasPrefix(line, "From ") || strings.HasPrefix(line, ">From ")
}

// looksLikeFields tells whether the next line is a header field, so that a broken one before it can be passed over.
func looksLikeFields(text string) bool {
	line, _ := cutLine(text)
	name, _, ok := strings.Cut(line, ":")
	return ok && name != "" && !strings.ContainsAny(name, " \t") && len(name) < 60
}

// cutLine gives the first line without its end, and the rest.
func cutLine(text string) (line, rest string) {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return text, ""
	}
	line = text[:i]
	if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		i++
	}
	return line, text[i+1:]
}

// plainText decodes a value that has raw non-ASCII bytes, as many mailers write against the rules.
func plainText(value string) string { return charset.Decode(value).String }
