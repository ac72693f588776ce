package odf

import (
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// changes are the tracked changes of a document (part 3, 5.5): deleted content stands at the start of the body,
// inserted content between marks in the text.
type changes struct {
	view                  string // accepted, original, marked
	byID                  map[string]*change
	insertions, deletions int
	inserted              int     // open insertions where the reader is
	gone                  *change // the deletion whose place the reader is at
	list                  []doc.Annotation
}

type change struct {
	insertion bool
	content   *xmltree.Node // of a deletion
}

const maxChanges = 10_000

// read takes in text:tracked-changes.
func (c *changes) read(n *xmltree.Node) {
	for _, region := range n.All("text:changed-region") {
		id := first(region.Attr("text:id"), region.Attr("xml:id"))
		for _, kind := range region.Children {
			info := kind.Child("office:change-info")
			one := doc.Annotation{Author: info.Child("dc:creator").AllText(), Date: info.Child("dc:date").AllText()}
			switch kind.Name {
			case "text:insertion":
				c.byID[id] = &change{insertion: true}
				one.Kind = "insertion"
				c.insertions++
			case "text:deletion":
				content := &xmltree.Node{Name: "text:deletion"}
				for _, child := range kind.Children {
					if child.Name != "office:change-info" && child.Name != "" {
						content.Children = append(content.Children, child)
					}
				}
				c.byID[id] = &change{content: content}
				one.Kind, one.Text = "deletion", strings.TrimSpace(content.AllText())
				c.deletions++
			default:
				continue
			}
			if len(c.list) < maxChanges {
				c.list = append(c.list, one)
			}
		}
	}
}

// mark passes a mark of a change in the text.
func (c *changes) mark(n *xmltree.Node) {
	c.gone = nil
	one := c.byID[n.Attr("text:change-id")]
	switch {
	case one == nil:
	case one.insertion && n.Name == "text:change-start":
		c.inserted++
	case one.insertion && n.Name == "text:change-end":
		c.inserted = max(0, c.inserted-1)
	case n.Name == "text:change" && one.content != nil && (c.view == "original" || c.view == "marked"):
		c.gone = one
	}
}

// skips tells whether the text here is not part of the view.
func (c *changes) skips() bool { return c.inserted > 0 && c.view == "original" }

func (c *changes) marks() doc.Marks {
	if c.inserted > 0 && c.view == "marked" {
		return doc.Inserted
	}
	return 0
}

// deleted shows deleted content in a line of text, where the view wants it: its paragraphs join the line.
func (l *line) deleted(_ *xmltree.Node, k look) {
	c := l.f.r.changes
	gone := c.gone
	if gone == nil {
		return
	}
	c.gone = nil
	if c.view == "marked" {
		k.marks |= doc.Deleted
	}
	for i, n := range gone.content.Children {
		if n.Name == "text:p" || n.Name == "text:h" {
			if i > 0 {
				l.add(doc.Inline{Kind: doc.Break})
			}
			l.children(n, k)
			continue
		}
		l.walk(n, k)
	}
}

// deleted shows deleted content between paragraphs.
func (f *Flow) deleted(_ *xmltree.Node) {
	if gone := f.r.changes.gone; gone != nil {
		f.r.changes.gone = nil
		f.children(gone.content)
	}
}

// finish puts the report into the document.
func (c *changes) finish(d *doc.Document) {
	if c.insertions+c.deletions == 0 {
		return
	}
	d.Annotations = append(d.Annotations, c.list...)
	view := "the text with all of them accepted was taken"
	switch c.view {
	case "original":
		view = "the text before them was taken"
	case "marked":
		view = "both texts were taken, with marks"
	}
	d.Warn("tracked_changes", fmt.Sprintf("The document has tracked changes (insertions: %d, deletions: %d); %s.", c.insertions, c.deletions, view))
}
