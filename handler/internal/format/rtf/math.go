package rtf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// math reads an equation: RTF writes OMML with control words for element names, {\mf{\mnum ...}{\mden ...}}.
func (p *parser) math() {
	if p.st.skip || p.st.node != nil {
		return
	}
	root := &xmltree.Node{Name: "m:oMath"}
	p.st.node = root
	p.st.sink = &strings.Builder{}
	p.st.end = func() {
		latex, exact := ooxml.Math(root)
		if latex == "" {
			return
		}
		if !exact {
			p.doc.Warn("equation_approximated", "An equation has parts that LaTeX was only approximated for.")
		}
		p.story.add(doc.Inline{Kind: doc.Math, Text: latex})
	}
}

// mathElement opens an element for a control word that starts a group in an equation.
func (p *parser) mathElement(word string) {
	name := "m:" + strings.TrimPrefix(word, "m")
	child := &xmltree.Node{Name: name}
	p.st.node.Children = append(p.st.node.Children, child)
	p.st.node = child
}

// mathText adds text to an equation: of a run, or the value of a property.
func (p *parser) mathText(text string) {
	n := p.st.node
	switch n.Name {
	case "m:r":
		n.Children = append(n.Children, &xmltree.Node{Name: "m:t", Children: []*xmltree.Node{{Text: text}}})
	case "m:oMath", "m:e", "m:num", "m:den", "m:sub", "m:sup", "m:deg", "m:lim", "m:fName":
		n.Children = append(n.Children, &xmltree.Node{Name: "m:r", Children: []*xmltree.Node{{Name: "m:t", Children: []*xmltree.Node{{Text: text}}}}})
	default:
		n.Attrs = append(n.Attrs, xmltree.Attr{Name: "m:val", Value: strings.TrimSpace(text)})
	}
}
