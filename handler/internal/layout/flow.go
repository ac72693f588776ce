package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"

	"golang.org/x/text/unicode/norm"
)

// flow writes lines into one run of inlines and keeps where each line's text went.
type flow struct {
	inlines    []doc.Inline
	places     []doc.Place
	bytes      int
	drop       doc.Marks // left out
	joined     int       // words put together at a line's end
	last       rune
	soft       bool // the last word ended with a soft hyphen
	vocabulary *vocabulary
}

func (r *Result) flow() *flow { return &flow{vocabulary: r.vocabulary} }

// add appends a line's words. A word that was divided at the end of the line before goes on without a space.
func (f *flow) add(l Line) {
	from := f.bytes
	for i, w := range logical(slices.Clone(l.Words)) {
		switch {
		case f.bytes == 0:
		case i > 0:
			if !w.Glued {
				f.space(w)
			}
		case f.soft:
			f.joined++
		case f.closeHyphen(w):
		default:
			f.space(w)
		}
		if i == 0 {
			from = f.bytes
		}
		f.write(w)
		f.soft = strings.HasSuffix(w.Text, "\u00ad")
	}
	box := l.Box
	f.places = append(f.places, doc.Place{Page: l.page, Box: &box, From: from, To: f.bytes})
}

// space puts a space behind the text, unless two ideographs meet.
func (f *flow) space(next Word) {
	first, _ := utf8.DecodeRuneInString(next.Text)
	if eastAsian(f.last) && eastAsian(first) || f.last == ' ' {
		return
	}
	if n := len(f.inlines); n > 0 {
		last := &f.inlines[n-1]
		if last.Kind != doc.Text {
			f.inlines = append(f.inlines, doc.Inline{Kind: doc.Text})
			last = &f.inlines[n]
		}
		last.Text += " "
		f.bytes++
		f.last = ' '
	}
}

// write appends a word.
func (f *flow) write(w Word) {
	if w.note != "" {
		f.inlines = append(f.inlines, doc.Inline{Kind: doc.NoteReference, Note: w.note})
		return
	}
	text := norm.NFC.String(strings.ReplaceAll(w.Text, "\u00ad", ""))
	if text == "" {
		return
	}
	marks := w.Marks &^ f.drop
	f.bytes += len(text)
	f.last, _ = utf8.DecodeLastRuneInString(text)
	if n := len(f.inlines); n > 0 {
		if last := &f.inlines[n-1]; last.Kind == doc.Text && last.Marks == marks && last.Link == w.Link {
			last.Text += text
			return
		}
	}
	f.inlines = append(f.inlines, doc.Inline{Kind: doc.Text, Text: text, Marks: marks, Link: w.Link})
}

// closeHyphen joins the word that the last line ended with to next, when a hyphen divides them; it tells whether no space is wanted.
func (f *flow) closeHyphen(next Word) bool {
	n := len(f.inlines)
	if n == 0 || f.inlines[n-1].Kind != doc.Text {
		return false
	}
	last := &f.inlines[n-1]
	r, size := utf8.DecodeLastRuneInString(last.Text)
	if r != '-' && r != '\u2010' {
		return false
	}
	head := last.Text[:len(last.Text)-size]
	before, _ := utf8.DecodeLastRuneInString(head)
	first, _ := utf8.DecodeRuneInString(next.Text)
	if !unicode.IsLetter(before) || !unicode.IsLetter(first) {
		return unicode.IsLetter(before) && unicode.IsDigit(first)
	}
	if unicode.IsUpper(first) && !unicode.IsUpper(before) || f.vocabulary.keepsHyphen(lastWord(head), firstWord(next.Text)) {
		return true
	}
	last.Text = head
	f.bytes -= size
	if k := len(f.places); k > 0 && f.places[k-1].To > f.bytes {
		f.places[k-1].To = f.bytes
	}
	f.joined++
	return true
}

func lastWord(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[i+size:]
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }); i >= 0 {
		return s[:i]
	}
	return s
}
