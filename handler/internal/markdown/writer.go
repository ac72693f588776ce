package markdown

import (
	"unicode/utf8"
	"unsafe"

	"decant/handler/internal/doc"
)

// writer builds the text. Lines start with the prefix of the containers they are in ("> ", list indentation),
// blanks at the start and end of lines are dropped, and every byte that comes from the document is noted in spans.
type writer struct {
	buf      []byte
	spans    []Span
	prefix   []byte // what every line starts with now
	fresh    bool   // nothing but the prefix stands in this line
	bare     bool   // not even the prefix stands in this line
	blanks   string // blanks that are only written when something follows in the line
	blanksAt int    // their place in the plain text
	started  int    // where the text of the block began: blanks there are dropped
	closed   int    // where the last closing emphasis delimiter ended
	opened   int    // where the last opening emphasis delimiter ended
	joined   bool   // it stands right after another one, inside of what that one opens

	block   *doc.Block // whose text is being written
	caption bool
}

func (w *writer) text() string { return unsafe.String(unsafe.SliceData(w.buf), len(w.buf)) }

// raw writes markup.
func (w *writer) raw(s string) {
	if s == "" {
		return
	}
	w.begin()
	w.buf = append(w.buf, s...)
	w.fresh = false
}

// closing writes a closing delimiter: blanks that wait stay behind it.
func (w *writer) closing(s string) {
	blanks, at := w.blanks, w.blanksAt
	w.blanks = ""
	w.raw(s)
	w.blanks, w.blanksAt = blanks, at
	w.closed = len(w.buf)
}

// verbatim writes s, which is plain text from byte from of the block's text.
func (w *writer) verbatim(s string, from int) { w.mapped(s, from, from+len(s)) }

// mapped writes s, which stands for the bytes from..to of the block's text.
func (w *writer) mapped(s string, from, to int) {
	if s == "" {
		return
	}
	w.begin()
	start := len(w.buf)
	w.buf = append(w.buf, s...)
	w.fresh = false
	w.span(start, from, to)
}

func (w *writer) span(start, from, to int) {
	end := len(w.buf)
	if n := len(w.spans); n > 0 {
		last := &w.spans[n-1]
		if last.End == start && last.To == from && last.Block == w.block && last.Caption == w.caption &&
			last.End-last.Start == last.To-last.From && end-start == to-from {
			last.End, last.To = end, to
			return
		}
	}
	w.spans = append(w.spans, Span{Start: start, End: end, Block: w.block, From: from, To: to, Caption: w.caption})
}

// begin writes the prefix when the line is new, and the blanks that were waiting.
func (w *writer) begin() {
	if w.bare {
		w.buf = append(w.buf, w.prefix...)
		w.bare = false
	}
	if w.blanks == "" {
		return
	}
	if !w.fresh && len(w.buf) > w.started {
		start := len(w.buf)
		w.buf = append(w.buf, w.blanks...)
		w.span(start, w.blanksAt, w.blanksAt+len(w.blanks))
	}
	w.blanks = ""
}

// wait keeps blanks until something follows them in the line.
func (w *writer) wait(blanks string, from int) {
	if w.blanks == "" {
		w.blanks, w.blanksAt = blanks, from
		return
	}
	w.blanks += blanks
}

// newline ends the line; blanks at its end are dropped.
func (w *writer) newline() {
	w.blanks = ""
	if w.bare {
		w.buf = append(w.buf, trimRight(w.prefix)...)
	}
	w.buf = append(w.buf, '\n')
	w.fresh, w.bare = true, true
}

// push makes the containers' prefix longer; the result is for pop.
func (w *writer) push(s string) int {
	n := len(w.prefix)
	w.prefix = append(w.prefix, s...)
	return n
}

func (w *writer) pop(n int) { w.prefix = w.prefix[:n] }

// before is the character that stands before the next one to be written: a line break at the start of a line.
func (w *writer) before() rune {
	if w.fresh || len(w.buf) == 0 {
		return '\n'
	}
	if w.blanks != "" {
		return ' '
	}
	r, _ := utf8.DecodeLastRune(w.buf)
	return r
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}
