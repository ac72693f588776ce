package xlsx

import (
	"context"
	"fmt"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// parser is one workbook being made into a document.
type parser struct {
	in       *format.Input
	book     *workbook
	d        *doc.Document
	comments int
	handedOn bool // parts of it

	streamFrom int64 // bytes of a sheet that is handed on window by window
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	return parseFrom(ctx, in, streamFrom)
}

// parseFrom is parse with the size in bytes of a sheet's XML from which on it is handed on window by window.
func parseFrom(ctx context.Context, in *format.Input, streamFrom int64) (*doc.Document, error) {
	book, err := openWorkbook(ctx, in)
	if err != nil {
		return nil, err
	}
	if len(book.sheets) > in.Limits.Pages && in.Limits.Pages > 0 {
		return nil, fault.Newf(fault.TooManyPages, "The workbook has %d sheets, more than the limit of %d. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES).", len(book.sheets), in.Limits.Pages)
	}
	p := &parser{in: in, book: book, d: &doc.Document{}, streamFrom: streamFrom}
	book.pkg.Properties(&p.d.Metadata)
	for _, note := range book.pkg.Notes() {
		p.d.Warn("repaired", note)
	}
	for i := range book.sheets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in.Progress(i+1, len(book.sheets))
		if err := p.sheet(ctx, &book.sheets[i], i+1); err != nil {
			return nil, err
		}
	}
	p.finish()
	return p.d, nil
}

func (p *parser) includeHidden() bool { return p.in.Options.Hidden == "include" }

// sheet reads one sheet into the document: as a group in the body, or apart when it is hidden.
func (p *parser) sheet(ctx context.Context, info *sheetInfo, page int) error {
	p.d.Pages = append(p.d.Pages, doc.Page{Number: page, Kind: "sheet", Label: info.name, Hidden: info.hidden})
	blocks, err := p.sheetBlocks(ctx, info, page)
	if err != nil {
		return err
	}
	place := doc.Place{Page: page, Sheet: info.name}
	group := doc.Block{Kind: doc.Group, Role: doc.RoleSheet, Label: info.name, Children: blocks, Places: []doc.Place{place}}
	if info.hidden {
		became := "kept apart"
		if p.includeHidden() {
			became = "shown, as asked for"
		}
		p.d.Warn("hidden_sheet", fmt.Sprintf("The sheet %q is hidden; it was %s.", info.name, became), place)
	}
	switch {
	case len(blocks) == 0: // the page entry says that it is there
	case info.hidden && !p.includeHidden():
		p.d.Hidden = append(p.d.Hidden, doc.Hidden{Reason: "hidden_sheet", Name: info.name, Blocks: []doc.Block{group}})
	default:
		p.d.Blocks = append(p.d.Blocks, group)
	}
	return nil
}

func (p *parser) sheetBlocks(ctx context.Context, info *sheetInfo, page int) ([]doc.Block, error) {
	place := doc.Place{Page: page, Sheet: info.name}
	switch {
	case info.part == "":
		p.d.Warn("missing_part", fmt.Sprintf("The sheet %q is in the workbook's list, but not in the file.", info.name), place)
		return nil, nil
	case info.kind == "dialogsheet" || info.kind == "macrosheet" || info.kind == "xlmacrosheet":
		p.d.Warn("active_content", fmt.Sprintf("The sheet %q holds macros or a dialog and was left out.", info.name), place)
		return nil, nil
	}
	if p.streams(info) {
		return nil, p.streamSheet(ctx, info, page)
	}
	w, err := readWorksheet(ctx, p.book, info, page, p.d, p.in)
	if err != nil {
		return nil, err
	}
	p.comments += w.commentsFound
	return w.blocks(), nil
}

// finish reports what concerns the workbook as a whole.
func (p *parser) finish() {
	if len(p.d.Furniture) > 0 && p.in.Options.Furniture != "keep" {
		p.d.Warn("furniture_dropped", "Printed headers and footers are in document.json only.")
	}
	reportComments(p.d, p.comments, p.in.Options.Comments == "include")
	for _, rel := range p.book.pkg.Rels(p.book.part) {
		if rel.Type == "vbaProject" {
			p.d.Warn("active_content", "The workbook has macros; they were left out.")
		}
	}
	if len(p.d.Blocks) == 0 && len(p.d.Attachments) == 0 && !p.handedOn {
		p.d.Warn("empty_document", "No visible sheet of the workbook has any content.")
	}
}
