package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// Outline is an entry of the document's own table of contents (bookmarks).
type Outline struct {
	Title string
	Level int // from 1
	Page  int // from 1; 0 when unknown
}

// bodyStyle is what most of the document's running text looks like.
type bodyStyle struct {
	size   float64
	bold   bool // most of it is bold
	italic bool
	mono   bool // most of it is in a typewriter face
}

// marks are the marks of the running text itself, which mark nothing in it.
func (b bodyStyle) marks() doc.Marks {
	var m doc.Marks
	if b.bold {
		m |= doc.Strong
	}
	if b.italic {
		m |= doc.Emphasis
	}
	if b.mono {
		m |= doc.Monospace
	}
	return m
}

// bodyOf weighs styles by their letters. Lines of several words in a paragraph count ten times, so that neither headings nor a chart's text is the body.
func bodyOf(blocks []block) bodyStyle {
	bySize := map[float64]int{}
	bold, italic, mono, all := 0, 0, 0, 0
	for i := range blocks {
		b := &blocks[i]
		for _, l := range b.lines {
			for _, w := range l.Words {
				n := len(w.Text)
				if len(b.lines) > 1 && wordCount(l) >= 5 {
					n *= 10
				}
				bySize[halfPoint(w.Style.Size)] += n
			}
		}
	}
	for i := range blocks {
		if t := blocks[i].table; t != nil {
			for c := range t.cells {
				for _, l := range t.cells[c].lines {
					bySize[halfPoint(l.Size)] += len(lineText(l))
				}
			}
		}
	}
	var body bodyStyle
	best := 0
	for size, n := range bySize {
		if n > best || n == best && size < body.size {
			best, body.size = n, size
		}
	}
	for i := range blocks {
		for _, l := range blocks[i].lines {
			for _, w := range l.Words {
				if halfPoint(w.Style.Size) != body.size {
					continue
				}
				all += len(w.Text)
				if w.Style.Bold {
					bold += len(w.Text)
				}
				if w.Style.Italic {
					italic += len(w.Text)
				}
				if w.Style.Mono {
					mono += len(w.Text)
				}
			}
		}
	}
	body.mono = mono*2 > all
	body.bold, body.italic = bold*2 > all, italic*2 > all
	return body
}

func halfPoint(size float64) float64 { return math.Round(size*2) / 2 }

// face is what a block looks like as a whole.
type face struct {
	size                float64
	bold, italic, upper bool
	letters, words      int
	longest             int // letters of the longest word
}

func faceOf(b *block) face {
	f := face{upper: true}
	weights := map[float64]int{}
	bold, italic, all, upper, lower := 0, 0, 0, 0, 0
	for _, l := range b.lines {
		f.words += wordCount(l)
		for _, w := range l.Words {
			n := len(w.Text)
			all += n
			f.longest = max(f.longest, len(letters(w.Text)))
			weights[halfPoint(w.Style.Size)] += n
			if w.Style.Bold {
				bold += n
			}
			if w.Style.Italic {
				italic += n
			}
			for _, r := range w.Text {
				switch {
				case unicode.IsUpper(r):
					upper++
				case unicode.IsLower(r):
					lower++
				}
				if unicode.IsLetter(r) {
					f.letters++
				}
			}
		}
	}
	best := 0
	for size, n := range weights {
		if n > best || n == best && size > f.size {
			best, f.size = n, size
		}
	}
	f.bold, f.italic = all > 0 && bold*10 >= all*9, all > 0 && italic*10 >= all*9
	f.upper = upper >= 3 && lower*10 <= upper
	return f
}

// numberedHeading is a heading's printed number: "3", "3.1", "IV.", "A.2", "Chapter 7.", "§ 5".
var numberedHeading = lazyregexp.New(`^(?:(?:Chapter|CHAPTER|Section|SECTION|Part|PART|Appendix|APPENDIX|Article|ARTICLE|Annex|ANNEX|§)\s*)?((?:\d{1,3}|[A-Z]|[IVXLC]{1,6})(?:\.\d{1,3}){0,5})[.):]?\s*[-–—]?\s+\S`)

