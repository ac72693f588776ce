package xmltree

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// more makes at least n bytes available from pos, if the input has them.
func (s *Scanner) more(n int) bool {
	for len(s.buf)-s.pos < n && !s.eof {
		s.fill()
	}
	return len(s.buf)-s.pos >= n
}

// fill reads on: what was passed is given up, and the buffer grows only when one token fills it.
func (s *Scanner) fill() {
	if s.pos > 0 && (s.pos == len(s.buf) || len(s.buf) == cap(s.buf)) {
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	if len(s.buf) == cap(s.buf) {
		grown := make([]byte, len(s.buf), max(bufferSize, 2*cap(s.buf)))
		copy(grown, s.buf)
		s.buf = grown
	}
	n, err := s.input.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.eof = true
		if !errors.Is(err, io.EOF) {
			s.err = err
		}
	}
}

// tagSize is the length of the tag at pos, up to its ">" outside quotes. A tag that never ends is given up: -1.
func (s *Scanner) tagSize() int {
	var quote byte
	for i := 1; ; {
		for _, c := range s.buf[min(s.pos+i, len(s.buf)):] {
			i++
			switch {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				return i
			}
		}
		if i > maxTag || !s.more(i+1) {
			s.damage.Truncated = true
			s.pos = len(s.buf)
			return -1
		}
	}
}

// skipPast passes over everything up to and including mark.
func (s *Scanner) skipPast(mark []byte) {
	for {
		if i := bytes.Index(s.buf[s.pos:], mark); i >= 0 {
			s.pos += i + len(mark)
			return
		}
		s.pos = max(s.pos, len(s.buf)-len(mark)+1)
		if !s.more(len(mark)) {
			s.pos = len(s.buf)
			return
		}
	}
}

// skipDoctype passes over a declaration with its internal subset. Nothing in it is used.
func (s *Scanner) skipDoctype() {
	var quote byte
	for brackets := 0; s.more(1); s.pos++ {
		switch c := s.buf[s.pos]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case brackets > 0 && (c == '"' || c == '\''):
			quote = c
		case c == '[':
			brackets++
		case c == ']':
			brackets--
		case c == '>' && brackets <= 0:
			s.pos++
			return
		}
	}
}

// readText reads text up to the next tag, or as much as the buffer holds.
func (s *Scanner) readText() {
	for {
		rest := s.buf[s.pos:]
		end := bytes.IndexByte(rest, '<')
		if end < 0 && len(rest) < bufferSize && !s.eof {
			s.more(len(rest) + 1)
			continue
		}
		if end < 0 {
			end = len(rest)
			if !s.eof {
				end = safeCut(rest)
			}
		}
		s.pos += end
		s.kind, s.text = Text, s.decode(rest[:end])
		return
	}
}

// readCDATA reads a piece of a CDATA section and tells whether there was any text.
func (s *Scanner) readCDATA() bool {
	for {
		rest := s.buf[s.pos:]
		end := bytes.Index(rest, []byte("]]>"))
		if end < 0 && len(rest) < bufferSize && !s.eof {
			s.more(len(rest) + 1)
			continue
		}
		switch {
		case end >= 0:
			s.cdata = false
			s.pos += end + 3
		case s.eof:
			s.cdata = false
			end = len(rest)
			s.pos += end
		default:
			end = safeCut(rest[:len(rest)-2])
			s.pos += end
		}
		s.kind, s.text = Text, s.valid(rest[:end])
		return end > 0
	}
}

// safeCut is where text that goes on may be cut: not inside a character, not inside an entity, not inside a line end.
func safeCut(text []byte) int {
	const longestEntity = 40
	end := len(text)
	if i := bytes.LastIndexByte(text, '&'); i > 0 && i > end-longestEntity && bytes.IndexByte(text[i:], ';') < 0 {
		end = i
	}
	for i := 1; i < utf8.UTFMax && i < end; i++ {
		if utf8.RuneStart(text[end-i]) {
			if !utf8.FullRune(text[end-i : end]) {
				end -= i
			}
			break
		}
	}
	if end > 1 && text[end-1] == '\r' {
		end--
	}
	return end
}
