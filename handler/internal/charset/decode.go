package charset

import (
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// How says what made Decode choose an encoding.
type How string

// The reasons for an encoding.
const (
	ByBOM         How = "bom"
	ByPattern     How = "pattern"    // zero bytes or escape sequences
	ByValidity    How = "utf-8"      // the bytes are well-formed UTF-8
	ByDeclaration How = "declared"   // what the caller said, and the bytes fit
	ByGuess       How = "guessed"    // letters and their neighbours over the whole text
	ByDefault     How = "by default" // nothing fits well
)

// Text is decoded text.
type Text struct {
	String  string // UTF-8, without byte order mark
	Name    string // the encoding, as WHATWG spells it in lower case: "windows-1252"
	How     How
	Invalid int // sequences that are not text in this encoding and became U+FFFD
}

// Guessed tells whether the encoding was neither declared nor evident.
func (t Text) Guessed() bool { return t.How == ByGuess || t.How == ByDefault }

// Decode gives raw as UTF-8. The declared names (from a header, a tag, a mail part) are tried in order; unknown ones are skipped.
func Decode(raw string, declared ...string) Text {
	if name, size := bom(raw); name != "" {
		return decodeAs(raw[size:], name, ByBOM)
	}
	if name := zeroPattern(raw); name != "" {
		return decodeAs(raw, name, ByPattern)
	}
	if name := escapes(raw, declared); name != "" {
		return decodeAs(raw, name, ByPattern)
	}
	if utf8.ValidString(raw) {
		return Text{String: raw, Name: "utf-8", How: ByValidity}
	}
	for _, label := range declared {
		if t, ok := tryDeclared(raw, label); ok {
			return t
		}
	}
	if mostlyUTF8(raw) {
		return decodeAs(raw, "utf-8", ByValidity)
	}
	if t, ok := decodeMixed(raw); ok {
		return t
	}
	name, sure := guess(raw)
	how := ByGuess
	if !sure {
		how = ByDefault
	}
	return decodeAs(raw, name, how)
}

// tryDeclared decodes by a declaration unless the bytes contradict it in more than one place of a hundred.
func tryDeclared(raw, label string) (Text, bool) {
	name, _, ok := Lookup(label)
	if !ok || strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") {
		return Text{}, false // the zero pattern would have shown it
	}
	if name == "utf-8" && !mostlyUTF8(raw) {
		return Text{}, false
	}
	t := decodeAs(raw, name, ByDeclaration)
	return t, name == "utf-8" || t.Invalid*100 <= len(raw)
}

func decodeAs(raw, name string, how How) Text {
	if name == "utf-8" {
		if utf8.ValidString(raw) {
			return Text{String: raw, Name: name, How: how}
		}
		return Text{String: strings.ToValidUTF8(raw, "\uFFFD"), Name: name, How: how, Invalid: countInvalid(raw)}
	}
	_, enc, _ := Lookup(name)
	s := convert(raw, enc)
	return Text{String: s, Name: name, How: how, Invalid: strings.Count(s, "\uFFFD")}
}

// convert decodes without ever holding more than raw, the result and a small buffer.
func convert(raw string, enc encoding.Encoding) string {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/16)
	// A decoder of x/text replaces what it cannot read; its error is only that of the reader, which has none.
	_, _ = io.Copy(&b, transform.NewReader(strings.NewReader(raw), enc.NewDecoder()))
	return b.String()
}

// ReadAll reads r into a string once, without the doubling that io.ReadAll and a conversion need. size is a hint in bytes.
func ReadAll(r io.Reader, size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(max(0, size)))
	_, err := io.Copy(&b, r)
	return b.String(), err
}

func countInvalid(raw string) int {
	n := 0
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && size == 1 {
			n++
		}
		i += size
	}
	return n
}

// mostlyUTF8 tells a UTF-8 text with a few broken bytes from a text in another encoding:
// at least nine of ten non-ASCII sequences are well-formed.
func mostlyUTF8(raw string) bool {
	good, bad := 0, 0
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return good >= 9*bad && good > 0
}

// IsText tells whether data, the start of a file, is text in some encoding: no zero bytes but those of UTF-16 and UTF-32,
// and next to no control characters.
func IsText(data []byte) bool {
	raw := string(data)
	if name, _ := bom(raw); name != "" {
		return true
	}
	if name := zeroPattern(raw); name != "" {
		return true
	}
	odd := 0
	for _, c := range data {
		if c == 0 {
			return false
		}
		if c >= 0x1C && c <= 0x1F || c == 1 {
			continue // ASCII's own separators of values and records, and what Hive takes
		}
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && c != 0x1a && c != 0x1b {
			odd++
		}
	}
	return odd*100 <= len(data)
}
