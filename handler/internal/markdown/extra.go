package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// section starts something that stands after the body.
func (r *renderer) section() {
	if len(r.buf) > 0 {
		r.gap()
	}
}

// notes writes footnotes and endnotes, behind everything else.
func (r *renderer) notes() {
	for i := range r.doc.Notes {
		note := &r.doc.Notes[i]
		r.section()
		n := r.open(NoteNode, nil)
		r.nodes[n].Note = int32(i)
		r.raw("[^" + noteLabel(note.ID) + "]: ")
		r.fresh = true
		pushed := r.push("    ")
		r.blocks(note.Blocks)
		r.pop(pushed)
		r.close(n)
	}
}

// noteLabel is a note's id without what would end the label.
func noteLabel(id string) string {
	return strings.Map(func(c rune) rune {
		if c == ']' || c == '[' || c == '^' || c <= ' ' {
			return '-'
		}
		return c
	}, id)
}

func (r *renderer) furniture() {
	if !r.options.Furniture || !r.anyShows(r.doc.Furniture) {
		return
	}
	r.section()
	n := r.open(FurnitureNode, nil)
	r.blocks(r.doc.Furniture)
	r.close(n)
}

func (r *renderer) hidden() {
	if !r.options.Hidden {
		return
	}
	for i := range r.doc.Hidden {
		h := &r.doc.Hidden[i]
		if !r.anyShows(h.Blocks) {
			continue
		}
		r.section()
		n := r.open(HiddenNode, nil)
		r.nodes[n].Note = int32(i)
		if h.Name != "" && !startsWithLabel(h.Blocks, h.Name) {
			r.raw("## ")
			r.literal(h.Name)
			r.gap()
		}
		r.blocks(h.Blocks)
		r.close(n)
	}
}

func startsWithLabel(blocks []doc.Block, label string) bool {
	return len(blocks) > 0 && (headingOf(&blocks[0]) == label || blocks[0].Kind == doc.Heading && blocks[0].PlainText() == label)
}

func (r *renderer) comments() {
	if !r.options.Comments || len(r.doc.Annotations) == 0 {
		return
	}
	first := true
	for i := range r.doc.Annotations {
		a := &r.doc.Annotations[i]
		if a.Kind != "comment" && a.Kind != "highlight" {
			continue
		}
		if first {
			r.section()
		} else {
			r.newline()
		}
		first = false
		n := r.open(CommentNode, nil)
		r.nodes[n].Note = int32(i)
		r.raw("- ")
		if a.Author != "" {
			r.literal(oneLineText(a.Author))
			r.raw(": ")
		}
		r.literal(oneLineText(a.Text))
		if a.Range != "" {
			r.raw(" (on “")
			r.literal(oneLineText(a.Range))
			r.raw("”)")
		}
		r.close(n)
	}
}

func oneLineText(s string) string { return strings.Join(strings.Fields(s), " ") }
