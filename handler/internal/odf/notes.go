package odf

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// note adds a reference to a note, and the note to the document.
func (l *line) note(n *xmltree.Node) {
	r := l.f.r
	if r.changes.skips() {
		return
	}
	kind := "footnote"
	if n.Attr("text:note-class") == "endnote" || n.Name == "text:endnote" {
		kind = "endnote"
	}
	r.notes[kind]++
	label := strconv.Itoa(r.notes[kind])
	note := doc.Note{ID: label, Kind: kind, Label: label}
	if kind == "endnote" {
		note.ID = "e" + label
	}
	if citation := strings.TrimSpace(n.Child("text:note-citation").AllText()); citation != "" {
		note.Label = citation
	}
	at := len(r.doc.Notes)
	r.doc.Notes = append(r.doc.Notes, note)
	for _, body := range []string{"text:note-body", "text:footnote-body", "text:endnote-body"} {
		if b := n.Child(body); b != nil {
			blocks := r.story(b, false)
			r.doc.Notes[at].Blocks = blocks
		}
	}
	l.inlines = append(l.inlines, doc.Inline{Kind: doc.NoteReference, Note: note.ID})
}

// commentRange is the text that a comment is on, until its end is met.
type commentRange struct {
	name string
	at   int // in Annotations
	text strings.Builder
}

// Limits of comment ranges.
const (
	maxRange  = 4 << 10
	maxRanges = 100
)

// comment adds a comment to the annotations.
func (r *Reader) comment(n *xmltree.Node) {
	var parts []string
	for _, c := range n.Children {
		switch c.Name {
		case "text:p", "text:list":
			parts = append(parts, strings.TrimSpace(c.AllText()))
		}
	}
	r.doc.Annotations = append(r.doc.Annotations, doc.Annotation{
		Kind: "comment", Author: n.Child("dc:creator").AllText(), Date: n.Child("dc:date").AllText(), Text: strings.Join(parts, "\n"),
	})
	if name := n.Attr("office:name"); name != "" && len(r.ranges) < maxRanges {
		r.ranges = append(r.ranges, &commentRange{name: name, at: len(r.doc.Annotations) - 1})
	}
}

func (r *Reader) collect(text string) {
	for _, c := range r.ranges {
		if c.text.Len()+len(text) <= maxRange {
			c.text.WriteString(text)
		}
	}
}

func (r *Reader) endComment(name string) {
	for i, c := range r.ranges {
		if c.name == name {
			r.doc.Annotations[c.at].Range = strings.TrimSpace(c.text.String())
			r.ranges = append(r.ranges[:i], r.ranges[i+1:]...)
			return
		}
	}
}
