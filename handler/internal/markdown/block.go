package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// blocks writes blocks with a blank line between them.
func (r *renderer) blocks(blocks []doc.Block) {
	wrote := false
	for i := range blocks {
		b := &blocks[i]
		if !r.shows(b) {
			continue
		}
		if wrote {
			r.gap()
			if i > 0 && wouldJoin(&blocks[i-1], b) {
				r.raw("<!-- -->")
				r.gap()
			}
		}
		r.block(b, takesOtherBullet(blocks, i))
		wrote = true
	}
}

// gap ends a block and leaves an empty line.
func (r *renderer) gap() {
	if !r.bare {
		r.newline()
	}
	r.newline()
}

// shows tells whether a block writes anything.
func (r *renderer) shows(b *doc.Block) bool {
	switch b.Kind {
	case doc.List, doc.Quote, doc.TOC, doc.Terms, doc.Details:
		return r.anyShows(b.Children)
	case doc.Group:
		return headingOf(b) != "" || r.anyShows(b.Children)
	case doc.Table:
		return b.Table != nil && (len(b.Table.Cells) > 0 || len(b.Caption) > 0)
	case doc.Figure:
		return b.Image != "" || len(b.Caption) > 0 || r.anyShows(b.Children)
	case doc.Paragraph, doc.Heading, doc.Term:
		return b.Number != "" || inlinesShow(b.Inlines)
	case doc.Formula:
		return strings.TrimSpace(b.Text) != ""
	}
	return true
}

func (r *renderer) anyShows(blocks []doc.Block) bool {
	for i := range blocks {
		if r.shows(&blocks[i]) {
			return true
		}
	}
	return false
}

func inlinesShow(inlines []doc.Inline) bool {
	for i := range inlines {
		switch in := &inlines[i]; in.Kind {
		case doc.Break:
		case doc.Text:
			if strings.TrimSpace(in.Text) != "" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// block writes one block. otherBullet is set when the list before it must not swallow this one.
func (r *renderer) block(b *doc.Block, otherBullet bool) {
	if r.depth >= maxDepth {
		r.flattened(b)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	r.line = keepLines
	n := r.open(BlockNode, b)
	switch b.Kind {
	case doc.Table, doc.Figure, doc.Code, doc.Formula, doc.Quote, doc.List, doc.Terms:
		if b.Anchor != "" && r.linked[b.Anchor] {
			r.anchor(b)
			r.gap()
		}
	}
	switch b.Kind {
	case doc.Heading:
		r.heading(b)
	case doc.List:
		r.list(b, otherBullet)
	case doc.Table:
		r.grid(b, n)
	case doc.Figure:
		r.figure(b)
	case doc.Code:
		r.code(b)
	case doc.Formula:
		r.formula(b)
	case doc.Quote:
		r.quote(b)
	case doc.Rule:
		r.raw(r.rule())
	case doc.Group:
		r.group(b)
	case doc.Terms:
		r.terms(b)
	case doc.Item, doc.TOC, doc.Details:
		r.blocks(b.Children)
	default:
		r.paragraph(b)
	}
	r.close(n)
}

// flattened writes the text of blocks that are nested too deeply, one paragraph each.
func (r *renderer) flattened(b *doc.Block) {
	first := true
	doc.Walk([]doc.Block{*b}, func(inner *doc.Block) bool {
		if len(inner.Inlines) == 0 && inner.Text == "" {
			return true
		}
		if !first {
			r.gap()
		}
		first = false
		n := r.open(BlockNode, inner)
		if inner.Text != "" {
			r.code(inner)
		} else {
			r.paragraph(inner)
		}
		r.close(n)
		return true
	})
}

func (r *renderer) paragraph(b *doc.Block) {
	r.anchor(b)
	r.number(b, b.Inlines)
	r.inlines(b, b.Inlines, keepLines)
}

// number writes a printed number, unless the text starts with it already.
func (r *renderer) number(b *doc.Block, text []doc.Inline) {
	number := strings.TrimSpace(b.Number)
	if number == "" || b.Kind == doc.Formula || strings.HasPrefix(strings.TrimSpace(doc.PlainText(text)), number) {
		return
	}
	r.literal(number)
	r.raw(" ")
}

func (r *renderer) heading(b *doc.Block) {
	r.raw(strings.Repeat("#", min(max(b.Level, 1), 6)) + " ")
	r.number(b, b.Inlines)
	r.inlines(b, b.Inlines, oneLine)
}

func (r *renderer) code(b *doc.Block) {
	fence := strings.Repeat("`", max(3, longestRun(b.Text, '`')+1))
	r.raw(fence + infoString(b.Language))
	r.newline()
	r.lines(b, strings.TrimSuffix(b.Text, "\n"))
	r.newline()
	r.raw(fence)
}

// lines writes text as it is, each line behind the prefix.
func (r *renderer) lines(b *doc.Block, text string) {
	r.block0(b)
	offset := 0
	for {
		line, rest, more := strings.Cut(text, "\n")
		r.fresh = false // blanks at the start of a line of code stay
		r.verbatim(line, offset)
		if !more {
			return
		}
		r.newline()
		offset += len(line) + 1
		text = rest
	}
}

// block0 says whose text comes next.
func (r *renderer) block0(b *doc.Block) { r.writer.block, r.writer.caption = b, false }

func (r *renderer) formula(b *doc.Block) {
	text := strings.TrimSpace(strings.ReplaceAll(b.Text, "\n\n", "\n"))
	r.block0(b)
	tag := ""
	if number := strings.Trim(strings.TrimSpace(b.Number), "()"); number != "" && !strings.Contains(text, `\tag`) {
		tag = ` \tag{` + number + "}"
	}
	if !strings.Contains(text, "\n") {
		r.raw("$$")
		r.mapped(text, 0, len(b.Text))
		r.raw(tag + "$$")
		return
	}
	r.raw("$$")
	r.newline()
	if text == b.Text {
		r.lines(b, text)
	} else {
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				r.newline()
			}
			r.mapped(line, 0, len(b.Text))
		}
	}
	r.raw(tag)
	r.newline()
	r.raw("$$")
}

// rule is a thematic break; at the start of the document "---" would open front matter.
func (r *renderer) rule() string {
	if len(r.buf) == 0 {
		return "***"
	}
	return "---"
}

func (r *renderer) figure(b *doc.Block) {
	wrote := false
	gap := func() {
		if wrote {
			r.gap()
		}
		wrote = true
	}
	if b.Image != "" {
		gap()
		r.picture(b.Image, "")
	}
	if len(b.Caption) > 0 {
		gap()
		r.captionOf(b)
	}
	if r.anyShows(b.Children) {
		gap()
		r.blocks(b.Children)
	}
}

func (r *renderer) captionOf(b *doc.Block) {
	n := r.open(CaptionNode, b)
	r.number(b, b.Caption)
	r.caption = true
	r.inlinesOf(b, b.Caption, keepLines, true)
	r.caption = false
	r.close(n)
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// infoString is a code fence's language: one word without backticks.
func infoString(language string) string {
	language = strings.ReplaceAll(strings.TrimSpace(language), "`", "")
	if word := strings.Fields(language); len(word) > 0 {
		return word[0]
	}
	return ""
}
