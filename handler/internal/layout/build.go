package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// flow writes lines into one run of inlines and keeps where each line's text went.
type flow struct {
	inlines []doc.Inline
	places  []doc.Place
	bytes   int
	drop    doc.Marks // left out
	joined  int       // words put together at a line's end
}

// add appends a line's words. A word that was divided at the end of the line before goes on without a space.
func (f *flow) add(page int, l Line) {
	from := f.bytes
	for i, w := range l.Words {
		if f.bytes > 0 && !w.Glued {
			if i > 0 || !f.closeHyphen(w) {
				f.space()
				if i == 0 {
					from = f.bytes
				}
			} else {
				from = f.bytes
			}
		}
		f.write(w.Text, w.Marks&^f.drop, w.Link)
	}
	box := l.Box
	f.places = append(f.places, doc.Place{Page: page, Box: &box, From: from, To: f.bytes})
}

// space puts a space behind the text, unless two ideographs meet.
func (f *flow) space() {
	if n := len(f.inlines); n > 0 {
		if strings.HasSuffix(f.inlines[n-1].Text, " ") {
			return
		}
		f.inlines[n-1].Text += " "
		f.bytes++
	}
}

func (f *flow) write(text string, marks doc.Marks, link string) {
	f.bytes += len(text)
	if n := len(f.inlines); n > 0 {
		if last := &f.inlines[n-1]; last.Marks == marks && last.Link == link {
			last.Text += text
			return
		}
	}
	f.inlines = append(f.inlines, doc.Inline{Kind: doc.Text, Text: text, Marks: marks, Link: link})
}

// closeHyphen joins the word that the last line ended with to next, when a hyphen divides them; it tells whether no space is wanted.
func (f *flow) closeHyphen(next Word) bool {
	n := len(f.inlines)
	if n == 0 {
		return false
	}
	last := &f.inlines[n-1]
	r, size := utf8.DecodeLastRuneInString(last.Text)
	if r != '-' && r != '\u00ad' && r != '\u2010' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(last.Text[:len(last.Text)-size])
	first, _ := utf8.DecodeRuneInString(next.Text)
	if !unicode.IsLetter(before) || !unicode.IsLetter(first) {
		return r == '\u00ad'
	}
	if unicode.IsLower(first) || r == '\u00ad' {
		last.Text = last.Text[:len(last.Text)-size]
		f.bytes -= size
		if k := len(f.places); k > 0 && f.places[k-1].To > f.bytes {
			f.places[k-1].To = f.bytes
		}
		f.joined++
	}
	return true
}
