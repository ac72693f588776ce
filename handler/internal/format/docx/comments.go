package docx

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// comments are what reviewers wrote, and the text that they wrote it on.
type comments struct {
	byID  map[string]*comment
	order []*comment
	now   []*comment // whose range is open
}

type comment struct {
	id, author, date string
	node             *xmltree.Node
	on               strings.Builder
	open             bool
}

// maxRange bounds the text that is kept of a comment's range.
const maxRange = 4 << 10

func (p *parser) readComments() *comments {
	c := &comments{byID: map[string]*comment{}}
	root := p.relatedTree("comments")
	for _, node := range root.All("w:comment") {
		one := &comment{id: node.Attr("w:id"), author: node.Attr("w:author"), date: node.Attr("w:date"), node: node}
		c.byID[one.id] = one
		c.order = append(c.order, one)
	}
	return c
}

func (c *comments) open(id string) {
	if one := c.byID[id]; one != nil && !one.open {
		one.open = true
		c.now = append(c.now, one)
	}
}

func (c *comments) close(id string) {
	for i, one := range c.now {
		if one.id == id {
			c.now = append(c.now[:i], c.now[i+1:]...)
			return
		}
	}
}

// refer ends a range that was never closed.
func (c *comments) refer(id string) { c.close(id) }

func (c *comments) collect(text string) {
	for _, one := range c.now {
		if one.on.Len()+len(text) <= maxRange {
			one.on.WriteString(text)
		}
	}
}

// finish puts the comments into the document.
func (c *comments) finish(p *parser) {
	for _, one := range c.order {
		text := strings.TrimSpace(wordText(one.node))
		p.doc.Annotations = append(p.doc.Annotations, doc.Annotation{Kind: "comment", Author: one.author, Date: one.date, Text: text, Range: strings.TrimSpace(one.on.String())})
	}
	if len(c.order) > 0 && p.in.Options.Comments != "include" {
		p.doc.Warn("comments_left_out", "The document has comments; they are in document.json only.")
	}
}
