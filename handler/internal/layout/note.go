package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// noteLabel gives the mark with which a block opens as a footnote ("3", "*", "†"), or "".
func noteLabel(b *block) string {
	if len(b.lines) == 0 {
		return ""
	}
	w := b.opener
	if b.kind != kindItem {
		if len(b.lines[0].Words) < 2 {
			return ""
		}
		w = b.lines[0].Words[0]
		if labelWords(b.lines[0]) > 1 {
			w = b.lines[0].Words[1]
		}
	}
	text := plainFigures(strings.TrimRight(w.Text, ".)"))
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n < 1000 {
		return text
	}
	if strings.Trim(text, noteSigns) == "" && text != "" {
		return text
	}
	if w.Marks.Has(doc.Superscript) && len(text) <= 2 {
		return text
	}
	return ""
}

// labelWords is how many words a note's label takes: one, or as many as a raised mark in parentheses of the line's own.
func labelWords(l Line) int {
	if len(l.Words) < 4 || l.Words[0].Text != "(" || !l.Words[1].Marks.Has(doc.Superscript) {
		return 1
	}
	if l.Words[2].Text == ")" && l.Words[2].Glued {
		return 3
	}
	return 1
}

// noteSigns are the signs that mark notes where figures do not.
const noteSigns = "*†‡§¶#"

// superiors are the raised figures that fonts have as characters of their own.
const superiors = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// plainFigures writes raised figures as plain ones.
func plainFigures(s string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(superiors, r); i >= 0 {
			return rune('0' + utf8.RuneCountInString(superiors[:i]))
		}
		return r
	}, s)
}

// opensNote tells whether a line opens with a raised mark, as each note of several does.
func opensNote(l Line) bool {
	if len(l.Words) < 2 {
		return false
	}
	w := l.Words[0]
	r, _ := utf8.DecodeRuneInString(w.Text)
	if sign, rest := leadingMark(w.Text); sign != "" && sign[0] != '#' {
		first, _ := utf8.DecodeRuneInString(rest)
		if rest == "" && !l.Words[1].Glued || unicode.IsUpper(first) {
			return true
		}
	}
	return w.Marks.Has(doc.Superscript) && isNoteMark(w.Text) || strings.ContainsRune(superiors, r)
}

// splitMarks makes words of their own of the marks that end words of a page, and of those that open its notes, where both are there:
// a raised figure that is a character of its own, or a sign that is not raised.
func splitMarks(blocks []block, body bodyStyle, pages map[int]pageInfo) {
	labels := map[int]map[string]bool{} // page → label
	for i := range blocks {
		if !mayBeNote(blocks, i, body, pages) {
			continue
		}
		first := &blocks[i].lines[0]
		if mark, rest := leadingMark(first.Words[0].Text); mark != "" && rest != "" {
			splitWord(first, 0, len(mark))
		}
		if label := noteLabel(&blocks[i]); label != "" {
			if labels[blocks[i].page] == nil {
				labels[blocks[i].page] = map[string]bool{}
			}
			labels[blocks[i].page][label] = true
		}
	}
	for i := range blocks {
		for l := range blocks[i].lines {
			line := &blocks[i].lines[l]
			for w := 0; w < len(line.Words) && len(labels[line.page]) > 0; w++ {
				text := line.Words[w].Text
				mark := trailingMark(text)
				if base := len(text) - len(mark); mark != "" && base > 0 && labels[line.page][plainFigures(mark)] && len(letters(text[:base])) > 1 {
					splitWord(line, w, base)
					w++
					line.Words[w].Marks |= doc.Superscript
				}
			}
		}
	}
}

// splitWord cuts a word of a line in two.
func splitWord(l *Line, at, bytes int) {
	w := l.Words[at]
	rest := w
	w.Text, rest.Text = w.Text[:bytes], w.Text[bytes:]
	rest.Glued = true
	x := w.Box.X0 + width(w.Box)*float64(bytes)/float64(bytes+len(rest.Text))
	w.Box.X1, rest.Box.X0 = x, x
	l.Words = slices.Insert(slices.Clone(l.Words), at+1, rest)
	l.Words[at] = w
}

