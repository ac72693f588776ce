package rtf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// label is what is printed before the text of a list item.
type label struct {
	text   string
	ofList bool // the list of a list table: the paragraph names it, too
}

// Labels that are written as text: a bullet, or a number or letter with its mark, and a tab.
var (
	typedBullet = lazyregexp.New(`^[ ]*([•·▪▫◦‣●○■□◆➢])[ ]?\t`)
	typedNumber = lazyregexp.New(`^[ ]*([–—*-]|o|§|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)])[ ]?\t`)
)

// typedLabel takes a label that stands in the text of a paragraph for what it is. Numbers, letters and dashes count only where the
// first line hangs out to the left of the others, as it does in lists.
func (f *flow) typedLabel(s *story, par *paragraph) {
	if s.label != nil || par.list > 0 || len(s.inlines) == 0 || s.inlines[0].Kind != doc.Text {
		return
	}
	text := leadingText(s.inlines)
	match := typedBullet.FindStringSubmatch(text)
	if match == nil && par.first < 0 {
		match = typedNumber.FindStringSubmatch(text)
	}
	if match == nil {
		return
	}
	s.label = &label{text: match[1]}
	s.inlines = cut(s.inlines, len(match[0]))
}

// leadingText is the start of a paragraph's text, as far as labels go.
func leadingText(inlines []doc.Inline) string {
	var b strings.Builder
	for _, in := range inlines {
		if in.Kind != doc.Text || b.Len() > 32 {
			break
		}
		b.WriteString(in.Text)
	}
	return b.String()
}

// cut takes n bytes of text off the start.
func cut(inlines []doc.Inline, n int) []doc.Inline {
	for n > 0 && len(inlines) > 0 {
		first := &inlines[0]
		if len(first.Text) > n {
			first.Text = first.Text[n:]
			break
		}
		n -= len(first.Text)
		inlines = inlines[1:]
	}
	return inlines
}

// near is how far apart two indents may be and still be one level, in twentieths of a point.
const near = 100

// levelOf is an item's level: as the paragraph says, or for labels without a list table by how far in it stands.
func (f *flow) levelOf(par *paragraph, def *listDef) int {
	if def != nil || par.level > 0 {
		return par.level
	}
	level := 0
	for _, list := range f.lists {
		if list.indent < par.indent-near {
			level = list.level + 1
		}
	}
	return level
}

// letterValue is the number that a label with letters stands for: the one that goes on from the item before, if it can be read as
// that, else a Roman number that starts a list, else the letter's place in the alphabet.
func letterValue(text string, next int) int {
	word := strings.ToLower(strings.Trim(text, "().]} "))
	roman, letter := romanValue(word), 0
	if len(word) == 1 && word[0] >= 'a' && word[0] <= 'z' {
		letter = int(word[0]-'a') + 1
	}
	switch {
	case letter == next || roman == next:
		return next
	case roman == 1 || letter == 0 && roman > 0:
		return roman
	case letter > 0:
		return letter
	}
	return next
}

// romanValue reads a Roman number in small letters; 0 when it is none.
func romanValue(word string) int {
	values := map[rune]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}
	total, before := 0, 0
	for _, r := range word {
		value := values[r]
		if value == 0 {
			return 0
		}
		if total += value; before < value {
			total -= 2 * before
		}
		before = value
	}
	return total
}

// ballots are the boxes that stand for the state of a task.
var ballots = map[string]bool{"☐": false, "☒": true, "☑": true}

// checked takes a ballot box at the start of an item for its state.
func checked(b *doc.Block) *bool {
	if len(b.Inlines) == 0 || b.Inlines[0].Kind != doc.Text {
		return nil
	}
	for box, state := range ballots {
		rest, ok := strings.CutPrefix(b.Inlines[0].Text, box)
		if !ok || !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
			continue
		}
		b.Inlines[0].Text = rest
		b.Inlines = trim(b.Inlines)
		return &state
	}
	return nil
}
