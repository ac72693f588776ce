package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
)

// decoded gives a body without its transfer encoding. Reading never fails: damage ends or garbles the text, as in a mail program.
func decoded(body, encoding string) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.RawStdEncoding, &base64Cleaner{text: body})
	case "quoted-printable":
		return &quotedReader{text: body}
	case "x-uuencode", "uuencode", "uue", "x-uue":
		return bytes.NewReader(uudecode(body))
	}
	return strings.NewReader(body)
}

// base64Cleaner passes on the characters of base64 only: mailers wrap, pad and append what they like.
// The last characters that make no byte are left out, so that the strict decoder behind it never complains.
type base64Cleaner struct {
	text string
	kept int
}

func (c *base64Cleaner) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && c.text != "" {
		b := c.text[0]
		c.text = c.text[1:]
		switch {
		case b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/':
		case b == '-':
			b = '+'
		case b == '_':
			b = '/'
		default:
			continue
		}
		if c.kept%4 == 0 && !c.hasMore() {
			c.text = ""
			break
		}
		p[n] = b
		n++
		c.kept++
	}
	if n == 0 && c.text == "" {
		return 0, io.EOF
	}
	return n, nil
}

// hasMore tells whether another base64 character follows: one alone at the end makes no byte.
func (c *base64Cleaner) hasMore() bool {
	for i := range len(c.text) {
		b := c.text[i]
		if b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '-' || b == '_' {
			return true
		}
	}
	return false
}

// quotedReader decodes quoted-printable line by line and keeps what is not valid.
type quotedReader struct {
	text string
	buf  []byte
}

func (q *quotedReader) Read(p []byte) (int, error) {
	for len(q.buf) == 0 {
		if q.text == "" {
			return 0, io.EOF
		}
		line := q.text
		end := strings.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end+1]
		}
		q.text = q.text[len(line):]
		body := strings.TrimRight(line, " \t\r\n")
		lineEnd := ""
		if end >= 0 {
			lineEnd = "\n"
		}
		if strings.HasSuffix(body, "=") {
			body, lineEnd = body[:len(body)-1], ""
		}
		q.buf = []byte(unquote(body, '=') + lineEnd)
	}
	n := copy(p, q.buf)
	q.buf = q.buf[n:]
	return n, nil
}

// uudecode reads the lines between begin and end.
func uudecode(body string) []byte {
	var out []byte
	inside := false
	for body != "" {
		var line string
		line, body = cutLine(body)
		switch {
		case strings.HasPrefix(line, "begin "):
			inside = true
		case line == "end":
			return out
		case inside && line != "":
			out = append(out, uuLine(line)...)
		}
	}
	return out
}

func uuLine(line string) []byte {
	size := int(line[0]-' ') & 63
	var out []byte
	for i := 1; i+3 < len(line)+3 && len(out) < size; i += 4 {
		var c [4]byte
		for j := range c {
			if i+j < len(line) {
				c[j] = (line[i+j] - ' ') & 63
			}
		}
		out = append(out, c[0]<<2|c[1]>>4, c[1]<<4|c[2]>>2, c[2]<<6|c[3])
	}
	return out[:min(len(out), size)]
}
