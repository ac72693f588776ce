package rtf

import (
	"strconv"
	"strings"

	"decant/handler/internal/charset"
)

// symbols gives the characters that the current symbol font shows for its codes; without one, those of the font Symbol.
// The codes of a font that is not known are bullets mostly.
func (p *parser) symbols(codes string) string {
	f := p.fonts[p.st.font]
	chars := f.chars
	if chars == nil && !f.symbol {
		chars = charset.SymbolFont("symbol")
	}
	return strings.Map(func(r rune) rune {
		if shown, ok := chars[r]; ok {
			return shown
		}
		if r < 0x80 && (len(chars) > 0 || r != 0x76) {
			return r
		}
		return '•'
	}, codes)
}

// isSymbolFont tells fonts of signs by their names.
func isSymbolFont(name string) bool {
	return strings.HasPrefix(name, "symbol") || strings.HasPrefix(name, "wingdings") || strings.HasPrefix(name, "webdings")
}

// symbolField is the character of a SYMBOL field: its code, and the font after \f.
func (p *parser) symbolField(instruction string) string {
	words := strings.Fields(strings.ReplaceAll(instruction, `"`, " "))
	code, ok := symbolCode(words)
	if !ok {
		return ""
	}
	for i := 2; i+1 < len(words); i++ {
		if words[i] == `\f` {
			name := strings.Join(words[i+1:min(len(words), i+3)], " ") // "Wingdings 2" has a blank
			for _, font := range []string{name, words[i+1]} {
				if chars := charset.SymbolFont(font); chars != nil {
					return charset.MapSymbols(string(code), chars)
				}
			}
		}
	}
	return string(code)
}

// symbolCode is the number in a SYMBOL instruction.
func symbolCode(words []string) (rune, bool) {
	if len(words) < 2 || !strings.EqualFold(words[0], "SYMBOL") {
		return 0, false
	}
	code, err := strconv.ParseInt(strings.ToLower(words[1]), 0, 32)
	return rune(code), err == nil && code >= ' ' && code <= 0xFFFF
}

func isASCII(data []byte) bool {
	for _, c := range data {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func latin1(data []byte) string {
	runes := make([]rune, len(data))
	for i, c := range data {
		runes[i] = rune(c)
	}
	return string(runes)
}
