package charset

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// mixedName begins the name of a text in two encodings.
const mixedName = "utf-8 and "

// decodeMixed reads a text that was put together of lines in UTF-8 and lines in another encoding, as logs, mailboxes and merged
// tables are: each line by itself. At least half of the lines with non-ASCII characters must be UTF-8, one of them with two such
// characters, or three: by chance, lines in other encodings are not.
func decodeMixed(raw string) (Text, bool) {
	good, strong := 0, 0
	var other strings.Builder
	bad := 0
	for line := range strings.SplitAfterSeq(raw, "\n") {
		switch {
		case isASCII(line):
		case utf8.ValidString(line):
			good++
			if utf8.RuneCountInString(line)+1 < len(line) {
				strong++
			}
		default:
			bad++
			if other.Len() < evidenceTotal {
				other.WriteString(line)
			}
		}
	}
	if good < bad || strong == 0 && good < 3 {
		return Text{}, false
	}
	name, _ := guess(other.String())
	_, enc, ok := Lookup(name)
	if !ok {
		return Text{}, false
	}
	return Text{String: byLine(raw, enc), Name: mixedName + name, How: ByGuess}, true
}

// byLine decodes the lines that are not UTF-8.
func byLine(raw string, enc encoding.Encoding) string {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/16)
	for line := range strings.SplitAfterSeq(raw, "\n") {
		if !utf8.ValidString(line) {
			line = convert(line, enc)
		}
		b.WriteString(line)
	}
	return b.String()
}

// lineReader decodes the lines of a text that are not UTF-8.
type lineReader struct {
	in    *bufio.Reader
	enc   encoding.Encoding
	carry []byte // the start of a character that the buffer cut
	out   []byte
}

func newLineReader(r io.Reader, enc encoding.Encoding) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, surveyBlock), enc: enc}
}

func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		line, err := l.in.ReadSlice('\n')
		if len(line) == 0 && len(l.carry) == 0 && err != nil {
			return 0, err
		}
		line = append(l.carry, line...)
		l.carry = nil
		if errors.Is(err, bufio.ErrBufferFull) {
			whole := wholeRunes(line)
			line, l.carry = line[:whole], bytes.Clone(line[whole:])
		}
		if l.out = line; !utf8.Valid(line) {
			l.out = []byte(convert(string(line), l.enc))
		}
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}
