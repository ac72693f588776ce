package odf

import (
	"strconv"
	"strings"

	"decant/handler/internal/xmltree"
)

// maxLevels is how deep lists count; deeper ones show as the deepest.
const maxLevels = 10

// listStyle says how the levels of a list are numbered (part 3, 16.30).
type listStyle struct{ levels [maxLevels]listLevel }

type listLevel struct {
	ordered        bool
	format         string // "1", "a", "A", "i", "I", ""
	prefix, suffix string
	start, display int // first number; how many levels are shown
	bullet         string
	described      bool // the style has something to say of the level
}

func readListStyle(n *xmltree.Node) *listStyle {
	s := &listStyle{}
	for i := range s.levels {
		s.levels[i] = listLevel{start: 1, display: 1}
	}
	for _, c := range n.Children {
		level := number(c.Attr("text:level"), 0) - 1
		if level < 0 || level >= maxLevels {
			continue
		}
		switch c.Name {
		case "text:list-level-style-number", "text:outline-level-style":
			s.levels[level] = listLevel{
				ordered: c.Attr("style:num-format") != "", format: c.Attr("style:num-format"), prefix: c.Attr("style:num-prefix"), suffix: c.Attr("style:num-suffix"),
				described: true, start: number(c.Attr("text:start-value"), 1), display: max(1, number(c.Attr("text:display-levels"), 1)),
			}
		case "text:list-level-style-bullet":
			s.levels[level].bullet, s.levels[level].described = c.Attr("text:bullet-char"), true
		case "text:list-level-style-image":
			s.levels[level].bullet, s.levels[level].described = "•", true
		}
	}
	s.fill()
	return s
}

// fill lets levels that a style does not describe look like the level above them: pandoc describes one level of some styles and uses them
// on any.
func (s *listStyle) fill() {
	for i := 1; i < maxLevels; i++ {
		if above := s.levels[i-1]; !s.levels[i].described && above.described {
			above.start, above.display = 1, 1
			s.levels[i] = above
		}
	}
}

// shows tells whether an item of the level has a number or a bullet.
func (l *listLevel) shows() bool { return l.ordered || strings.TrimSpace(l.bullet) != "" }

// isBlank tells whether the style says that an item of the level has neither number nor bullet.
func (l *listLevel) isBlank() bool { return l.described && !l.shows() }

// label writes a level's number with the levels above it that it shows.
func (s *listStyle) label(level int, counts *[maxLevels]int) string {
	l := s.levels[level]
	if !l.ordered {
		return ""
	}
	var parts []string
	for at := max(0, level-l.display+1); at <= level; at++ {
		if s.levels[at].ordered {
			parts = append(parts, formatNumber(max(counts[at], s.levels[at].start), s.levels[at].format))
		}
	}
	return l.prefix + strings.Join(parts, ".") + l.suffix
}

// isPlain tells whether a renderer gets the label right from the list alone.
func (l *listLevel) isPlain(label string, value int) bool {
	number := strconv.Itoa(value)
	return !l.ordered || label == number+"." || label == number+")" || label == number
}

func formatNumber(n int, format string) string {
	switch format {
	case "a", "A":
		return letters(n, rune(format[0]))
	case "i":
		return roman(n)
	case "I":
		return strings.ToUpper(roman(n))
	}
	return strconv.Itoa(n)
}

func letters(n int, first rune) string {
	if n < 1 || n > 26*26 {
		return strconv.Itoa(n)
	}
	text := ""
	for ; n > 0; n = (n - 1) / 26 {
		text = string(first+rune((n-1)%26)) + text
	}
	return text
}

var romanDigits = []struct {
	value int
	text  string
}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}}

func roman(n int) string {
	if n < 1 || n > 30_000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, digit := range romanDigits {
		for n >= digit.value {
			b.WriteString(digit.text)
			n -= digit.value
		}
	}
	return b.String()
}

func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		return n
	}
	return otherwise
}
