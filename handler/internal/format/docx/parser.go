package docx

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// parser is the state of reading one document.
type parser struct {
	ctx  context.Context
	in   *format.Input
	pkg  *ooxml.Package
	doc  *doc.Document
	main string // the main part

	part string // the part that is being read, for its relationships
	rels ooxml.Relationships

	styles     *styles
	numbering  *numbering
	notes      *notes
	comments   *comments
	changes    *changes
	furniture  []string          // header and footer parts in the order of their sections
	images     map[string]string // image id by part
	saved      map[string]bool   // image ids in the document
	bookmarks  map[string]string // bookmark name → anchor of its block
	page       int               // as Word last laid the document out; 0 when it did not say
	broke      bool              // a page was broken by hand just now
	lost       bool              // the file was cut off, and styles, numbers or notes are gone with its end
	titled     int               // paragraphs in the style Title
	foreigners int               // parts in other formats that were read in their place
	depth      int               // of stories in stories
}

// maxStories bounds tables in text boxes in tables: beyond it text is kept, structure is not.
const maxStories = 100

func newParser(ctx context.Context, in *format.Input, pkg *ooxml.Package, main string) *parser {
	p := &parser{
		ctx: ctx, in: in, pkg: pkg, main: main,
		doc:    &doc.Document{Format: "docx"},
		images: map[string]string{}, saved: map[string]bool{}, bookmarks: map[string]string{},
	}
	p.enter(main)
	return p
}

// enter makes part the one whose relationships count and gives the way back.
func (p *parser) enter(part string) (leave func()) {
	oldPart, oldRels := p.part, p.rels
	p.part, p.rels = part, p.pkg.Rels(part)
	return func() { p.part, p.rels = oldPart, oldRels }
}

// readParts reads what the body refers to.
func (p *parser) readParts() {
	p.pkg.Properties(&p.doc.Metadata)
	for _, note := range p.pkg.Notes() {
		p.doc.Warn("repaired", note)
	}
	p.styles = readStyles(p.relatedTree("styles"))
	p.numbering = readNumbering(p.relatedTree("numbering"), p.styles)
	p.comments = p.readComments()
	p.notes = p.readNotes()
	p.changes = &changes{view: p.in.Options.Revisions}
	if p.pkg.Has(path.Dir(p.main) + "/vbaProject.bin") {
		p.doc.Warn("active_content", "The document has macros; they were left out.")
	}
}

// relatedTree reads the part of that relationship type as a tree, or gives nil.
func (p *parser) relatedTree(kind string) *xmltree.Node {
	part := p.related(kind)
	if part == "" {
		return nil
	}
	root, err := p.pkg.Tree(part)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.lost = p.pkg.CutOff()
		p.doc.Warn("missing_part", "A part that the document refers to is not there: "+part+".", doc.Place{Part: part})
	case err != nil || root == nil:
		p.doc.Warn("unsupported_part", "A part could not be read: "+part+".", doc.Place{Part: part})
	}
	return root
}

// related is the part of that relationship type, or of the usual name when the relationship is missing.
func (p *parser) related(kind string) string {
	if part := p.rels.First(kind); part != "" {
		return part
	}
	if usual := path.Dir(p.main) + "/" + kind + ".xml"; p.pkg.Has(usual) {
		return usual
	}
	return ""
}

// finish puts together what was collected on the way.
func (p *parser) finish() {
	p.readFurniture()
	p.comments.finish(p)
	p.changes.finish(p.doc)
	p.shiftBelowTitle()
	p.fixAnchors()
	if p.page > 0 {
		for n := 1; n <= p.page; n++ {
			p.doc.Pages = append(p.doc.Pages, doc.Page{Number: n, Kind: "page"})
		}
	}
}

// shiftBelowTitle makes a document's one title the only heading of level 1.
func (p *parser) shiftBelowTitle() {
	if p.titled != 1 {
		return
	}
	first, title := true, false
	doc.Walk(p.doc.Blocks, func(b *doc.Block) bool {
		if b.Kind == doc.Heading {
			if first {
				title = b.Role == roleTitle
			} else if title {
				b.Level++
			}
			first = false
		}
		return true
	})
}

// roleTitle marks the block of the style Title until finish.
const roleTitle = "title"

// fixAnchors lets links reach the block in which their bookmark stands.
func (p *parser) fixAnchors() {
	fix := func(b *doc.Block) bool {
		if b.Role == roleTitle {
			b.Role = ""
		}
		for i := range b.Inlines {
			if name, internal := strings.CutPrefix(b.Inlines[i].Link, "#"); internal {
				if anchor, ok := p.bookmarks[name]; ok {
					b.Inlines[i].Link = "#" + anchor
				}
			}
		}
		return true
	}
	doc.Walk(p.doc.Blocks, fix)
	for i := range p.doc.Notes {
		doc.Walk(p.doc.Notes[i].Blocks, fix)
	}
}
