package pptx

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// readAuthors reads who wrote comments: the old list has numbers (19.4.2), the new one has ids.
func (p *parser) readAuthors() {
	for _, rel := range p.pkg.Rels(p.part) {
		if rel.Type != "commentAuthors" && rel.Type != "authors" || rel.External {
			continue
		}
		root, err := p.tree(rel.Target)
		if err != nil || root == nil {
			continue
		}
		for _, n := range root.Children {
			if name := drawingml.Local(n.Name); name == "cmAuthor" || name == "author" {
				p.authors[n.Attr("id")] = n.Attr("name")
			}
		}
	}
}

// readComments reads the comments on a slide, old (19.4.4) and new, with their replies.
func (p *parser) readComments(part string, number int) {
	for _, rel := range sortedRels(p.pkg.Rels(part)) {
		if rel.Type != "comments" || rel.External {
			continue
		}
		root, err := p.tree(rel.Target)
		if err != nil || root == nil {
			continue
		}
		root.Walk(func(n *xmltree.Node) bool {
			if name := drawingml.Local(n.Name); name == "cm" || name == "reply" {
				p.comment(n, number)
			}
			return true
		})
	}
}

func (p *parser) comment(n *xmltree.Node, number int) {
	text := drawingml.Child(n, "text").AllText()
	if body := drawingml.Child(n, "txBody"); body != nil {
		text = ooxml.DrawingText(body)
	}
	if text = oneLine(text); text == "" {
		return
	}
	date := n.Attr("dt")
	if date == "" {
		date = n.Attr("created")
	}
	p.comments++
	p.d.Annotations = append(p.d.Annotations, doc.Annotation{
		Kind: "comment", Author: p.authors[n.Attr("authorId")], Date: strings.TrimSuffix(date, ".000"), Text: text,
		Places: []doc.Place{{Page: number, Slide: number}},
	})
}

func (p *parser) reportComments() {
	if p.comments > 0 && p.in.Options.Comments != "include" {
		p.d.Warn("comments_left_out", fmt.Sprintf("%d comments are in document.json only.", p.comments))
	}
}

// sortedRels are relationships in a fixed order.
func sortedRels(rels ooxml.Relationships) []ooxml.Relationship {
	var out []ooxml.Relationship
	for _, rel := range rels {
		out = append(out, rel)
	}
	slices.SortFunc(out, func(a, b ooxml.Relationship) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
