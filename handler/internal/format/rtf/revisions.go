package rtf

import (
	"fmt"

	"decant/handler/internal/doc"
)

const maxChanges = 10_000 // told one by one; all are counted

// revise says whether text is shown in the view that the user chose, and with which mark.
func (p *parser) revise(text string, st *state) (marks doc.Marks, shown bool) {
	if !st.inserted && !st.deleted {
		return 0, true
	}
	kind := "insertion"
	if st.deleted {
		kind = "deletion"
	}
	if text != "" {
		p.noteChange(kind, text, st.author)
	}
	switch p.in.Options.Revisions {
	case "marked":
		if st.deleted {
			return doc.Deleted, true
		}
		return doc.Inserted, true
	case "original":
		return 0, st.deleted && !st.inserted
	}
	return 0, !st.deleted
}

// noteChange adds text to the last change, when it goes on, or starts a new one.
func (p *parser) noteChange(kind, text string, author int) {
	name := ""
	if author >= 0 && author < len(p.authors) {
		name = p.authors[author]
	}
	p.changes[kind]++
	if len(p.doc.Annotations) < maxChanges {
		p.doc.Annotations = append(p.doc.Annotations, doc.Annotation{Kind: kind, Author: name, Text: text})
	}
}

func (p *parser) reportChanges() {
	comments := false
	for _, a := range p.doc.Annotations {
		comments = comments || a.Kind == "comment"
	}
	if comments && p.in.Options.Comments != "include" {
		p.doc.Warn("comments_left_out", "The document has comments; they are in document.json only.")
	}
	if len(p.changes) == 0 {
		return
	}
	view := "the text with all of them accepted was taken"
	switch p.in.Options.Revisions {
	case "original":
		view = "the text before them was taken"
	case "marked":
		view = "both texts were taken, with marks"
	}
	p.doc.Warn("tracked_changes", fmt.Sprintf("The document has tracked changes (insertions: %d, deletions: %d); %s.", p.changes["insertion"], p.changes["deletion"], view))
}
