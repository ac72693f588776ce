package htmldoc

import "unicode/utf8"

const latin = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// alphabets are the styles of Mathematical Alphanumeric Symbols (U+1D400), 52 letters each, in their order; "" is plain italic.
var alphabets = []string{
	`\mathbf`, "", `\mathbf`, `\mathcal`, `\mathcal`, `\mathfrak`, `\mathbb`, `\mathfrak`, `\mathsf`, `\mathsf`, `\mathsf`, `\mathsf`, `\mathtt`,
}

// numerals are the styles of the digits from U+1D7CE on, ten each.
var numerals = []string{`\mathbf`, `\mathbb`, `\mathsf`, `\mathsf`, `\mathtt`}

// letterlike are letters that Unicode had before the alphabets, which have gaps for them.
var letterlike = map[rune]string{
	'ℬ': `\mathcal{B}`, 'ℰ': `\mathcal{E}`, 'ℱ': `\mathcal{F}`, 'ℋ': `\mathcal{H}`, 'ℐ': `\mathcal{I}`, 'ℒ': `\mathcal{L}`, 'ℳ': `\mathcal{M}`, 'ℛ': `\mathcal{R}`,
	'ℯ': `\mathcal{e}`, 'ℊ': `\mathcal{g}`, 'ℴ': `\mathcal{o}`, 'ℭ': `\mathfrak{C}`, 'ℌ': `\mathfrak{H}`, 'ℑ': `\mathfrak{I}`, 'ℜ': `\mathfrak{R}`, 'ℨ': `\mathfrak{Z}`,
	'ℙ': `\mathbb{P}`, 'ℍ': `\mathbb{H}`, 'ℎ': "h", 'ⅅ': "D", 'ⅆ': "d", 'ⅇ': "e", 'ⅈ': "i", 'ⅉ': "j",
}

// styledLetter gives a letter or digit of a mathematical alphabet as LaTeX, or "".
func styledLetter(r rune) string {
	if tex, ok := letterlike[r]; ok {
		return tex
	}
	const first, firstDigit, lastDigit = 0x1D400, 0x1D7CE, 0x1D7FF
	style, plain := "", ""
	switch n := int(r) - first; {
	case n < 0 || r > lastDigit || utf8.RuneLen(r) != 4:
		return ""
	case n < 52*len(alphabets):
		style = alphabets[n/52]
		upper := n%52 < 26
		plain = string(rune('a' + n%26))
		if upper {
			plain = string(rune('A' + n%26))
		}
	case r >= firstDigit:
		style, plain = numerals[(r-firstDigit)/10], string('0'+(r-firstDigit)%10)
	default:
		return ""
	}
	if style == "" {
		return plain
	}
	return style + "{" + plain + "}"
}
