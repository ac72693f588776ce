package textfile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// Blocks makes blocks of a text: paragraphs, simple lists, aligned columns.
func Blocks(text string) []doc.Block {
	var s Stanzas
	s.Width = WrapWidth(text)
	for line := range Lines(text) {
		s.Add(line)
	}
	return s.Blocks()
}

// Stanzas collects lines into blocks, one stanza (lines without a blank line between them) after the other.
type Stanzas struct {
	Width  int // at which the text is wrapped, from WrapWidth
	blocks []doc.Block
	lines  []Line
}

// Add adds a line; a blank one ends a stanza.
func (s *Stanzas) Add(line Line) {
	line.Text = clean(line.Text)
	if isBlank(line.Text) {
		s.flush()
		return
	}
	s.lines = append(s.lines, line)
}

// Blocks gives the blocks of all lines added.
func (s *Stanzas) Blocks() []doc.Block {
	s.flush()
	return s.blocks
}

func (s *Stanzas) flush() {
	s.blocks = append(s.blocks, stanza(s.lines, s.Width)...)
	s.lines = s.lines[:0]
}

// stanza makes blocks of a stanza.
func stanza(lines []Line, width int) []doc.Block {
	switch {
	case len(lines) == 0:
		return nil
	case isAligned(lines):
		return []doc.Block{preformatted(lines)}
	}
	if list, ok := asList(lines, width); ok {
		return []doc.Block{list}
	}
	return []doc.Block{paragraph(lines, width)}
}

func place(lines []Line) []doc.Place {
	return []doc.Place{{Line: lines[0].Number, EndLine: lines[len(lines)-1].Number}}
}

func preformatted(lines []Line) doc.Block {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = strings.TrimRight(line.Text, " \t")
	}
	return doc.Block{Kind: doc.Code, Text: strings.Join(texts, "\n"), Places: place(lines)}
}

// paragraph joins what was wrapped and keeps other line ends as breaks.
func paragraph(lines []Line, width int) doc.Block {
	b := doc.Block{Kind: doc.Paragraph, Places: place(lines)}
	b.Inlines = joined(lines, width)
	return b
}

func joined(lines []Line, width int) []doc.Inline {
	var out []doc.Inline
	text := strings.TrimSpace(lines[0].Text)
	for i := 1; i < len(lines); i++ {
		next := strings.TrimSpace(lines[i].Text)
		if wasWrapped(lines[i-1].Text, next, width) {
			text += " " + next
			continue
		}
		out = append(out, doc.T(text), doc.Inline{Kind: doc.Break})
		text = next
	}
	return append(out, doc.T(text))
}

// minWrapWidth is the narrowest width, in characters, that wrapped prose has; lists of short lines and verses are narrower.
const minWrapWidth = 50

// WrapWidth is the width at which the text seems to be wrapped, or 0: nine of ten lines fit, and many come close.
func WrapWidth(text string) int {
	var histogram [161]int
	n := 0
	for line := range Lines(text) {
		if length := utf8.RuneCountInString(strings.TrimRightFunc(line.Text, unicode.IsSpace)); length > 0 {
			histogram[min(length, 160)]++
			n++
		}
	}
	sum := 0
	for length := 160; length >= minWrapWidth; length-- {
		sum += histogram[length]
		if sum*50 > n { // the two of a hundred longest may stick out
			if length == 160 {
				return 0
			}
			return length
		}
	}
	return 0
}

// wasWrapped tells whether a line ends where it does because the next word had no room.
func wasWrapped(line, next string, width int) bool {
	if width == 0 {
		return false
	}
	word, _, _ := strings.Cut(next, " ")
	length := utf8.RuneCountInString(strings.TrimRightFunc(line, unicode.IsSpace))
	return length <= width+2 && length+1+utf8.RuneCountInString(word) > width
}

var (
	gap    = lazyregexp.New(`\S(?: {3,}|\t+| *\t[ \t]*)\S`)
	drawn  = lazyregexp.New(`^\s*(?:[+|].*[+|]|[-=_*#~.]{4,}[-=_*#~. ]*)\s*$`)
	indent = lazyregexp.New(`^(?: {4,}|\t)`)
)

// isAligned tells whether lines hold columns or a drawing that would be lost in a paragraph.
func isAligned(lines []Line) bool {
	if len(lines) < 2 {
		return false
	}
	gaps, drawings, indents := 0, 0, 0
	for _, line := range lines {
		switch {
		case gap.MatchString(line.Text):
			gaps++
		case drawn.MatchString(line.Text):
			drawings++
		}
		if indent.MatchString(line.Text) {
			indents++
		}
	}
	return 2*gaps >= len(lines) && gaps >= 2 || drawings >= 2 && drawings+gaps == len(lines) || gaps+drawings >= 3 && indents*3 >= len(lines)*2
}

// clean takes out control characters and terminal colours.
func clean(line string) string {
	if strings.IndexFunc(line, isControl) < 0 {
		return line
	}
	line = terminal.ReplaceAllString(line, "")
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, line)
}

var terminal = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

func isControl(r rune) bool { return r < 0x20 && r != '\t' || r == 0x7f || r == 0xFEFF }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }
