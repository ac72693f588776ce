package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// htmlInlines writes the text of a block inside an HTML table.
func (r *renderer) htmlInlines(b *doc.Block, list []doc.Inline) {
	r.block0(b)
	r.offset = 0
	r.htmlRun(list, 0)
	r.blanks = ""
}

func (r *renderer) htmlRun(list []doc.Inline, done doc.Marks) {
	for i := 0; i < len(list); {
		in := &list[i]
		end := i + 1
		mark := nextMark(in, done)
		switch {
		case in.Link != "" && done&linked == 0:
			for end < len(list) && list[end].Link == in.Link {
				end++
			}
			r.raw(`<a href="` + htmlEscape(in.Link) + `">`)
			r.htmlRun(list[i:end], done|linked)
			r.raw("</a>")
		case mark != 0:
			for end < len(list) && list[end].Link == in.Link && list[end].Marks.Has(mark) {
				end++
			}
			tag := formOf(mark).tag
			r.raw("<" + tag + ">")
			r.htmlRun(list[i:end], done|mark)
			r.raw("</" + tag + ">")
		default:
			r.htmlLeaf(in)
		}
		i = end
	}
}

// linked marks, in the set of marks that are written already, that the link is too.
const linked doc.Marks = 1 << 15

func (r *renderer) htmlLeaf(in *doc.Inline) {
	switch in.Kind {
	case doc.Text, doc.Input:
		if in.Marks.Has(doc.Monospace) {
			r.raw("<code>")
		}
		r.entities(in.Text, r.offset, false)
		if in.Marks.Has(doc.Monospace) {
			r.raw("</code>")
		}
		r.offset += len(in.Text)
	case doc.Break:
		r.raw("<br>")
		r.offset++
	case doc.Math:
		r.raw("$")
		r.entities(strings.Join(strings.Fields(in.Text), " "), r.offset, false)
		r.raw("$")
		r.offset += len(in.Text)
	case doc.Picture:
		r.htmlPicture(in.Image, in.Text)
	case doc.NoteReference:
		r.raw("[^" + noteLabel(in.Note) + "]")
	}
}

func (r *renderer) htmlPicture(id, alt string) {
	target := id
	if image := r.images[id]; image != nil {
		if alt == "" {
			alt = image.Alt
		}
		if image.File != "" {
			target = image.File
		}
	}
	r.raw(`<img src="` + htmlEscape(target) + `" alt="` + htmlEscape(oneLineText(alt)) + `">`)
}

// entities writes plain text from byte offset of the block's text, with character references where HTML needs them.
// A line ending becomes a blank, or in preformatted text a reference, so that the row stays on its line.
func (r *renderer) entities(s string, offset int, pre bool) {
	for {
		i := strings.IndexAny(s, "&<>\n\r")
		if i < 0 {
			r.verbatim(s, offset)
			return
		}
		r.verbatim(s[:i], offset)
		r.mapped(entity(s[i], pre), offset+i, offset+i+1)
		s = s[i+1:]
		offset += i + 1
	}
}

func entity(c byte, pre bool) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	}
	if pre {
		return "&#10;"
	}
	return " "
}

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ", "\r", " ")

func htmlEscape(s string) string { return htmlEscaper.Replace(s) }
