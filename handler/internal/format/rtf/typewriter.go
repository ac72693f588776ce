package rtf

import (
	"strings"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// longLine is how many characters a line of code has at most; longer paragraphs in a typewriter's face are prose.
const longLine = 200

// typewriter decides what text in a typewriter's face is, now that the whole document is known. Where most of it is set that way, the
// face says nothing. Elsewhere lines that are set so from end to end are code, and pieces inside a line are code in a text.
func (p *parser) typewriter(blocks []doc.Block) []doc.Block {
	plain, mono := 0, 0
	doc.Walk(blocks, func(b *doc.Block) bool {
		for i := range b.Inlines {
			if in := &b.Inlines[i]; in.Kind == doc.Text && in.Marks.Has(doc.Monospace) {
				mono += len(in.Text)
			} else {
				plain += len(in.Text)
			}
		}
		plain += len(b.Text)
		return true
	})
	if mono == 0 {
		return blocks
	}
	if mono > plain {
		p.unmark(blocks)
		return blocks
	}
	blocks = linesToCode(blocks)
	for i := range p.doc.Notes {
		p.doc.Notes[i].Blocks = linesToCode(p.doc.Notes[i].Blocks)
	}
	return blocks
}

// unmark takes the face away everywhere.
func (p *parser) unmark(blocks []doc.Block) {
	face := func(b *doc.Block) bool {
		if b.Kind == doc.Paragraph {
			b.Inlines = trim(b.Inlines)
		}
		for i := range b.Inlines {
			b.Inlines[i].Marks &^= doc.Monospace
		}
		for i := range b.Caption {
			b.Caption[i].Marks &^= doc.Monospace
		}
		return true
	}
	doc.Walk(blocks, face)
	for i := range p.doc.Notes {
		doc.Walk(p.doc.Notes[i].Blocks, face)
	}
}

// linesToCode joins paragraphs that are code, where they are more than one line.
func linesToCode(blocks []doc.Block) []doc.Block {
	var out []doc.Block
	for i := 0; i < len(blocks); {
		lines := codeLines(blocks[i:])
		if lines > 1 || lines == 1 && hasBreak(blocks[i].Inlines) {
			code := doc.Block{Kind: doc.Code, Anchor: blocks[i].Anchor}
			for n := range lines {
				if n > 0 {
					code.Text += "\n"
				}
				code.Text += strings.TrimRight(doc.PlainText(blocks[i+n].Inlines), " \t\n")
			}
			out = append(out, code)
			i += lines
			continue
		}
		b := blocks[i]
		if b.Kind == doc.Paragraph {
			b.Inlines = trim(b.Inlines)
		}
		b.Children = linesToCode(b.Children)
		out = append(out, b)
		i++
	}
	return out
}

// codeLines counts the paragraphs of code at the start.
func codeLines(blocks []doc.Block) int {
	n := 0
	for n < len(blocks) && isCodeLine(&blocks[n]) {
		n++
	}
	return n
}

// isCodeLine tells whether a paragraph is all in a typewriter's face, with lines as short as code has them.
func isCodeLine(b *doc.Block) bool {
	if b.Kind != doc.Paragraph || b.Number != "" || len(b.Inlines) == 0 {
		return false
	}
	for _, in := range b.Inlines {
		switch {
		case in.Kind == doc.Break || in.Kind == doc.Text && strings.TrimSpace(in.Text) == "" && in.Link == "":
		case in.Kind != doc.Text || !in.Marks.Has(doc.Monospace) || in.Link != "":
			return false
		}
	}
	for line := range strings.SplitSeq(doc.PlainText(b.Inlines), "\n") {
		if utf8.RuneCountInString(line) > longLine {
			return false
		}
	}
	return true
}

func hasBreak(inlines []doc.Inline) bool {
	for _, in := range inlines {
		if in.Kind == doc.Break {
			return true
		}
	}
	return false
}
