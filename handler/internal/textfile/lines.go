package textfile

import (
	"iter"
	"strings"
)

// Line is one line of a text, without its end.
type Line struct {
	Number     int // from 1
	Start, End int // byte range in the text, without the line's end
	Text       string
}

// Lines walks over the lines of text. A line ends with \n, \r\n or a lone \r (old Mac).
// The lines are parts of text, not copies.
func Lines(text string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		number := 1
		for start := 0; start < len(text); number++ {
			end, next := lineEnd(text, start)
			if !yield(Line{Number: number, Start: start, End: end, Text: text[start:end]}) {
				return
			}
			start = next
		}
	}
}

// lineEnd finds where the line that begins at start ends, and where the next begins.
func lineEnd(text string, start int) (end, next int) {
	i := strings.IndexAny(text[start:], "\n\r")
	if i < 0 {
		return len(text), len(text)
	}
	end = start + i
	if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}