// captionStart is how captions begin.
var captionStart = lazyregexp.New(`^(?i:figure|fig\.?|table|tab\.|chart|exhibit|box|plate|map|scheme|illustration|photo|abbildung|abb\.|tabelle|tableau|tabla|figura|рис\.|таблица|图|表)\s*\.?\s*[\dIVXA-Z]{1,4}(?:[.\-–]\d{1,3}){0,3}\b`)

// isHeading tells whether a block looks like a heading, judged by itself.
func isHeading(b *block, body bodyStyle) bool {
	f := faceOf(b)
	text := b.text()
	ratio := f.size / max(1, body.size)
	length := utf8.RuneCountInString(text)
	switch {
	case f.longest < 3 && ratio < 1.5, f.letters < 2 && !(ratio > 1.5 && length > 0), len(b.lines) > 4, length > 220, f.words > 30, ratio < 0.6:
		return false
	case captionStart.MatchString(text), hasLeader(text), isFormula(text), isLabel(text) && ratio < 1.5:
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(text)
	numbered := numberedHeading.MatchString(text)
	if strings.ContainsRune(",;-&", last) || strings.HasSuffix(text, "...") {
		return false
	}
	if last == '.' && !(f.words <= 8 && (numbered || ratio >= 1.15)) {
		return false
	}
	if unicode.IsLower(first) && ratio < 1.3 || strings.ContainsRune("•·–—*\"“(", first) && ratio < 1.3 {
		return false
	}
	switch {
	case ratio >= 1.17:
		return f.words <= 25
	case f.bold && !body.bold:
		return f.words <= 16 && len(b.lines) <= 3 && (ratio >= 0.96 || len(b.lines) <= 2 && f.words <= 10)
	case ratio < 0.96:
		return false
	case f.italic && !body.italic:
		return len(b.lines) == 1 && f.words >= 2 && f.words <= 8 && titleCase(text)
	case f.upper && numbered:
		return f.words <= 16
	case ratio >= 1.07 && (numbered || f.upper):
		return f.words <= 14 && len(b.lines) <= 2
	}
	return false
}

// titleCase tells whether most words of a text begin with a capital, as headings' do.
func titleCase(s string) bool {
	capital, all := 0, 0
	for word := range strings.FieldsSeq(s) {
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsLetter(r) {
			all++
			if unicode.IsUpper(r) {
				capital++
			}
		}
	}
	return capital*3 >= all*2 && all > 0
}

// isFormula tells whether a text is mathematics rather than words.
func isFormula(s string) bool {
	letters, symbols, all := 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsLetter(r):
			letters++
		case unicode.Is(unicode.Sm, r), r == '/', r == '^', r == '*':
			symbols++
		}
		all++
	}
	return symbols > 0 && (letters*3 < all*2 || strings.Contains(s, "="))
}

// markHeadings finds the document's headings and their levels, and gives how many there are.
// tagged says that the tags have named the headings already.
func markHeadings(blocks []block, body bodyStyle, outline []Outline, tagged bool) int {
	titles := outlineTitles(outline)
	for i := range blocks {
		b := &blocks[i]
		if b.isFloat() || b.kind != "" {
			continue
		}
		if level := titles[titleKey{b.page, letters(b.text())}]; level > 0 && len(b.lines) <= 4 {
			b.kind, b.level, b.sure = kindHeading, level, true
		} else if !tagged && isHeading(b, body) {
			b.kind = kindHeading
		}
	}
	demote(blocks, body)
	return levelHeadings(blocks)
}

type titleKey struct {
	page  int
	title string
}

func outlineTitles(outline []Outline) map[titleKey]int {
	titles := map[titleKey]int{}
	for _, o := range outline {
		if key := letters(o.Title); key != "" && o.Page > 0 {
			titles[titleKey{o.Page, key}] = max(1, o.Level)
		}
	}
	return titles
}

// letters is a text's letters and digits in lower case: what titles are compared by.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// demote takes headings back that only look like one: large light text where headings are bold, lines of a list of names.
func demote(blocks []block, body bodyStyle) {
	bold := 0
	for i := range blocks {
		if blocks[i].kind == kindHeading && faceOf(&blocks[i]).bold {
			bold++
		}
	}
	for i := range blocks {
		b := &blocks[i]
		if b.kind != kindHeading || b.sure {
			continue
		}
		if f := faceOf(b); bold >= 1 && !f.bold && f.size < 1.45*body.size && !numberedHeading.MatchString(b.text()) {
			b.kind = ""
			continue
		}
		// Five headings in a row without anything under them are a list.
		if run := headingRun(blocks, i); run >= 5 && faceOf(b).size < 1.3*body.size {
			for k := i; k < len(blocks) && k < i+run; k++ {
				if !blocks[k].sure {
					blocks[k].kind = ""
				}
			}
		}
	}
}

