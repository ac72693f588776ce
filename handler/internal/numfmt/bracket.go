package numfmt

import (
	"strconv"
	"strings"
)

// bracket reads [Red], [>=100], [$€-407], [h] and the like.
func (l *lexer) bracket() {
	end := strings.IndexByte(l.rest, ']')
	if end < 0 {
		l.take(literal, 1)
		return
	}
	inside := l.rest[1:end]
	l.rest = l.rest[end+1:]
	switch lower := strings.ToLower(inside); {
	case strings.HasPrefix(inside, "$"):
		if symbol, _, _ := strings.Cut(inside[1:], "-"); symbol != "" {
			l.emit(literal, symbol)
		}
	case lower != "" && (strings.Trim(lower, "h") == "" || strings.Trim(lower, "m") == "" || strings.Trim(lower, "s") == ""):
		l.out.tokens = append(l.out.tokens, token{datePart, "[" + lower + "]"})
	case strings.HasPrefix(inside, "<") || strings.HasPrefix(inside, ">") || strings.HasPrefix(inside, "="):
		op := inside[:len(inside)-len(strings.TrimLeft(inside, "<>="))]
		if value, err := strconv.ParseFloat(strings.TrimSpace(inside[len(op):]), 64); err == nil {
			l.out.cond = condition{op, value}
		}
	}
	// What is left are colours and calendars, which are not text.
}
