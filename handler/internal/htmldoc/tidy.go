package htmldoc

import (
	"strings"

	"decant/handler/internal/doc"
)

// tidy folds white space over all inlines of a paragraph as a browser does, and takes out what is empty.
// Runs of pictures, breaks at the ends and spaces around breaks are cleaned too.
func tidy(line []doc.Inline) []doc.Inline {
	out := make([]doc.Inline, 0, len(line))
	space := true // a space at the start is not shown
	for _, in := range line {
		switch in.Kind {
		case doc.Text:
			in.Text, space = fold(in.Text, space)
			if in.Text == "" {
				continue
			}
		case doc.Break:
			out = trimEnd(out)
			space = true
			if len(out) == 0 {
				continue
			}
		default:
			space = false
		}
		out = append(out, in)
	}
	out = trimEnd(out)
	for len(out) > 0 && out[len(out)-1].Kind == doc.Break {
		out = trimEnd(out[:len(out)-1])
	}
	return merge(shareLooks(moveSpaces(out)))
}

// fold makes one space of each run of white space; after a space, none at the start.
func fold(s string, space bool) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch r {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			if !space {
				b.WriteByte(' ')
			}
			space = true
		case '\u200b', '\ufeff', '\u00ad': // zero-width space, mark, soft hyphen: where a line may break, not text
		default:
			if r < 0x20 || r == 0x7f {
				continue
			}
			b.WriteRune(r)
			space = false
		}
	}
	return b.String(), space
}

// trimEnd takes spaces off the end of the line.
func trimEnd(line []doc.Inline) []doc.Inline {
	for n := len(line); n > 0 && line[n-1].Kind == doc.Text; n = len(line) {
		line[n-1].Text = strings.TrimRight(line[n-1].Text, " \u00a0")
		if line[n-1].Text != "" {
			return line
		}
		line = line[:n-1]
	}
	return line
}

// moveSpaces moves the spaces at the ends of marked or linked texts outside, so that "**bold **" becomes "**bold** ".
func moveSpaces(line []doc.Inline) []doc.Inline {
	var out []doc.Inline
	for _, in := range line {
		if in.Kind != doc.Text || in.Marks == 0 && in.Link == "" {
			out = append(out, in)
			continue
		}
		inner := strings.Trim(in.Text, " ")
		if inner == "" {
			if in.Text != "" {
				out = append(out, doc.T(" "))
			}
			continue
		}
		if strings.HasPrefix(in.Text, " ") {
			out = append(out, doc.T(" "))
		}
		tail := strings.HasSuffix(in.Text, " ")
		in.Text = inner
		out = append(out, in)
		if tail {
			out = append(out, doc.T(" "))
		}
	}
	return out
}

// shareLooks gives a space between two texts what they have in common, so that "**bold *and italic***" stays one bold text.
func shareLooks(line []doc.Inline) []doc.Inline {
	for i := 1; i+1 < len(line); i++ {
		before, in, after := &line[i-1], &line[i], &line[i+1]
		if in.Kind == doc.Text && in.Text == " " && before.Kind == doc.Text && after.Kind == doc.Text {
			in.Marks = before.Marks & after.Marks
			if before.Link == after.Link {
				in.Link = before.Link
			}
		}
	}
	return line
}

// merge joins neighbours that look the same.
func merge(line []doc.Inline) []doc.Inline {
	var out []doc.Inline
	for _, in := range line {
		if n := len(out); n > 0 && in.Kind == doc.Text && out[n-1].Kind == doc.Text {
			last := &out[n-1]
			if sameLook(*last, in) {
				last.Text += in.Text
				continue
			}
		}
		out = append(out, in)
	}
	return out
}

func sameLook(a, b doc.Inline) bool { return a.Marks == b.Marks && a.Link == b.Link }
