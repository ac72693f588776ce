package docx

import (
	"errors"
	"io/fs"
	"slices"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// section remembers which headers and footers a section shows.
func (p *parser) section(sectPr *xmltree.Node) {
	for _, c := range sectPr.Children {
		if c.Name != "w:headerReference" && c.Name != "w:footerReference" {
			continue
		}
		rel, ok := p.rels[c.Attr("r:id")]
		if ok && !rel.External && !slices.Contains(p.furniture, rel.Target) {
			p.furniture = append(p.furniture, rel.Target)
		}
	}
}

// readFurniture reads the headers and footers, each once.
func (p *parser) readFurniture() {
	for _, part := range p.furniture {
		root, err := p.pkg.Tree(part)
		if errors.Is(err, fs.ErrNotExist) {
			p.doc.Warn("missing_part", "A header or footer is missing from the file: "+part+".", doc.Place{Part: part})
		}
		if err != nil || root == nil {
			continue
		}
		leave := p.enter(part)
		p.page = 0
		blocks := p.story(root, false, revision{})
		leave()
		p.doc.Furniture = append(p.doc.Furniture, blocks...)
	}
	if len(p.doc.Furniture) > 0 && p.in.Options.Furniture != "keep" {
		p.doc.Warn("furniture_dropped", "Headers and footers are in document.json only.")
	}
}
