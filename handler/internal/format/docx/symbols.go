package docx

import (
	"strconv"
	"strings"

	"decant/handler/internal/charset"
)

// symbolField is the character of a SYMBOL field: its code, and the font after \f.
func symbolField(args []string) string {
	if len(args) == 0 {
		return ""
	}
	code, err := strconv.ParseInt(strings.ToLower(args[0]), 0, 32)
	if err != nil || code <= 0 {
		return ""
	}
	for i := 1; i+1 < len(args); i++ {
		if args[i] == `\f` {
			return charset.MapSymbols(string(rune(code)), charset.SymbolFont(args[i+1]))
		}
	}
	return string(rune(code))
}
