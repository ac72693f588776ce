package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// markForm is how a mark is written: by delimiters where Markdown has them and reads them there, else by tags.
type markForm struct {
	mark      doc.Marks
	delimiter string
	tag       string
}

// markForms are in the order of nesting, outermost first, for marks that reach equally far. Monospace is written at the text itself.
var markForms = []markForm{
	{doc.Deleted, "", "del"},
	{doc.Inserted, "", "ins"},
	{doc.Highlight, "", "mark"},
	{doc.Underline, "", "u"},
	{doc.Strong, "**", "strong"},
	{doc.Emphasis, "*", "em"},
	{doc.Strike, "~~", "s"},
	{doc.Superscript, "", "sup"},
	{doc.Subscript, "", "sub"},
}

// nextMark is the outermost mark of an inline that is not written yet, or 0.
func nextMark(in *doc.Inline, done doc.Marks) doc.Marks {
	if in.Marks == 0 || in.Kind == doc.Break {
		return 0
	}
	if in.Link != "" {
		done |= doc.Underline // links are underlined anyway
	}
	for _, f := range markForms {
		if in.Marks.Has(f.mark) && !done.Has(f.mark) {
			return f.mark
		}
	}
	return 0
}

// outermost is the mark that is written first at the start of a list of inlines, the one that reaches furthest, and how many inlines it covers;
// 0 when all marks there are in done.
func (r *renderer) outermost(list []doc.Inline, done doc.Marks) (mark doc.Marks, n int) {
	for first := nextMark(&list[0], done); first != 0; first = nextMark(&list[0], done) {
		end := 1
		for end < len(list) && (list[end].Link == list[0].Link || r.need.link) && list[end].Marks.Has(first) {
			end++
		}
		if end > n {
			mark, n = first, end
		}
		done |= first
	}
	return mark, n
}

func formOf(mark doc.Marks) markForm {
	for _, f := range markForms {
		if f.mark == mark {
			return f
		}
	}
	panic("markdown: internal error: mark without a form")
}

// marked writes inlines that all have the mark. Blanks at the ends stand outside of it.
func (r *renderer) marked(mark doc.Marks, list []doc.Inline, done doc.Marks, after rune) {
	done |= mark
	text := doc.PlainText(list)
	if r.need.heading && mark&(doc.Strong|doc.Underline) != 0 { // a heading is that anyway
		r.run(list, done, after)
		return
	}
	if strings.TrimSpace(text) == "" && !hasObject(list) {
		r.run(list, done, after)
		return
	}
	list, blanks := trailingBlanks(r.leadingBlanks(list))
	if blanks != "" {
		after = ' '
	}
	text = doc.PlainText(list)
	form := formOf(mark)
	open, shut := "<"+form.tag+">", "</"+form.tag+">"
	if form.delimiter != "" && r.readsAsDelimiter(text, edges(list, done), after, done&^mark&(doc.Strong|doc.Emphasis) != 0) {
		open, shut = form.delimiter, form.delimiter
	}
	r.opens(open, done&^mark&(doc.Strong|doc.Emphasis) != 0)
	r.run(list, done, rune(shut[0]))
	r.closing(shut)
	r.plain(blanks, nil, after)
	r.offset += len(blanks)
}

// opens writes what opens a mark and notes where several delimiters are joined to one run.
func (r *renderer) opens(open string, nested bool) {
	r.joined = nested && (r.joined || r.opened == len(r.buf) && open[0] == '*')
	r.raw(open)
	r.opened = len(r.buf)
}

func hasObject(list []doc.Inline) bool {
	for i := range list {
		switch list[i].Kind {
		case doc.Picture, doc.NoteReference, doc.Math:
			return true
		}
	}
	return false
}

// leadingBlanks writes the blanks with which a run starts, and gives the run without them.
func (r *renderer) leadingBlanks(list []doc.Inline) []doc.Inline {
	for len(list) > 1 || list[0].Text != "" {
		in := list[0]
		if in.Kind != doc.Text || in.Marks.Has(doc.Monospace) {
			return list
		}
		trimmed := strings.TrimLeft(in.Text, " \t\n")
		n := len(in.Text) - len(trimmed)
		if n == 0 {
			return list
		}
		r.plain(in.Text[:n], nil, 'x')
		r.offset += n
		if in.Text = trimmed; trimmed != "" {
			return append([]doc.Inline{in}, list[1:]...)
		}
		list = list[1:]
	}
	return list
}

// trailingBlanks takes the blanks off the end of a run, to be written after its closing delimiter.
func trailingBlanks(list []doc.Inline) (trimmed []doc.Inline, blanks string) {
	for len(list) > 1 || list[0].Text != "" {
		in := list[len(list)-1]
		if in.Kind != doc.Text || in.Marks.Has(doc.Monospace) {
			break
		}
		text := strings.TrimRight(in.Text, " \t\n")
		blanks = in.Text[len(text):] + blanks
		if text == in.Text {
			break
		}
		list = list[:len(list)-1]
		if text != "" {
			in.Text = text
			return append(append([]doc.Inline(nil), list...), in), blanks
		}
	}
	return list, blanks
}

// readsAsDelimiter tells whether delimiters around text open and close emphasis here (CommonMark 6.2, left- and right-flanking).
func (r *renderer) readsAsDelimiter(text string, markup [2]rune, after rune, nested bool) bool {
	if len(r.buf) == r.closed && r.blanks == "" { // delimiters would touch and be read as one run
		return false
	}
	inner := strings.TrimRight(text, " \t\n")
	if inner == "" {
		return true // objects only
	}
	head, _ := utf8.DecodeRuneInString(inner)
	tail, _ := utf8.DecodeLastRuneInString(inner)
	if len(inner) < len(text) {
		after = ' '
	}
	if markup[0] != 0 {
		head = markup[0]
	}
	if markup[1] != 0 {
		tail = markup[1]
	}
	before := r.before()
	if unicode.IsSpace(head) || unicode.IsSpace(tail) { // such as a no-break space
		return false
	}
	if head == '~' || tail == '~' || r.before() == '~' || after == '~' { // some readers take the escaped one into the delimiter
		return false
	}
	if nested && (isPunct(head) && !(head != '*' && unicode.IsSpace(before)) || isPunct(tail) && !(tail != '*' && unicode.IsSpace(after))) {
		return false // could close the outer one, or open a third
	}
	if nested && r.joined && !(isBorder(before) && isBorder(after)) { // inside a word it could end a part of the joined run
		return false
	}
	opens := !isPunct(head) || isBorder(before)
	shuts := !isPunct(tail) || isBorder(after)
	return opens && shuts
}

// edges are the characters of the markup that stands at the start and at the end of a run: '*' for a delimiter that could join with its
// own, '<' for any other, 0 where there is text.
func edges(list []doc.Inline, done doc.Marks) [2]rune {
	return [2]rune{edge(&list[0], done), edge(&list[len(list)-1], done)}
}

func edge(in *doc.Inline, done doc.Marks) rune {
	switch {
	case in.Marks&^done&(doc.Strong|doc.Emphasis) != 0:
		return '*'
	case in.Kind != doc.Text || in.Marks&^done != 0 || in.Link != "":
		return '<'
	}
	return 0
}

func isBorder(c rune) bool { return c == 0 || unicode.IsSpace(c) || isPunct(c) }

func isPunct(c rune) bool { return unicode.IsPunct(c) || unicode.IsSymbol(c) }
