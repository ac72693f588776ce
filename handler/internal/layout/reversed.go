package layout

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// Some programs lay right-to-left text out as if it ran from left to right, so that its words stand spelled backwards on the page.
// Letters that only stand at one end of a word give them away.
const (
	hebrewFinal    = "ךםןףץ"
	hebrewNotFinal = "כמנצ" // פ ends foreign words
	arabicFinal    = "ةى"
)

// spelling counts words that are spelled as they should be, and words that are spelled backwards.
type spelling struct{ right, wrong int }

func (s *spelling) add(text string) {
	if utf8.RuneCountInString(text) < 2 {
		return
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	ends := func(letters string) {
		if strings.ContainsRune(letters, last) {
			s.right++
		}
		if strings.ContainsRune(letters, first) {
			s.wrong++
		}
	}
	ends(hebrewFinal)
	ends(arabicFinal)
	if strings.ContainsRune(hebrewNotFinal, last) {
		s.wrong++
	}
	if utf8.RuneCountInString(text) >= 4 {
		if strings.HasPrefix(text, "ال") {
			s.right++
		}
		if strings.HasSuffix(text, "لا") {
			s.wrong++
		}
	}
}

// backwards tells whether nearly all that can be told is spelled backwards.
func (s spelling) backwards() bool { return s.wrong >= 2 && s.wrong > 3*s.right }

// turnReversed spells words the right way on pages where they stand backwards, and gives these pages.
func turnReversed(blocks []block) []doc.Place {
	pages := map[int]*spelling{}
	var all spelling
	eachWord(blocks, func(page int, w *Word) {
		if !w.rtl {
			return
		}
		if pages[page] == nil {
			pages[page] = &spelling{}
		}
		pages[page].add(w.Text)
		all.add(w.Text)
	})
	var turned []doc.Place
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		s := *pages[page]
		if s.right+s.wrong < 3 {
			s = all
		}
		if !s.backwards() {
			delete(pages, page)
			continue
		}
		turned = append(turned, doc.Place{Page: page})
	}
	if len(turned) == 0 {
		return nil
	}
	eachWord(blocks, func(page int, w *Word) {
		if pages[page] == nil {
			return
		}
		w.leftward = true
		if w.rtl {
			runes := []rune(w.Text)
			slices.Reverse(runes)
			w.Text = string(runes)
		}
	})
	return turned
}

// eachWord visits the words of blocks, of their tables and figures.
func eachWord(blocks []block, visit func(page int, w *Word)) {
	lines := func(page int, list []Line) {
		for i := range list {
			for k := range list[i].Words {
				visit(page, &list[i].Words[k])
			}
		}
	}
	for i := range blocks {
		b := &blocks[i]
		lines(b.page, b.lines)
		if b.figure != nil {
			lines(b.page, b.figure.lines)
		}
		if b.table != nil {
			for c := range b.table.cells {
				lines(b.page, b.table.cells[c].lines)
			}
		}
	}
}