// leadingMark divides a word that opens with raised figures or a note's sign.
func leadingMark(s string) (mark, rest string) {
	rest = strings.TrimLeft(s, superiors)
	if rest == s {
		rest = strings.TrimLeft(s, noteSigns)
	}
	return s[:len(s)-len(rest)], rest
}

// trailingMark is the raised figures or the note's signs that end a word.
func trailingMark(s string) string {
	rest := strings.TrimRight(s, superiors)
	if rest == s {
		rest = strings.TrimRight(s, "*†‡§¶")
	}
	return s[len(rest):]
}

// mark is where a note is referred to.
type mark struct{ block, line, word int }

// tieNotes finds footnotes: small blocks low on their page that open with a label which stands raised in the page's text.
func tieNotes(blocks []block, body bodyStyle, pages map[int]pageInfo) {
	marks := map[int]map[string]mark{} // page → label
	for i := range blocks {
		for l := range blocks[i].lines {
			line := &blocks[i].lines[l]
			for w := range line.Words {
				word := &line.Words[w]
				if w == 0 && l == 0 || !word.Marks.Has(doc.Superscript) {
					continue
				}
				label := plainFigures(strings.Trim(word.Text, "().,[]"))
				if marks[line.page] == nil {
					marks[line.page] = map[string]mark{}
				}
				if _, known := marks[line.page][label]; !known && isNoteMark(label) {
					marks[line.page][label] = mark{i, l, w}
				}
			}
		}
	}
	count := 0
	for i := range blocks {
		b := &blocks[i]
		if !mayBeNote(blocks, i, body, pages) {
			continue
		}
		label := noteLabel(b)
		page := b.page
		m, ok := marks[page][label]
		if !ok {
			// A note may stand on the page after its mark.
			page--
			m, ok = marks[page][label]
		}
		if label == "" || !ok || m.block == i {
			continue
		}
		count++
		b.restoreLabel()
		b.kind, b.label, b.note = kindNote, label, strconv.Itoa(count)
		blocks[m.block].lines[m.line].Words[m.word].leads = &lead{note: b.note}
		delete(marks[page], label)
	}
}

// mayBeNote tells whether a block is small and stands where footnotes do.
func mayBeNote(blocks []block, i int, body bodyStyle, pages map[int]pageInfo) bool {
	b := &blocks[i]
	return (b.kind == "" || b.kind == kindItem) && !b.isFloat() && b.lines[0].Words != nil && b.lines[0].Size <= 0.97*body.size && low(blocks, i, pages[b.page])
}

// low tells whether a block stands where footnotes do: in the lower part of its page, or with nothing larger below it.
func low(blocks []block, i int, page pageInfo) bool {
	b := &blocks[i]
	if b.box.Y0 >= 0.45*page.height {
		return true
	}
	first, end := i, i+1
	for first > 0 && blocks[first-1].page == b.page {
		first--
	}
	for end < len(blocks) && blocks[end].page == b.page {
		end++
	}
	for k := first; k < end; k++ {
		o := &blocks[k]
		if o.furniture == "" && len(o.lines) > 0 && o.box.Y0 > b.box.Y1 && o.lines[0].Size > 1.02*b.lines[0].Size && !pageNumber.MatchString(blanked(o.text())) {
			return false
		}
	}
	return true
}

func isNoteMark(s string) bool {
	if s == "" || len(s) > 6 {
		return false
	}
	for _, r := range s {
		if !unicode.IsDigit(r) && !strings.ContainsRune("*†‡§¶#", r) && !(len(s) == 1 && unicode.IsLower(r)) {
			return false
		}
	}
	return true
}
