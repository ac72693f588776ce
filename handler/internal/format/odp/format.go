package odp

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/odf"
	"decant/handler/internal/xmltree"
)

// Format is the OpenDocument presentation format.
func Format() format.Format {
	return format.Format{
		Name:       "odp",
		Title:      "OpenDocument presentation",
		Extensions: []string{".odp", ".otp", ".fodp"},
		MediaTypes: []string{
			"application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation-template",
			"application/vnd.oasis.opendocument.presentation-flat-xml",
		},
		Paged:       "slide",
		Description: "slides in order with titles, text in reading order, lists, tables, charts, pictures, speaker notes, comments; hidden slides apart",
		Match:       match,
		Parse:       parse,
	}
}

func match(h *format.Head) int { return odf.Match(h, "presentation", ".odp", ".otp") }

// parser is one presentation being made into a document.
type parser struct {
	in      *format.Input
	d       *doc.Document
	r       *odf.Reader
	sizes   sizes
	hidden  map[string]bool // styles of hidden pages
	number  int
	already map[string]bool // furniture texts
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	pkg, err := odf.Open(in)
	if err != nil {
		return nil, err
	}
	p := &parser{in: in, d: &doc.Document{}, sizes: readSizes(pkg), hidden: map[string]bool{}, already: map[string]bool{}}
	p.r = odf.NewReader(ctx, in, pkg, p.d)
	p.r.PlainItems = true
	err = p.r.Walk("office:presentation", p.style, func(s *xmltree.Scanner) error {
		if s.Name() != "draw:page" {
			p.declaration(s.Element())
			return nil
		}
		return p.page(s.Element())
	})
	if err != nil {
		return nil, err
	}
	p.r.Finish()
	if len(p.already) > 0 && in.Options.Furniture != "keep" {
		p.d.Warn("furniture_dropped", "Footers and headers are in document.json only.")
	}
	if len(p.d.Blocks) == 0 && len(p.d.Attachments) == 0 {
		p.d.Warn("empty_document", "No visible slide of the presentation has any content.")
	}
	return p.d, nil
}

// style notes which pages are hidden by their style.
func (p *parser) style(n *xmltree.Node) {
	for _, style := range n.All("style:style") {
		if style.Attr("style:family") == "drawing-page" {
			p.hidden[style.Attr("style:name")] = style.Child("style:drawing-page-properties").Attr("presentation:visibility") == "hidden"
		}
	}
}

// declaration keeps the texts of footers and the like, which pages only name.
func (p *parser) declaration(n *xmltree.Node) {
	switch n.Name {
	case "presentation:footer-decl", "presentation:header-decl":
		p.furniture(n.AllText(), doc.Place{})
	}
}

func (p *parser) furniture(text string, place doc.Place) {
	if text = strings.TrimSpace(text); text == "" || p.already[text] || text == "<number>" || text == "<#>" {
		return
	}
	p.already[text] = true
	p.d.Furniture = append(p.d.Furniture, doc.P(text, place))
}

// put puts a page into the document: in the body, or apart when it is hidden.
func (p *parser) put(group doc.Block, master string, hidden bool) error {
	if limit := p.in.Limits.Pages; limit > 0 && p.number > limit {
		return fault.Newf(fault.TooManyPages, "The presentation has more slides than the limit of %d. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES).", limit)
	}
	p.d.Pages = append(p.d.Pages, doc.Page{
		Number: p.number, Kind: "slide", Label: group.Label, Hidden: hidden, Width: p.sizes[master][0], Height: p.sizes[master][1],
	})
	include := p.in.Options.Hidden == "include"
	if hidden {
		became := "kept apart"
		if include {
			became = "shown, as asked for"
		}
		p.d.Warn("hidden_slide", fmt.Sprintf("Slide %d is hidden; it was %s.", p.number, became), group.Places...)
	}
	switch {
	case len(group.Children) == 0:
	case hidden && !include:
		p.d.Hidden = append(p.d.Hidden, doc.Hidden{Reason: "hidden_slide", Name: group.Label, Blocks: []doc.Block{group}})
	default:
		p.d.Blocks = append(p.d.Blocks, group)
	}
	return nil
}
