package token

import (
	"unicode"
	"unicode/utf8"
)

// class is what the splitting rules ask about a character.
type class uint8

const (
	upper   class = 1 << iota // Lu, Lt
	lower                     // Ll
	both                      // Lm, Lo: counts as upper and as lower
	mark                      // M
	number                    // N
	space                     // White_Space
	newline                   // \r, \n
	letter  = upper | lower | both
)

// classes of what was looked up before. Those of ASCII are there from the start.
type classes struct {
	known [0x10000]class // 0 for not looked up; "other" is stored as otherSeen
}

const otherSeen class = 1 << 7

func newClasses() *classes {
	c := &classes{}
	for r := range rune(utf8.RuneSelf) {
		c.known[r] = classify(r) | otherSeen
	}
	return c
}

// ascii is the class of a byte below utf8.RuneSelf. It may have otherSeen in it.
func (c *classes) ascii(b byte) class { return c.known[b] }

func (c *classes) of(r rune) class {
	if r < 0x10000 && c.known[r] != 0 {
		return c.known[r] &^ otherSeen
	}
	return c.lookUp(r)
}

func (c *classes) lookUp(r rune) class {
	k := classify(r)
	if r < 0x10000 {
		c.known[r] = k | otherSeen
	}
	return k
}

func classify(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return space | newline
	case isSpace(r):
		return space
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return both
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.N, r):
		return number
	}
	return 0
}

func isSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }
