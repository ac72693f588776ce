package layout

import (
	"strconv"
	"strings"
	"unicode"

	"decant/handler/internal/doc"
)

// noteLabel gives the mark with which a block opens as a footnote ("3", "*", "†"), or "".
func noteLabel(b *block) string {
	if len(b.lines) == 0 || len(b.lines[0].Words) < 2 {
		return ""
	}
	w := b.lines[0].Words[0]
	text := strings.TrimRight(w.Text, ".)")
	raised := w.Marks.Has(doc.Superscript)
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n < 1000 {
		return text
	}
	if strings.Trim(text, "*†‡§¶#") == "" && text != "" {
		return text
	}
	if raised && len(text) <= 2 {
		return text
	}
	return ""
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
				label := strings.Trim(word.Text, "().,[]")
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
		if b.kind != "" || b.isFloat() || b.lines[0].Size > 0.97*body.size || !low(blocks, i, pages[b.page]) {
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
		b.kind, b.label, b.note = kindNote, label, strconv.Itoa(count)
		blocks[m.block].lines[m.line].Words[m.word].note = b.note
		delete(marks[page], label)
	}
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
