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
	fill func(rest string) string
}

// ahead is how much text must be there before a record is read: more than the longest quoted field.
const ahead = 2 * maxQuoted

// refill makes sure that a record is in the text whole.
func (r *reader) refill() {
	if r.fill == nil || len(r.text)-r.pos >= ahead {
		return
	}
	rest := r.text[r.pos:]
	r.text, r.pos = r.fill(rest), 0
	if len(r.text) == len(rest) {
		r.fill = nil
	}
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
		_, r.pos = lineEnd(r.text, r.pos)
		r.line++
		r.refill()
	}
	if r.pos >= len(r.text) {
		return false
	}
	rec.fields, rec.line = rec.fields[:0], r.line
	for {
		field, more := r.field()
		rec.fields = append(rec.fields, field)
		if !more {
			rec.endLine = max(rec.line, r.line-1)
			return true
		}
	}
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

// quoted reads from behind an opening quotation mark to behind the closing one and spaces after it. The closing mark is one that
// a delimiter or a line's end follows; any other is text. ok is false when no mark closes the field.
func (r *reader) quoted(start int) (field string, next int, ok bool) {
	var b strings.Builder
	from, doubled := start, false
	limit := min(len(r.text), start+maxQuoted)
	for i := start; i < limit; i++ {
		switch {
		case r.d.backslash && r.text[i] == '\\' && i+1 < limit && (r.text[i+1] == r.d.quote || r.text[i+1] == '\\'):
			b.WriteString(r.text[from:i])
			from, doubled = i+1, true
			i++
		case r.text[i] != r.d.quote:
		case i+1 < len(r.text) && r.text[i+1] == r.d.quote && !r.d.backslash:
			b.WriteString(r.text[from : i+1])
			from, doubled = i+2, true
			i++
		default:
			end := i + 1
			for end < len(r.text) && r.text[end] == ' ' && r.d.delimiter != ' ' {
				end++
			}
			if end == len(r.text) || r.text[end] == r.d.delimiter || r.text[end] == '\n' || r.text[end] == '\r' {
				if !doubled {
					return r.text[start:i], end, true
				}
				b.WriteString(r.text[from:i])
				return b.String(), end, true
			}
			r.repaired++
		}
	}
	return "", 0, false
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