func headingRun(blocks []block, i int) int {
	n := 0
	style := faceOf(&blocks[i])
	for k := i; k < len(blocks) && blocks[k].kind == kindHeading; k++ {
		f := faceOf(&blocks[k])
		if f.size != style.size || f.bold != style.bold {
			break
		}
		n++
	}
	return n
}

// levelHeadings gives levels by look, larger and bolder first; numbers and the outline decide where there are any.
func levelHeadings(blocks []block) int {
	type look struct {
		size float64
		rank int // bold and upper case weigh within one size
	}
	lookOf := func(b *block) look {
		f := faceOf(b)
		l := look{size: f.size}
		if f.bold {
			l.rank += 2
		}
		if f.upper {
			l.rank++
		}
		return l
	}
	var looks []look
	n := 0
	for i := range blocks {
		if blocks[i].kind == kindHeading && !blocks[i].sure {
			n++
			if l := lookOf(&blocks[i]); !slices.Contains(looks, l) {
				looks = append(looks, l)
			}
		}
	}
	slices.SortFunc(looks, func(a, b look) int {
		if a.size != b.size {
			return compare(b.size, a.size)
		}
		return b.rank - a.rank
	})
	level := map[look]int{}
	at := 0
	for i, l := range looks {
		if i == 0 || l.size < 0.96*looks[i-1].size || l.rank != looks[i-1].rank {
			at++
		}
		level[l] = min(at, 6)
	}
	for i := range blocks {
		if b := &blocks[i]; b.kind == kindHeading && b.level == 0 {
			b.level = level[lookOf(b)]
		}
	}
	levelNumbered(blocks)
	return n
}

// levelNumbered makes headings with printed numbers as deep as their numbers say, below where "1" stands.
func levelNumbered(blocks []block) {
	base := 0
	for i := range blocks {
		if b := &blocks[i]; b.kind == kindHeading && numberDepth(b) == 1 && (base == 0 || b.level < base) {
			base = b.level
		}
	}
	if base == 0 {
		return
	}
	for i := range blocks {
		b := &blocks[i]
		if depth := numberDepth(b); b.kind == kindHeading && depth > 0 && !b.sure {
			b.level = min(base+depth-1, 6)
		}
	}
}

// numberDepth is how many parts a heading's decimal number has, or 0.
func numberDepth(b *block) int {
	m := numberedHeading.FindStringSubmatch(b.text())
	if m == nil || !unicode.IsDigit(rune(m[1][0])) {
		return 0
	}
	return strings.Count(m[1], ".") + 1
}

// joinHeadings puts lines of one heading together that the space between them has parted.
func joinHeadings(blocks []block) []block {
	kept := blocks[:0]
	for _, b := range blocks {
		if n := len(kept); n > 0 && goesOn(&kept[n-1], &b) {
			last := &kept[n-1]
			last.lines = append(slices.Clip(last.lines), b.lines...)
			last.box = union(last.box, b.box)
			continue
		}
		kept = append(kept, b)
	}
	return kept
}

// goesOn tells whether heading b is the next line of heading a: the same look, right below, not a heading of its own by its number.
func goesOn(a, b *block) bool {
	if a.kind != kindHeading || b.kind != kindHeading || a.sure || b.sure || a.page != b.page || len(a.lines)+len(b.lines) > 4 {
		return false
	}
	fa, fb := faceOf(a), faceOf(b)
	if fa.size != fb.size || fa.bold != fb.bold || fa.italic != fb.italic || fa.upper != fb.upper {
		return false
	}
	gap := b.lines[0].Base - a.lines[len(a.lines)-1].Base
	beside := abs(a.box.X0-b.box.X0) < fa.size || abs((a.box.X0+a.box.X1)-(b.box.X0+b.box.X1)) < 2*fa.size
	return gap > 0 && gap < 3.3*fa.size && beside && fa.size >= 12 && !numberedHeading.MatchString(b.text()) && !strings.HasSuffix(a.text(), ":")
}
