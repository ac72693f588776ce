package token

import (
	"unicode/utf8"
)

// splitter gives the length of the first piece of a text, in bytes, as the pattern of a vocabulary cuts it.
// Pieces are what byte-pair encoding works on, one at a time.
type splitter func(c *classes, text string) int

// cl100kPiece cuts as the pattern of cl100k_base does:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100kPiece(c *classes, text string) int {
	if n := contraction(text); n > 0 {
		return n
	}
	r, size := decode(text)
	k := c.of(r)
	switch {
	case k&letter != 0:
		return size + runOf(c, text[size:], letter)
	case k&newline == 0 && k&number == 0:
		if n := runOf(c, text[size:], letter); n > 0 {
			return size + n
		}
	}
	return tail(c, text, k, size, false)
}

// o200kPiece cuts as the pattern of o200k_base does, in which U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L is [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200kPiece(c *classes, text string) int {
	r, size := decode(text)
	k := c.of(r)
	if k&(letter|number|newline) == 0 && size < len(text) && text[size] < utf8.RuneSelf {
		switch next := c.ascii(text[size]); {
		case next&letter == 0 && k&mark == 0: // no word follows
			return tail(c, text, k, size, true)
		case next&lower != 0:
			if n := asciiLower(text, size); n == len(text) || text[n] < utf8.RuneSelf {
				return withContraction(text, n)
			}
		}
	}
	if k&(letter|number|newline) == 0 { // the optional character in front, first with it, then without
		if n := endsLower(c, text[size:]); n > 0 {
			return withContraction(text, size+n)
		}
	}
	if k&(letter|mark) != 0 {
		if n := endsLower(c, text); n > 0 {
			return withContraction(text, n)
		}
	}
	if k&(letter|number|newline) == 0 {
		if n := startsUpper(c, text[size:]); n > 0 {
			return withContraction(text, size+n)
		}
	}
	if k&(letter|mark) != 0 {
		if n := startsUpper(c, text); n > 0 {
			return withContraction(text, n)
		}
	}
	return tail(c, text, k, size, true)
}

// asciiLower is the end of the run of lower-case ASCII letters that begins at a place.
func asciiLower(text string, at int) int {
	for at < len(text) && 'a' <= text[at] && text[at] <= 'z' {
		at++
	}
	return at
}

// endsLower matches U*L+ and gives its length, 0 when it does not match.
func endsLower(c *classes, text string) int {
	upTo, lastL := 0, -1 // end of U*, start of its last character that is in L as well
	for upTo < len(text) {
		if b := text[upTo]; b < utf8.RuneSelf {
			if c.ascii(b)&upper == 0 {
				break
			}
			upTo++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[upTo:])
		k := c.of(r)
		if k&(upper|both|mark) == 0 {
			break
		}
		if k&(both|mark) != 0 {
			lastL = upTo
		}
		upTo += size
	}
	if n := runOf(c, text[upTo:], lower|both|mark); n > 0 {
		return upTo + n
	}
	if lastL < 0 {
		return 0
	}
	return lastL + runOf(c, text[lastL:], lower|both|mark)
}

// startsUpper matches U+L* and gives its length, 0 when it does not match.
func startsUpper(c *classes, text string) int {
	n := runOf(c, text, upper|both|mark)
	if n == 0 {
		return 0
	}
	return n + runOf(c, text[n:], lower|both|mark)
}

// tail matches what the patterns have in common: numbers, punctuation, blanks.
func tail(c *classes, text string, k class, size int, slash bool) int {
	if k&number != 0 {
		n := size
		for i := 1; i < 3 && n < len(text); i++ {
			r, s := decode(text[n:])
			if c.of(r)&number == 0 {
				break
			}
			n += s
		}
		return n
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if n := otherRun(c, text[start:]); n > 0 {
		n += start
		for n < len(text) && (text[n] == '\r' || text[n] == '\n' || slash && text[n] == '/') {
			n++
		}
		return n
	}
	return blanks(c, text)
}

// blanks matches \s*[\r\n]+|\s+(?!\S)|\s+
func blanks(c *classes, text string) int {
	n, afterNewline, last := 0, 0, 0
	for n < len(text) {
		r, size := decode(text[n:])
		k := c.of(r)
		if k&space == 0 {
			break
		}
		last = n
		n += size
		if k&newline != 0 {
			afterNewline = n
		}
	}
	switch {
	case afterNewline > 0:
		return afterNewline
	case n < len(text) && last > 0:
		return last
	}
	return n
}

// otherRun is the length of the run of characters that are neither blanks, letters nor numbers.
func otherRun(c *classes, text string) int {
	n := 0
	for n < len(text) {
		if b := text[n]; b < utf8.RuneSelf {
			if c.ascii(b)&(space|letter|number) != 0 {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if c.of(r)&(space|letter|number) != 0 {
			break
		}
		n += size
	}
	return n
}

// runOf is the length of the run of characters of the given classes.
func runOf(c *classes, text string, want class) int {
	n := 0
	for n < len(text) {
		if b := text[n]; b < utf8.RuneSelf {
			if c.ascii(b)&want == 0 {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if c.of(r)&want == 0 {
			break
		}
		n += size
	}
	return n
}

func decode(text string) (rune, int) {
	if b := text[0]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(text)
}

func withContraction(text string, n int) int { return n + contraction(text[n:]) }

// contraction is the length of 's, 't, 're, 've, 'm, 'll or 'd at the start of the text, in any case; else 0.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(text) > 2 && text[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(text) > 2 && text[2]|0x20 == 'l' {
			return 3
		}
	}
	return 0
}
