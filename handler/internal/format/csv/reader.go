package csv

import (
	"strings"
)

// dialect is how a text parts its values.
type dialect struct {
	delimiter byte
	quote     byte // 0 when nothing is quoted
	backslash bool // \" inside quotation marks stands for a quotation mark
}

// reader gives the records of a text. Fields are parts of the text, not copies, unless they have quotation marks inside.
type reader struct {
	text     string
	pos      int
	line     int // of pos, from 1
	d        dialect
	repaired int // quotation marks that break the rules

	// fill, of a text that is read part by part, gives what it is given and what comes behind it.
	fill     func(rest string) string
	unclosed int  // up to where no mark closes a field that begins before it
	cut      bool // the end of the text so far was met where more of it could change what was read
}

const (
	// ahead is how much text there usually is before a record is read.
	ahead = 2 * maxQuoted
	// maxRecord is the longest record, in bytes, of a text that is read part by part. What is longer becomes several.
	maxRecord = 8 << 20
)

// refill sees to it that most records are in the text whole.
func (r *reader) refill() {
	if len(r.text)-r.pos < ahead {
		r.more(r.pos)
	}
}

// more takes in text behind what is there, which from then on begins at from. It is false at the end of the text.
func (r *reader) more(from int) bool {
	if r.fill == nil {
		return false
	}
	rest := r.text[from:]
	r.text, r.pos, r.unclosed = r.fill(rest), 0, 0
	if len(r.text) == len(rest) {
		r.fill = nil
		return false
	}
	return true
}

// record is one row.
type record struct {
	fields  []string
	line    int // first line, from 1
	endLine int
}

func (r *reader) blankLine() bool {
	at := r.pos
	for at < len(r.text) && r.text[at] == ' ' {
		at++
	}
	return at == len(r.text) || r.text[at] == '\n' || r.text[at] == '\r'
}

// next reads a record into rec, reusing its slice; false at the end. Blank lines are passed over.
func (r *reader) next(rec *record) bool {
	r.refill()
	for r.pos < len(r.text) && r.blankLine() {
		_, next := lineEnd(r.text, r.pos)
		if next == len(r.text) && r.more(r.pos) {
			continue // the line may go on
		}
		r.pos = next
		r.line++
		r.refill()
	}
	if r.pos >= len(r.text) {
		return false
	}
	for {
		start, before := r.pos, *r
		r.record(rec)
		if !r.cut || r.fill == nil || len(r.text)-start >= maxRecord {
			return true
		}
		r.line, r.repaired = before.line, before.repaired
		r.more(start)
		r.pos = 0
	}
}

// record reads a record into rec. It sets cut when the record reaches the end of the text so far.
func (r *reader) record(rec *record) {
	rec.fields, rec.line, r.cut = rec.fields[:0], r.line, false
	for more := true; more; {
		var field string
		field, more = r.field()
		rec.fields = append(rec.fields, field)
	}
	rec.endLine = max(rec.line, r.line-1)
	r.cut = r.cut || r.pos == len(r.text)
}

// field reads one field; more tells that a delimiter follows it.
func (r *reader) field() (string, bool) {
	if r.d.quote != 0 {
		start := r.pos
		for start < len(r.text) && r.text[start] == ' ' && r.d.delimiter != ' ' {
			start++
		}
		if start < len(r.text) && r.text[start] == r.d.quote {
			if field, next, ok := r.quoted(start + 1); ok {
				r.line += newlines(r.text[r.pos:next])
				r.pos = next
				return field, r.pastDelimiter()
			}
			r.repaired++
		}
	}
	rest, end := r.text[r.pos:], 0
	for ; end < len(rest) && rest[end] != r.d.delimiter && rest[end] != '\n' && rest[end] != '\r'; end++ {
		if rest[end] == '"' && r.d.quote == '"' && end > 0 {
			r.repaired++
		}
	}
	field := rest[:end]
	r.pos += end
	return field, r.pastDelimiter()
}

// pastDelimiter steps over a delimiter (true) or a line's end (false).
func (r *reader) pastDelimiter() bool {
	switch {
	case r.pos == len(r.text):
	case r.text[r.pos] == r.d.delimiter:
		r.pos++
		return true
	case r.text[r.pos] == '\n':
		r.pos++
	default:
		_, r.pos = lineEnd(r.text, r.pos)
	}
	r.line++
	return false
}

// maxQuoted is the longest quoted field, in bytes. A longer one is a quotation mark that nobody closed.
const maxQuoted = 1 << 20

// quoted reads from behind an opening quotation mark to behind the closing one and spaces after it. ok is false when no mark closes
// the field.
func (r *reader) quoted(start int) (field string, next int, ok bool) {
	mark, next, ok := r.closing(start)
	if !ok {
		return "", 0, false
	}
	field = r.text[start:mark]
	if strings.IndexByte(field, r.d.quote) >= 0 || r.d.backslash && strings.IndexByte(field, '\\') >= 0 {
		field = r.unquote(field)
	}
	return field, next, true
}

// closing finds the mark that closes a field, and where the text goes on behind it and spaces after it. The closing mark is one that
// a delimiter or a line's end follows; any other is text.
//
// Where a field is not closed, none that begins in the stretch that was searched is closed by a mark in it: that stretch is
// searched once, however many fields begin there. Only marks right behind the opening one count otherwise from there.
func (r *reader) closing(start int) (mark, next int, ok bool) {
	limit := min(len(r.text), start+maxQuoted)
	i := start
	for ; i < limit; i = r.step(i) {
		if i < r.unclosed && r.text[i] != r.d.quote {
			i = r.unclosed
			if i >= limit {
				break
			}
		}
		if r.text[i] != r.d.quote || r.step(i) > i+1 {
			continue
		}
		end := i + 1
		for end < len(r.text) && r.text[end] == ' ' && r.d.delimiter != ' ' {
			end++
		}
		if end == len(r.text) || r.text[end] == r.d.delimiter || r.text[end] == '\n' || r.text[end] == '\r' {
			return i, end, true
		}
	}
	r.unclosed = max(r.unclosed, i)
	r.cut = r.cut || limit == len(r.text)
	return 0, 0, false
}

// step is behind the sign at i of a quoted field: two bytes on where a quotation mark is doubled, or a backslash takes its meaning.
func (r *reader) step(i int) int { return i + signLength(r.text[i:], r.d) }

func signLength(text string, d dialect) int {
	switch {
	case len(text) < 2:
	case d.backslash && text[0] == '\\' && (text[1] == d.quote || text[1] == '\\'), !d.backslash && text[0] == d.quote && text[1] == d.quote:
		return 2
	}
	return 1
}

// unquote takes the second ones out of doubled quotation marks, or the backslashes before marks.
func (r *reader) unquote(field string) string {
	var b strings.Builder
	b.Grow(len(field))
	for len(field) > 0 {
		n := signLength(field, r.d)
		if n == 1 && field[0] == r.d.quote {
			r.repaired++
		}
		b.WriteByte(field[n-1])
		field = field[n:]
	}
	return b.String()
}

// lineEnd finds the end of the line at start, and the start of the next: after \n, \r\n or a lone \r.
func lineEnd(text string, start int) (end, next int) {
	i := strings.IndexAny(text[start:], "\n\r")
	if i < 0 {
		return len(text), len(text)
	}
	end = start + i
	if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
		return end, end + 2
	}
	return end, end + 1
}

func newlines(s string) int {
	n := strings.Count(s, "\n")
	if n == 0 {
		n = strings.Count(s, "\r")
	}
	return n
}
