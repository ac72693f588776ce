package convert

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/chunk"
)

// chunkLines writes chunks as lines of JSON, as encoding/json does without escaping HTML. Most of a chunk is its text, for which that
// takes several times as long.
type chunkLines struct {
	w    io.Writer
	head bytes.Buffer
	line []byte
}

func (l *chunkLines) write(c *chunk.Chunk) error {
	frame := *c
	frame.Text = ""
	l.head.Reset()
	e := json.NewEncoder(&l.head)
	e.SetEscapeHTML(false)
	if err := e.Encode(&frame); err != nil {
		return err
	}
	// The marks around a name are escaped in every text, so that the first match is the member.
	before, after, _ := bytes.Cut(l.head.Bytes(), []byte(`"text":""`))
	l.line = append(append(l.line[:0], before...), `"text":`...)
	l.line = append(appendEscaped(l.line, c.Text, &safe), after...)
	_, err := l.w.Write(l.line)
	return err
}

// appendText appends a JSON string, escaped as encoding/json does it.
func appendText(out []byte, text string) []byte { return appendEscaped(out, text, &safeInHTML) }

// appendEscaped appends a JSON string in which the bytes of plain, and characters beyond ASCII, stand for themselves.
func appendEscaped(out []byte, text string, plain *[utf8.RuneSelf]bool) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			out = append(out, text[from:i]...)
			switch at := strings.IndexByte(shortEscaped, c); {
			case c == '"' || c == '\\':
				out = append(out, '\\', c)
			case at >= 0:
				out = append(out, '\\', shortEscapes[at])
			default:
				out = append(out, `\u00`...)
				out = append(out, hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(append(out, text[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029':
			out = append(append(out, text[from:i]...), `\u202`...)
			out = append(out, hexDigits[r&15])
			from = i + size
		}
		i += size
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}

const (
	shortEscaped = "\b\f\n\r\t"
	shortEscapes = "bfnrt"
	hexDigits    = "0123456789abcdef"
)

// Tables of the bytes below utf8.RuneSelf that stand for themselves in a JSON string, one that is safe inside HTML and any other.
var safeInHTML, safe = plainBytes("\"\\<>&"), plainBytes("\"\\")

func plainBytes(except string) (table [utf8.RuneSelf]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		table[c] = strings.IndexByte(except, c) < 0
	}
	return table
}
