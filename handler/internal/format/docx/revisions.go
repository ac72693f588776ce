package docx

import (
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// revision is what tracked changes make of the content they stand around.
type revision struct {
	hidden bool      // not part of the view
	marks  doc.Marks // Inserted or Deleted, in the view "marked"
}

// changes are the tracked changes met so far (ECMA-376 part 1, 17.13.5).
type changes struct {
	view                         string // accepted, original, marked
	insertions, deletions, moves int
	list                         []doc.Annotation
}

// maxChanges bounds the changes that are told one by one; all are counted.
const maxChanges = 10_000

// enter notes a change and says how its content is to be read.
func (c *changes) enter(n *xmltree.Node, outer revision) revision {
	c.note(n, wordText(n))
	return c.read(n.Name, outer)
}

func (c *changes) read(name string, outer revision) revision {
	added := name == "w:ins" || name == "w:moveTo" || name == "w:cellIns"
	switch {
	case c.view == "marked" && added:
		outer.marks |= doc.Inserted
	case c.view == "marked":
		outer.marks |= doc.Deleted
	case c.view == "original":
		outer.hidden = outer.hidden || added
	default:
		outer.hidden = outer.hidden || !added
	}
	return outer
}

// note counts a change and keeps what it says.
func (c *changes) note(n *xmltree.Node, text string) {
	one := doc.Annotation{Author: n.Attr("w:author"), Date: n.Attr("w:date"), Text: text}
	switch n.Name {
	case "w:ins":
		one.Kind = "insertion"
		c.insertions++
	case "w:del":
		one.Kind = "deletion"
		c.deletions++
	case "w:moveTo":
		one.Kind = "move"
		c.moves++
	case "w:moveFrom":
		return // the other end of a move
	}
	if len(c.list) < maxChanges {
		c.list = append(c.list, one)
	}
}

// markGone tells whether the paragraph's mark is not there in the view, so that the next paragraph joins it.
func (c *changes) markGone(rPr *xmltree.Node) bool {
	gone := false
	for _, name := range []string{"w:ins", "w:del", "w:moveFrom", "w:moveTo"} {
		if n := rPr.Child(name); n != nil {
			if name == "w:del" {
				c.note(n, "¶")
			}
			if name == "w:ins" || name == "w:del" {
				gone = gone || c.read(name, revision{}).hidden
			}
		}
	}
	return gone
}

// rowRevision is what a change of a whole row makes of it.
func (c *changes) rowRevision(row, trPr *xmltree.Node, outer revision) revision {
	for _, name := range []string{"w:ins", "w:del"} {
		if n := trPr.Child(name); n != nil {
			c.note(n, strings.TrimSpace(wordText(row)))
			outer = c.read(name, outer)
		}
	}
	return outer
}

// finish puts the report into the document.
func (c *changes) finish(d *doc.Document) {
	if c.insertions+c.deletions+c.moves == 0 {
		return
	}
	d.Annotations = append(d.Annotations, c.list...)
	d.Warn("tracked_changes", fmt.Sprintf("The document has tracked changes (%s, %s, %s); %s.",
		plural(c.insertions, "insertion"), plural(c.deletions, "deletion"), plural(c.moves, "move"), c.words()))
}

func (c *changes) words() string {
	switch c.view {
	case "original":
		return "the text before them was taken"
	case "marked":
		return "both texts were taken, with marks"
	}
	return "the text with all of them accepted was taken"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
