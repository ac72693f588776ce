package rtf

import (
	"bufio"
	"errors"
	"io"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	endOfFile tokenKind = iota
	groupOpen
	groupClose
	control // word, with a number or not
	symbol  // one character after the backslash
	hexByte // \'xx
	plain   // one byte of text
	binary  // \binN with its bytes
)

type token struct {
	kind      tokenKind
	word      string // of a control word
	number    int
	hasNumber bool
	char      byte   // of a symbol, hex or plain byte
	data      []byte // of binary
}

// Limits of the tokenizer.
const (
	maxWord   = 32 // letters of a control word, as the specification has it
	maxBinary = 128 << 20
)

// tokenizer cuts RTF into tokens. Words are shared, so that a token costs no memory.
type tokenizer struct {
	r     *bufio.Reader
	words map[string]string
	err   error
}

func newTokenizer(r io.Reader) *tokenizer {
	return &tokenizer{r: bufio.NewReaderSize(r, 64<<10), words: map[string]string{}}
}

func (t *tokenizer) next() token {
	for {
		c, ok := t.byte()
		if !ok {
			return token{}
		}
		switch c {
		case '{':
			return token{kind: groupOpen}
		case '}':
			return token{kind: groupClose}
		case '\r', '\n', 0:
			continue
		case '\\':
			return t.afterBackslash()
		}
		return token{kind: plain, char: c}
	}
}

func (t *tokenizer) byte() (byte, bool) {
	c, err := t.r.ReadByte()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			t.err = err
		}
		return 0, false
	}
	return c, true
}

func (t *tokenizer) afterBackslash() token {
	c, ok := t.byte()
	switch {
	case !ok:
		return token{}
	case c == '\'':
		return t.hex()
	case isLetter(c):
		return t.controlWord(c)
	}
	return token{kind: symbol, char: c}
}

func (t *tokenizer) hex() token {
	value := byte(0)
	for range 2 {
		c, err := t.r.Peek(1)
		if err != nil {
			break
		}
		digit, ok := hexDigit(c[0])
		if !ok {
			break
		}
		value = value<<4 | digit
		_, _ = t.r.Discard(1)
	}
	return token{kind: hexByte, char: value}
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (t *tokenizer) controlWord(first byte) token {
	var buf [maxWord]byte
	buf[0] = first
	n := 1
	tok := token{kind: control}
	negative, digits := false, 0
	for {
		c, ok := t.byte()
		switch {
		case !ok:
		case isLetter(c) && n < maxWord && !tok.hasNumber && !negative:
			buf[n] = c
			n++
			continue
		case c == '-' && !tok.hasNumber && !negative:
			negative = true
			continue
		case c >= '0' && c <= '9':
			if tok.hasNumber = true; digits < 9 {
				tok.number = tok.number*10 + int(c-'0')
				digits++
			}
			continue
		case c != ' ': // a space belongs to the word, anything else does not
			_ = t.r.UnreadByte()
		}
		break
	}
	if negative {
		tok.number = -tok.number
	}
	tok.word = t.intern(buf[:n])
	if tok.word == "bin" && tok.number > 0 {
		return t.binaryData(tok.number)
	}
	return tok
}

func (t *tokenizer) intern(word []byte) string {
	if known, ok := t.words[string(word)]; ok {
		return known
	}
	text := string(word)
	if len(t.words) < 10_000 {
		t.words[text] = text
	}
	return text
}

func (t *tokenizer) binaryData(size int) token {
	data, _ := io.ReadAll(io.LimitReader(t.r, int64(min(size, maxBinary)))) // what there is
	if size > maxBinary {
		_, _ = io.CopyN(io.Discard, t.r, int64(size-maxBinary))
	}
	return token{kind: binary, data: data}
}
