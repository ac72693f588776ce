package ods

import (
	"context"
	"fmt"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/grid"
	"decant/handler/internal/odf"
	"decant/handler/internal/xmltree"
)

// Format is the OpenDocument spreadsheet format.
func Format() format.Format {
	return format.Format{
		Name:       "ods",
		Title:      "OpenDocument spreadsheet",
		Extensions: []string{".ods", ".ots", ".fods"},
		MediaTypes: []string{
			"application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet-template",
			"application/vnd.oasis.opendocument.spreadsheet-flat-xml",
		},
		Paged:       "sheet",
		Description: "tables found on the sheets with headers, merged cells, values as shown and as stored, formulas, charts, comments; hidden sheets, rows and columns apart",
		Match:       match,
		Parse:       parse,
	}
}

func match(h *format.Head) int { return odf.Match(h, "spreadsheet", ".ods", ".ots") }

// parser is one spreadsheet being made into a document.
type parser struct {
	ctx       context.Context
	in        *format.Input
	d         *doc.Document
	r         *odf.Reader
	hidden    map[string]bool // styles of hidden sheets
	bold      map[string]bool // cell styles
	sheets    int
	cellsLeft int // how many more cells may become tables
	uncached  int
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	pkg, err := odf.Open(in)
	if err != nil {
		return nil, err
	}
	p := &parser{ctx: ctx, in: in, d: &doc.Document{}, hidden: map[string]bool{}, bold: map[string]bool{}, cellsLeft: cellBudget(in.Limits.Memory)}
	p.r = odf.NewReader(ctx, in, pkg, p.d)
	if styles, err := pkg.Tree("styles.xml"); err == nil && !pkg.IsFlat() {
		for _, n := range childrenOf(styles) {
			p.style(n)
		}
	}
	err = p.r.Walk("office:spreadsheet", p.style, func(s *xmltree.Scanner) error {
		if s.Name() != "table:table" {
			s.Skip()
			return nil
		}
		return p.sheet(s)
	})
	if err != nil {
		return nil, err
	}
	p.r.Finish()
	if p.uncached > 0 {
		p.d.Warn("formula_uncached", fmt.Sprintf("%d formulas have no stored result; the formulas are shown.", p.uncached))
	}
	if len(p.d.Blocks) == 0 && len(p.d.Attachments) == 0 {
		p.d.Warn("empty_document", "No visible sheet has any content.")
	}
	return p.d, nil
}

func childrenOf(n *xmltree.Node) []*xmltree.Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// memoryShare is the part of the memory that the cells of tables may take; what renders them needs the rest.
const memoryShare = 4

func cellBudget(memory int64) int {
	if memory <= 0 {
		memory = 1 << 30
	}
	return int(memory / memoryShare / grid.CellBytes)
}

// style notes which sheets are hidden by their style, and which cells are bold.
func (p *parser) style(n *xmltree.Node) {
	for _, style := range n.All("style:style") {
		name := style.Attr("style:name")
		switch style.Attr("style:family") {
		case "table":
			p.hidden[name] = style.Child("style:table-properties").Attr("table:display") == "false"
		case "table-cell":
			weight, own := style.Child("style:text-properties").Lookup("fo:font-weight")
			p.bold[name] = weight == "bold" || !own && p.bold[style.Attr("style:parent-style-name")]
		}
	}
}

// group puts a sheet into the document: in the body, or apart when it is hidden.
func (p *parser) group(sheet *grid.Sheet, blocks []doc.Block, hidden bool) error {
	if limit := p.in.Limits.Pages; limit > 0 && p.sheets > limit {
		return fault.Newf(fault.TooManyPages, "The document has more sheets than the limit of %d. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES).", limit)
	}
	include := p.in.Options.Hidden == "include"
	place := doc.Place{Page: sheet.Page, Sheet: sheet.Name}
	p.d.Pages = append(p.d.Pages, doc.Page{Number: sheet.Page, Kind: "sheet", Label: sheet.Name, Hidden: hidden})
	group := doc.Block{Kind: doc.Group, Role: doc.RoleSheet, Label: sheet.Name, Children: blocks, Places: []doc.Place{place}}
	if hidden {
		became := "kept apart"
		if include {
			became = "shown, as asked for"
		}
		p.d.Warn("hidden_sheet", fmt.Sprintf("The sheet %q is hidden; it was %s.", sheet.Name, became), place)
	}
	switch {
	case len(blocks) == 0:
	case hidden && !include:
		p.d.Hidden = append(p.d.Hidden, doc.Hidden{Reason: "hidden_sheet", Name: sheet.Name, Blocks: []doc.Block{group}})
	default:
		p.d.Blocks = append(p.d.Blocks, group)
	}
	return nil
}
