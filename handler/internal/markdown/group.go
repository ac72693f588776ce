package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// labelLevel is the heading level of a sheet, slide or chapter that has a name but no heading.
const labelLevel = 2

func (r *renderer) group(b *doc.Block) {
	if b.Role == doc.RoleNotes {
		r.speakerNotes(b)
		return
	}
	if heading := headingOf(b); heading != "" {
		n := r.open(LabelNode, b)
		r.raw(strings.Repeat("#", labelLevel) + " ")
		r.literal(heading)
		r.close(n)
		if r.anyShows(b.Children) {
			r.gap()
		}
	}
	r.blocks(b.Children)
}

// headingOf is the heading that a group's label becomes: empty when the group has a heading of its own, or no use for one.
func headingOf(b *doc.Block) string {
	label := strings.TrimSpace(b.Label)
	switch b.Role {
	case doc.RoleSheet:
		return label
	case doc.RoleSlide, doc.RoleChapter, doc.RolePart:
		if hasHeading(b.Children) {
			return ""
		}
		return label
	}
	return ""
}

func hasHeading(blocks []doc.Block) bool {
	for i := range blocks {
		b := &blocks[i]
		if b.Kind == doc.Heading || b.Kind == doc.Group && b.Role != doc.RoleNotes && hasHeading(b.Children) {
			return true
		}
	}
	return false
}

func (r *renderer) speakerNotes(b *doc.Block) {
	pushed := r.push("> ")
	r.raw("Notes:")
	r.gap()
	r.blocks(b.Children)
	r.pop(pushed)
}

func (r *renderer) quote(b *doc.Block) {
	pushed := r.push("> ")
	label := strings.TrimSpace(b.Label)
	alert, admonition := alerts[strings.ToLower(label)]
	switch {
	case alert != "":
		r.raw("[!" + alert + "]")
		r.newline()
	case admonition:
		r.raw("**")
		r.literal(label)
		r.raw("**")
		r.gap()
	}
	r.blocks(b.Children)
	if label != "" && !admonition {
		r.gap()
		r.raw("— ")
		r.literal(strings.TrimSpace(strings.TrimLeft(label, "—–- ")))
	}
	r.pop(pushed)
}

// alerts are the labels that stand for a kind of remark, and GitHub's name where it has one. Other labels name who is quoted.
var alerts = map[string]string{
	"note": "NOTE", "tip": "TIP", "important": "IMPORTANT", "warning": "WARNING", "caution": "CAUTION",
	"hint": "", "danger": "", "attention": "", "error": "", "info": "", "example": "", "abstract": "", "seealso": "", "admonition": "", "sidebar": "", "topic": "",
}

// terms writes a definition list in the form that most Markdown readers know: the term, then ": " before its details.
func (r *renderer) terms(b *doc.Block) {
	wrote := false
	for i := range b.Children {
		child := &b.Children[i]
		if !r.shows(child) {
			continue
		}
		if child.Kind != doc.Details {
			if wrote && b.Children[i-1].Kind == doc.Details {
				r.gap()
			} else if wrote {
				r.newline()
			}
			r.block(child, false)
			wrote = true
			continue
		}
		if wrote {
			r.newline()
		}
		n := r.open(BlockNode, child)
		r.raw(": ")
		r.fresh = true
		pushed := r.push("  ")
		r.blocks(child.Children)
		r.pop(pushed)
		r.close(n)
		wrote = true
	}
}
