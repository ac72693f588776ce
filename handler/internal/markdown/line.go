package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// lineStart looks at a line of text and gives the place of the character that needs a backslash
// so that the line is not read as a heading, list item, quote, rule, fence, table or definition; -1 when it is only text.
func lineStart(s string, rest []doc.Inline, mode lineMode) int {
	c := s[0]
	if c >= 0x80 || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || mode == cellLines {
		return -1
	}
	line := lookAhead(s, rest)
	switch {
	case c >= '0' && c <= '9':
		return orderedMarker(line)
	case c == '#':
		n := len(line) - len(strings.TrimLeft(line, "#"))
		return when(n <= 6 && endsOrBlank(line, n))
	case c == '>':
		return 0
	case c == '+' || c == '-' || c == '*':
		return when(endsOrBlank(line, 1) || only(line, rune(c)) || isDelimiterRow(line))
	case c == '_':
		return when(only(line, '_') && strings.Count(line, "_") >= 3)
	case c == '=':
		return when(only(line, '='))
	case c == '~' || c == '`':
		return when(strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "```"))
	case c == '[':
		return when(strings.Contains(line, "]:") || strings.HasPrefix(line, "[^") || isTaskBox(line))
	case c == '|' || c == ':':
		return when(isDelimiterRow(line) || strings.HasPrefix(line, ": "))
	case c == '$':
		return when(strings.HasPrefix(line, "$$"))
	}
	return -1
}

// lookAhead is the text up to the end of the line, at most a few hundred bytes of it, over the inlines that follow.
func lookAhead(s string, rest []doc.Inline) string {
	const enough = 300
	line, _, ended := strings.Cut(s, "\n")
	if ended || len(line) >= enough {
		return line
	}
	for i := range rest {
		if rest[i].Kind != doc.Text || len(line) >= enough {
			break
		}
		more, _, ended := strings.Cut(rest[i].Text, "\n")
		line += more[:min(len(more), enough)]
		if ended {
			break
		}
	}
	return line
}

func when(escape bool) int {
	if escape {
		return 0
	}
	return -1
}

// orderedMarker gives the place of the "." or ")" of something like "1. ".
func orderedMarker(line string) int {
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n <= 9 && n < len(line) && (line[n] == '.' || line[n] == ')') && endsOrBlank(line, n+1) {
		return n
	}
	return -1
}

func endsOrBlank(line string, at int) bool {
	return at >= len(line) || line[at] == ' ' || line[at] == '\t'
}

// only tells whether a line is nothing but c and blanks.
func only(line string, c rune) bool {
	return strings.Trim(line, string(c)+" \t") == ""
}

func isTaskBox(line string) bool {
	return len(line) >= 3 && (line[1] == ' ' || line[1] == 'x' || line[1] == 'X') && line[2] == ']' && endsOrBlank(line, 3)
}

// isDelimiterRow tells whether a line could be the second line of a pipe table.
func isDelimiterRow(line string) bool {
	return strings.Trim(line, "|:- \t") == "" && strings.Contains(line, "-") && strings.ContainsAny(line, "|:-")
}

// closeATX escapes a "#" at the end of a heading, which would be read as its closing sequence.
func (r *renderer) closeATX() {
	n := len(r.buf)
	if n == 0 || r.buf[n-1] != '#' {
		return
	}
	start := n
	for start > 0 && r.buf[start-1] == '#' {
		start--
	}
	if start > 0 && r.buf[start-1] != ' ' || len(r.spans) == 0 || r.spans[len(r.spans)-1].End != n {
		return
	}
	last := &r.spans[len(r.spans)-1]
	if last.End-last.Start != last.To-last.From || last.Start == n { // not one to one
		return
	}
	to := last.To
	last.End--
	last.To--
	if last.Start == last.End {
		r.spans = r.spans[:len(r.spans)-1]
	}
	r.buf = append(r.buf[:n-1], `\#`...)
	r.span(n, to-1, to)
}
