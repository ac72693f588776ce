package docx

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
)

// addTerm adds a paragraph of a list of definitions. Details belong to a term: without one they are ordinary text.
func (f *flow) addTerm(role stylename.Role, b doc.Block) bool {
	last := len(f.blocks) - 1
	goesOn := last >= 0 && len(f.lists) == 0 && f.caption == nil && f.toc == 0 && f.blocks[last].Kind == doc.Terms
	if role == stylename.Details && !goesOn || f.toc > 0 {
		return false
	}
	if !goesOn {
		f.flushCaption()
		f.add(doc.Block{Kind: doc.Terms})
		last = len(f.blocks) - 1
	}
	terms := &f.blocks[last]
	if role == stylename.Term {
		b.Kind = doc.Term
		terms.Children = append(terms.Children, b)
		return true
	}
	b.Kind = doc.Paragraph
	if end := len(terms.Children) - 1; terms.Children[end].Kind == doc.Details {
		terms.Children[end].Children = append(terms.Children[end].Children, b)
		return true
	}
	terms.Children = append(terms.Children, doc.Block{Kind: doc.Details, Children: []doc.Block{b}})
	return true
}
