package token

import "unicode"

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

// classes of ASCII, and of what was looked up before.
type classes struct {
	known [0x10000]class // 0 for not looked up; "other" is stored as otherSeen
}

const otherSeen class = 1 << 7

func (c *classes) of(r rune) class {
	if r < 0x10000 {
		if k := c.known[r]; k != 0 {
			return k &^ otherSeen
		}
	}
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
