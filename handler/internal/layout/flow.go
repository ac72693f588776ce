package layout

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"

	"golang.org/x/text/unicode/norm"
)

// flow writes lines into one run of inlines and keeps where each line's text went.
type flow struct {
	inlines    []doc.Inline
	text       []byte // of the last inline, when it is text: it is given to it once it is whole
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
	for i, w := range logical(l.Words) {
		switch {
		case f.bytes == 0:
		case i > 0:
			if !w.Glued {
				f.space(w)
			}
		case f.soft:
			f.joined++
		case f.withinAddress(w), f.closeHyphen(w):
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

// withinAddress tells whether a line's first word goes on with the address of a link that the line before shows the beginning of.
func (f *flow) withinAddress(w Word) bool {
	n := len(f.inlines)
	if w.link() == "" || n == 0 || f.inlines[n-1].Link != w.link() {
		return false
	}
	shown := string(f.text[bytes.LastIndexByte(f.text, ' ')+1:])
	return len(shown) > 4 && strings.Contains(w.link(), shown+strings.TrimRight(w.Text, ".,;:)]>"))
}

// space puts a space behind the text, unless two ideographs meet.
func (f *flow) space(next Word) {
	first, _ := utf8.DecodeRuneInString(next.Text)
	if eastAsian(f.last) && eastAsian(first) || f.last == ' ' {
		return
	}
	if n := len(f.inlines); n > 0 {
		if f.inlines[n-1].Kind != doc.Text {
			f.open(doc.Inline{Kind: doc.Text})
		}
		f.text = append(f.text, ' ')
		f.bytes++
		f.last = ' '
	}
}

// open begins an inline.
func (f *flow) open(next doc.Inline) {
	f.close()
	f.inlines = append(f.inlines, next)
	f.text = f.text[:0]
}

// close gives the last inline its text.
func (f *flow) close() {
	if n := len(f.inlines); n > 0 && f.inlines[n-1].Kind == doc.Text {
		f.inlines[n-1].Text = string(f.text)
	}
}

// whole gives the inlines. Nothing can be added afterwards.
func (f *flow) whole() []doc.Inline {
	f.close()
	return f.inlines
}

// write appends a word.
func (f *flow) write(w Word) {
	if w.leads != nil && w.leads.note != "" {
		f.open(doc.Inline{Kind: doc.NoteReference, Note: w.leads.note})
		if f.last == ' ' {
			f.last = 0 // what follows wants a space of its own
		}
		// What stands between two marks: "11, 12".
		if rest := strings.TrimLeftFunc(w.Text, func(r rune) bool { return r != ',' && r != ';' }); rest != "" {
			f.write(Word{Text: rest, Style: w.Style})
		}
		return
	}
	text := norm.NFC.String(strings.ReplaceAll(w.Text, "\u00ad", ""))
	if text == "" {
		return
	}
	marks := w.Marks &^ f.drop
	if strings.IndexFunc(text, isWordRune) < 0 {
		marks &^= (doc.Strong | doc.Emphasis) &^ f.marksBefore()
	}
	f.bytes += len(text)
	f.last, _ = utf8.DecodeLastRuneInString(text)
	if n := len(f.inlines); n > 0 {
		if last := &f.inlines[n-1]; last.Kind == doc.Text && last.Marks == marks && last.Link == w.link() {
			f.text = append(f.text, text...)
			return
		}
	}
	f.open(doc.Inline{Kind: doc.Text, Marks: marks, Link: w.link()})
	f.text = append(f.text, text...)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// marksBefore are the marks of the text just written: a sign alone is marked as its neighbour is, or not at all.
func (f *flow) marksBefore() doc.Marks {
	n := len(f.inlines)
	if n == 0 || f.inlines[n-1].Kind != doc.Text {
		return 0
	}
	return f.inlines[n-1].Marks
}

// closeHyphen joins the word that the last line ended with to next, when a hyphen divides them; it tells whether no space is wanted.
func (f *flow) closeHyphen(next Word) bool {
	n := len(f.inlines)
	if n == 0 || f.inlines[n-1].Kind != doc.Text {
		return false
	}
	r, size := utf8.DecodeLastRune(f.text)
	if r != '-' && r != '\u2010' {
		return false
	}
	head := f.text[:len(f.text)-size]
	before, _ := utf8.DecodeLastRune(head)
	first, _ := utf8.DecodeRuneInString(next.Text)
	if !unicode.IsLetter(before) || !unicode.IsLetter(first) {
		return unicode.IsLetter(before) && unicode.IsDigit(first)
	}
	if unicode.IsUpper(first) && !unicode.IsUpper(before) || f.vocabulary.keepsHyphen(lastWord(string(head[max(0, len(head)-longestWord):])), firstWord(next.Text)) {
		return true
	}
	f.text = head
	f.bytes -= size
	if k := len(f.places); k > 0 && f.places[k-1].To > f.bytes {
		f.places[k-1].To = f.bytes
	}
	f.joined++
	return true
}

// longestWord is how many bytes are looked at for a word.
const longestWord = 256

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
