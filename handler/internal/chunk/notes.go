package chunk

import (
	"strings"

	"decant/handler/internal/markdown"
)

// noteBook finds the notes that a text cites. A note stands in its own chunk at the end; where it is cited it is context.
type noteBook struct {
	text   map[string]string // by label: "[^1]"
	tokens map[string]int32
}

func (p *packer) readNotes() {
	p.notes = noteBook{map[string]string{}, map[string]int32{}}
	for i := range p.md.Nodes {
		n := &p.md.Nodes[i]
		if n.Kind != markdown.NoteNode {
			continue
		}
		text := p.text[n.Start:n.End]
		label, _, ok := strings.Cut(text, ":")
		if ok && len(text) < maxTokenBytes*p.options.MaxTokens && p.meter.raw(text) <= p.options.MaxTokens/4 {
			p.notes.text[label] = text
			p.notes.tokens[label] = int32(p.meter.raw(text)) + 2
		}
	}
}

// cited lists the labels of the notes that a text cites, in order, each once.
func (b *noteBook) cited(text string) []string {
	if len(b.text) == 0 {
		return nil
	}
	var labels []string
next:
	for {
		at := strings.Index(text, "[^")
		if at < 0 {
			return labels
		}
		end := strings.IndexByte(text[at:], ']')
		if end < 0 {
			return labels
		}
		label := text[at : at+end+1]
		escaped := at > 0 && text[at-1] == '\\'
		text = text[at+end+1:]
		if _, known := b.text[label]; !known || escaped {
			continue
		}
		for _, l := range labels {
			if l == label {
				continue next
			}
		}
		labels = append(labels, label)
	}
}

// cost is how many tokens the notes take that a piece cites.
func (p *packer) cost(x *piece) int32 {
	if x.kind == notePiece {
		return 0
	}
	n := int32(0)
	for _, label := range p.notes.cited(p.text[x.start:x.end]) {
		n += p.notes.tokens[label]
	}
	return n
}

// withNotes adds the notes that a chunk cites behind its text, as far as they fit.
func (p *packer) withNotes(d *draft, c *Chunk) {
	if d.pieces[0].kind == notePiece {
		return
	}
	for _, label := range p.notes.cited(c.Text[c.Body.Start:c.Body.End]) {
		text := c.Text + "\n\n" + p.notes.text[label]
		if n := p.meter.counter.Count(text); n <= p.options.MaxTokens {
			c.Text, c.Tokens = text, n
		}
	}
}
