package docx

import (
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// notes are the foot- and endnotes by "f" or "e" and their id, until they are referred to.
type notes struct {
	nodes  map[string]*xmltree.Node
	parts  map[string]string // part by "f" and "e"
	given  map[string]string // note id by key, for notes that are referred to twice
	counts map[string]int
}

func (p *parser) readNotes() *notes {
	n := &notes{nodes: map[string]*xmltree.Node{}, parts: map[string]string{}, given: map[string]string{}, counts: map[string]int{}}
	for kind, name := range map[string]string{"f": "footnote", "e": "endnote"} {
		root := p.relatedTree(name + "s")
		n.parts[kind] = p.related(name + "s")
		for _, node := range root.All("w:" + name) {
			if t := node.Attr("w:type"); t == "" || t == "normal" {
				n.nodes[kind+node.Attr("w:id")] = node
			}
		}
	}
	return n
}

// note adds a reference to a note, and the note to the document at its first reference.
func (l *line) note(ref *xmltree.Node, kind string) {
	p := l.f.p
	key := kind + ref.Attr("w:id")
	id, known := p.notes.given[key]
	if !known {
		node := p.notes.nodes[key]
		if node == nil {
			p.doc.Warn("missing_part", "A note that the text refers to is missing: "+ref.Attr("w:id")+".", doc.Place{Part: p.part})
			return
		}
		id = p.addNote(node, kind)
		p.notes.given[key] = id
	}
	l.add(doc.Inline{Kind: doc.NoteReference, Note: id})
}

func (p *parser) addNote(node *xmltree.Node, kind string) string {
	p.notes.counts[kind]++
	number := strconv.Itoa(p.notes.counts[kind])
	note := doc.Note{ID: number, Kind: "footnote", Label: number}
	if kind == "e" {
		note.ID, note.Kind = "e"+number, "endnote"
	}
	at := len(p.doc.Notes)
	p.doc.Notes = append(p.doc.Notes, note)
	defer p.enter(p.notes.parts[kind])()
	blocks := p.story(node, false, revision{})
	p.doc.Notes[at].Blocks = blocks
	return note.ID
}
