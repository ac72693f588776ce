package markdown

import (
	"strings"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// lineMode says what a line break inside a text becomes.
type lineMode uint8

const (
	keepLines lineMode = iota // "\n" stays a line ending, a Break becomes a hard break
	oneLine                   // both become a blank: headings
	cellLines                 // both become <br>: pipe tables
)

// inlines writes the text of a block.
func (r *renderer) inlines(b *doc.Block, list []doc.Inline, mode lineMode) {
	r.inlinesOf(b, list, mode, false)
}

func (r *renderer) inlinesOf(b *doc.Block, list []doc.Inline, mode lineMode, caption bool) {
	r.writer.block, r.writer.caption = b, caption
	r.line, r.offset, r.escapeAt = mode, 0, 0
	if mode == cellLines && len(list) == 1 && isPlain(&list[0]) {
		r.blanks, r.need, r.started = "", escapes{}, len(r.buf)
		r.verbatim(list[0].Text, 0)
		r.offset = len(list[0].Text)
		return
	}
	r.need = needs(list)
	r.need.heading = mode == oneLine
	r.started = len(r.buf)
	r.run(withoutEnd(list), 0, 0)
	r.blanks = ""
	if r.bare && len(r.buf) > r.started { // a line break at the end
		r.buf = r.buf[:len(r.buf)-1]
		r.bare, r.fresh = false, false
	}
	if mode == oneLine {
		r.closeATX()
	}
}

// isPlain tells whether an inline is written as it is inside a line: most cells of large tables are.
func isPlain(in *doc.Inline) bool {
	if in.Kind != doc.Text || in.Marks != 0 || in.Link != "" || in.Text == "" {
		return false
	}
	text := in.Text
	if first, last := text[0], text[len(text)-1]; first <= ' ' || first >= utf8.RuneSelf || last <= ' ' {
		return false
	}
	for i := range len(text) {
		if means[text[i]] {
			return false
		}
	}
	return true
}

// withoutEnd leaves out breaks and blank texts at the end.
func withoutEnd(list []doc.Inline) []doc.Inline {
	for len(list) > 0 {
		in := &list[len(list)-1]
		if in.Kind != doc.Break && (in.Kind != doc.Text || strings.TrimSpace(in.Text) != "") {
			break
		}
		list = list[:len(list)-1]
	}
	return list
}

// run writes inlines whose marks in done are written already. after is the character that will follow the last one.
func (r *renderer) run(list []doc.Inline, done doc.Marks, after rune) {
	for i := 0; i < len(list); {
		end := i + 1
		in := &list[i]
		switch {
		case in.Link != "" && !r.need.link:
			for end < len(list) && list[end].Link == in.Link {
				end++
			}
			r.link(list[i:end], done, first(list[end:], after))
		case nextMark(in, done) != 0:
			mark, n := r.outermost(list[i:], done)
			end = i + n
			r.marked(mark, list[i:end], done, first(list[end:], after))
		default:
			r.leaf(in, list[end:], after)
		}
		i = end
	}
}

// leaf writes one inline without its marks.
func (r *renderer) leaf(in *doc.Inline, rest []doc.Inline, after rune) {
	switch in.Kind {
	case doc.Text, doc.Input:
		if in.Marks.Has(doc.Monospace) && in.Kind == doc.Text {
			r.codeSpan(in.Text)
		} else {
			r.plain(in.Text, rest, after)
		}
		r.offset += len(in.Text)
	case doc.Break:
		r.hardBreak()
		r.offset++
	case doc.Math:
		r.math(in.Text)
		r.offset += len(in.Text)
	case doc.Picture:
		r.picture(in.Image, in.Text)
	case doc.NoteReference:
		r.raw("[^" + noteLabel(in.Note) + "]")
	}
}

func (r *renderer) hardBreak() {
	switch r.line {
	case keepLines:
		if r.fresh || r.need.link { // nothing stands before it
			return
		}
		r.blanks = ""
		r.raw("\\")
		r.newline()
	case cellLines:
		r.blanks = ""
		r.raw("<br>")
	default:
		r.wait(" ", r.offset)
	}
}

func (r *renderer) codeSpan(text string) {
	if strings.TrimSpace(text) == "" {
		r.wait(text, r.offset)
		return
	}
	fence := strings.Repeat("`", shortestFree(text))
	pad := ""
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' && text[len(text)-1] == ' ' {
		pad = " "
	}
	r.raw(fence + pad)
	from := r.offset
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			r.verbatim(text[from-r.offset:i], from)
			r.mapped(" ", r.offset+i, r.offset+i+1)
			from = r.offset + i + 1
		case c == '|' && r.line == cellLines:
			r.verbatim(text[from-r.offset:i], from)
			r.raw(`\`)
			from = r.offset + i
		}
	}
	r.verbatim(text[from-r.offset:], from)
	r.raw(pad + fence)
}

// shortestFree is the length of the shortest run of backticks that the text does not contain.
func shortestFree(text string) int {
	has := map[int]bool{}
	run := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '`' {
			run++
			continue
		}
		has[run] = true
		run = 0
	}
	for n := 1; ; n++ {
		if !has[n] {
			return n
		}
	}
}

func (r *renderer) math(text string) {
	shown := strings.Join(strings.Fields(text), " ")
	if shown == "" {
		return
	}
	if r.line == cellLines {
		shown = strings.ReplaceAll(shown, "|", `\vert `)
	}
	r.raw("$")
	r.mapped(shown, r.offset, r.offset+len(text))
	r.raw("$")
}

// picture writes a picture. Where it has no file, its source or its id stands for it.
func (r *renderer) picture(id, alt string) {
	target := id
	if image := r.images[id]; image != nil {
		if alt == "" {
			alt = image.Alt
		}
		switch {
		case image.File != "":
			target = image.File
		case image.Source != "" && len(image.Source) < 2000 && !strings.HasPrefix(image.Source, "data:"):
			target = image.Source
		}
	}
	r.raw("![" + escapeLabel(oneLineText(alt), r.line == cellLines) + "](" + destination(target, r.line == cellLines) + ")")
}

// first is the character with which the next inline starts.
func first(rest []doc.Inline, after rune) rune {
	if len(rest) == 0 {
		return after
	}
	switch in := &rest[0]; in.Kind {
	case doc.Break:
		return '\n'
	case doc.Text, doc.Input:
		if in.Text != "" {
			c, _ := utf8.DecodeRuneInString(in.Text)
			return c
		}
		return first(rest[1:], after)
	}
	return '!'
}
