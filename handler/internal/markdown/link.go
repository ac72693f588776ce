package markdown

import (
	"html"
	"strings"

	"decant/handler/internal/doc"
)

// link writes inlines that share a target.
func (r *renderer) link(list []doc.Inline, done doc.Marks, after rune) {
	target := list[0].Link
	if name, ok := strings.CutPrefix(target, "#"); ok {
		if slug, ok := r.anchors[name]; ok {
			target = "#" + slug
		}
	}
	text := doc.PlainText(list)
	if strings.TrimSpace(text) == "" && !hasObject(list) {
		r.run(list, done|allMarks, after) // a link that nobody sees
		return
	}
	if len(list) == 1 && list[0].Kind == doc.Text && list[0].Marks&^doc.Underline == 0 && isAutolink(text, target) {
		r.raw("<")
		r.verbatim(text, r.offset)
		r.raw(">")
		r.offset += len(text)
		return
	}
	list = r.leadingBlanks(list)
	r.raw("[")
	need := r.need
	r.need.link = true
	r.run(list, done, ']')
	r.need = need
	r.closing("](" + destination(target, r.line == cellLines) + ")")
	r.closed = -1
}

const allMarks = ^doc.Marks(0)

// isAutolink tells whether <text> is read as a link to target (CommonMark 6.5).
func isAutolink(text, target string) bool {
	if strings.ContainsAny(text, " \t\n<>|\\") || text == "" {
		return false
	}
	if strings.HasPrefix(target, "mailto:") {
		return target == "mailto:"+text && strings.Contains(text, "@")
	}
	return text == target && (strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"))
}

// destination writes a link target: between angle brackets when it has blanks or unbalanced parentheses.
func destination(target string, cell bool) string {
	target = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, strings.TrimSpace(target))
	if cell {
		target = strings.ReplaceAll(target, "|", "%7C")
	}
	plain := target != "" && target[0] != '<' && !strings.ContainsAny(target, " ") && balanced(target)
	if plain {
		return escapeBackslash(target, "")
	}
	return "<" + escapeBackslash(target, "<>") + ">"
}

// escapeBackslash escapes the given characters, and backslashes that would escape something.
func escapeBackslash(s, special string) string {
	if !strings.ContainsAny(s, `\`+special) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(special, s[i]) >= 0 || s[i] == '\\' && i+1 < len(s) && isASCIIPunct(s[i+1]) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && strings.Count(s, "(") < 30
}

// escapeLabel escapes text that stands between the brackets of an image.
func escapeLabel(s string, cell bool) string {
	special := "[]`*_<&~"
	if cell {
		special += "|"
	}
	return escapeBackslash(s, special)
}

// anchor marks the place that links of the document go to. Headings have a name of their own.
func (r *renderer) anchor(b *doc.Block) {
	if b.Anchor != "" && r.linked[b.Anchor] && r.line == keepLines {
		r.raw(`<span id="` + html.EscapeString(b.Anchor) + `"></span>`)
	}
}

// anchors maps the anchors of headings to the names that GitHub gives headings.
func anchors(d *doc.Document) map[string]string {
	names, taken := map[string]string{}, map[string]int{}
	doc.Walk(d.Blocks, func(b *doc.Block) bool {
		if b.Kind == doc.Heading {
			text := b.PlainText()
			if b.Number != "" {
				text = b.Number + " " + text
			}
			slug := slugOf(text)
			if n := taken[slug]; n > 0 {
				taken[slug]++
				slug += "-" + itoa(n)
			} else {
				taken[slug] = 1
			}
			if b.Anchor != "" {
				names[b.Anchor] = slug
			}
		}
		return b.Table == nil
	})
	return names
}
