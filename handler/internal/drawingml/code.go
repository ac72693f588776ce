package drawingml

import (
	"strings"

	"decant/handler/internal/doc"
)

// CodeBlocks makes code of the lines of a text that stand together in a typeface for code: slides have no other way to say it. A single line
// stays a paragraph.
func CodeBlocks(blocks []doc.Block) []doc.Block {
	var out []doc.Block
	for i := 0; i < len(blocks); {
		n := 0
		var lines []string
		for i+n < len(blocks) && isCodeLine(&blocks[i+n]) {
			lines = append(lines, strings.TrimRight(doc.PlainText(blocks[i+n].Inlines), " \t"))
			n++
		}
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, "\n") {
			out = append(out, blocks[i])
			i++
			continue
		}
		out = append(out, doc.Block{Kind: doc.Code, Text: text, Places: blocks[i].Places})
		i += n
	}
	return out
}

func isCodeLine(b *doc.Block) bool {
	if b.Kind != doc.Paragraph || len(b.Inlines) == 0 {
		return false
	}
	text := false
	for _, in := range b.Inlines {
		if in.Kind != doc.Break && !isCodeText(in) {
			return false
		}
		text = text || strings.TrimSpace(in.Text) != ""
	}
	return text
}

func isCodeText(in doc.Inline) bool {
	return in.Kind == doc.Text && in.Link == "" && (in.Marks.Has(doc.Monospace) || strings.TrimSpace(in.Text) == "")
}
