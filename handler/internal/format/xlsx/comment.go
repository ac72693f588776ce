package xlsx

import (
	"fmt"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// readPersons reads who the authors of threaded comments are.
func (b *workbook) readPersons(part string) {
	b.persons = map[string]string{}
	root, err := b.tree(part)
	if err != nil || root == nil {
		return
	}
	for _, node := range root.Children {
		if local(node.Name) == "person" {
			b.persons[node.Attr("id")] = node.Attr("displayName")
		}
	}
}

func local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// readComments reads notes (18.7) and threaded comments. Where a cell has a thread, the note that repeats it for old programs is left out.
func (w *worksheet) readComments() {
	var threads, notes []doc.Annotation
	threaded := map[string]bool{}
	for _, rel := range sortedRels(w.book.pkg.Rels(w.info.part)) {
		switch rel.Type {
		case "threadedComment":
			threads = append(threads, w.threads(rel.Target, threaded)...)
		case "comments":
			notes = append(notes, w.notes(rel.Target)...)
		}
	}
	added := 0
	for _, a := range append(notes, threads...) {
		if a.Date == "" && threaded[a.Places[0].Cells] && strings.HasPrefix(a.Author, "tc=") {
			continue
		}
		a.Range = w.textAt(a.Places[0].Cells)
		w.d.Annotations = append(w.d.Annotations, a)
		added++
	}
	if added > 0 {
		w.commentsFound += added
	}
}

func (w *worksheet) threads(part string, threaded map[string]bool) []doc.Annotation {
	root, err := w.book.tree(part)
	if err != nil || root == nil {
		return nil
	}
	var out []doc.Annotation
	for _, node := range root.Children {
		if local(node.Name) != "threadedComment" {
			continue
		}
		var text string
		for _, child := range node.Children {
			if local(child.Name) == "text" {
				text = child.AllText()
			}
		}
		ref := node.Attr("ref")
		threaded[ref] = true
		out = append(out, doc.Annotation{Kind: "comment", Author: w.book.persons[node.Attr("personId")], Date: node.Attr("dT"), Text: tidy(text), Places: []doc.Place{w.place(ref)}})
	}
	return out
}

func (w *worksheet) notes(part string) []doc.Annotation {
	root, err := w.book.tree(part)
	if err != nil || root == nil {
		return nil
	}
	authors := root.Child("authors").All("author")
	var out []doc.Annotation
	for _, node := range root.Child("commentList").All("comment") {
		a := doc.Annotation{Kind: "comment", Text: tidy(richText(node.Child("text"))), Places: []doc.Place{w.place(node.Attr("ref"))}}
		if n, err := strconv.Atoi(node.Attr("authorId")); err == nil && n >= 0 && n < len(authors) {
			a.Author = authors[n].AllText()
		}
		if rest, ok := strings.CutPrefix(a.Text, a.Author+":"); ok && a.Author != "" {
			a.Text = strings.TrimSpace(rest) // Excel writes the author's name in bold in front
		}
		out = append(out, a)
	}
	return out
}

// richText is the text of a CT_Rst element: its runs without phonetic readings.
func richText(node *xmltree.Node) string {
	var b strings.Builder
	node.Walk(func(n *xmltree.Node) bool {
		if n.Name == "t" {
			b.WriteString(n.AllText())
		}
		return n.Name != "rPh"
	})
	return unescape(b.String())
}

// textAt is what a cell shows.
func (w *worksheet) textAt(ref string) string {
	row, column, ok := grid.ParseCell(ref)
	if !ok {
		return ""
	}
	for i := range w.sheet.Cells {
		if c := &w.sheet.Cells[i]; int(c.Row) == row && int(c.Column) == column {
			return c.Text
		}
	}
	return ""
}

// reportComments says, once for the workbook, that comments stand apart.
func reportComments(d *doc.Document, n int, include bool) {
	if n > 0 && !include {
		d.Warn("comments_left_out", fmt.Sprintf("%d comments are in document.json only.", n))
	}
}
