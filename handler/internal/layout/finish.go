package layout

import (
	"strings"

	"decant/handler/internal/doc"
)

// Result is what Finish makes of all pages.
type Result struct {
	Blocks    []doc.Block
	Furniture []doc.Block // roles as RoleHeader and its like
	Notes     []doc.Note
	Hyphens   int         // words joined at line ends
	Headings  int         // headings recognized by their looks
	Guessed   []doc.Place // tables found by alignment alone
	Turned    []doc.Place // pages whose right-to-left words stood backwards

	vocabulary *vocabulary
	body       bodyStyle
}

// Finish makes the document. The Builder is used up.
func (b *Builder) Finish() Result {
	turned := turnReversed(b.blocks)
	markFurniture(b.blocks, b.pages)
	markArtifacts(b.blocks, b.pages)
	body := bodyOf(b.blocks)
	splitMarks(b.blocks, body, b.pages)
	markCaptions(b.blocks)
	b.blocks = markFormulas(b.blocks)
	tieNotes(b.blocks, body, b.pages)
	r := Result{Turned: turned, vocabulary: vocabularyOf(b.blocks), body: body}
	markCode(b.blocks, body)
	tagged := markTagged(b.blocks)
	r.Headings = markHeadings(b.blocks, body, b.Outline, tagged)
	b.blocks = joinHeadings(b.blocks)
	b.blocks = splitByline(b.blocks)
	markQuotes(b.blocks)
	b.blocks = joinCode(b.blocks)
	b.blocks = joinTables(b.blocks)
	b.blocks = joinParagraphs(b.blocks, body)
	r.build(b.blocks, b.KeepFurniture)
	r.vocabulary = nil
	return r
}

// build turns blocks into the model's.
func (r *Result) build(blocks []block, keepFurniture bool) {
	blocks = r.takeAside(blocks, keepFurniture)
	for i := 0; i < len(blocks); {
		bl := &blocks[i]
		switch {
		case bl.kind == kindItem || bl.kind == kindEntry:
			n := i + 1
			for n < len(blocks) && blocks[n].kind == bl.kind && blocks[n].furniture == "" {
				n++
			}
			r.Blocks = append(r.Blocks, r.series(blocks[i:n])...)
			clear(blocks[i:n])
			i = n
			continue
		case bl.kind == kindQuote:
			n := i + 1
			for n < len(blocks) && blocks[n].kind == kindQuote && blocks[n].furniture == "" {
				n++
			}
			r.Blocks = append(r.Blocks, r.quote(blocks[i:n]))
			clear(blocks[i:n])
			i = n
			continue
		case bl.kind == kindFormula:
			r.Blocks = append(r.Blocks, formula(bl))
		case bl.kind == kindCode:
			r.Blocks = append(r.Blocks, code(bl))
		case bl.table != nil:
			r.Blocks = append(r.Blocks, r.grid(bl))
		case bl.figure != nil:
			r.Blocks = append(r.Blocks, r.figure(bl))
		default:
			r.Blocks = append(r.Blocks, r.paragraph(bl))
		}
		*bl = block{} // its words are not needed any more
		i++
	}
}

// takeAside takes out what is no part of the body, so that a list or a quotation goes on past it, and gives the rest.
func (r *Result) takeAside(blocks []block, keepFurniture bool) []block {
	rest := blocks[:0]
	for i := range blocks {
		switch bl := &blocks[i]; {
		case bl.furniture != "" && !keepFurniture:
			p := r.paragraph(bl)
			p.Role = bl.furniture
			r.Furniture = append(r.Furniture, p)
		case bl.tied:
		case bl.kind == kindNote:
			r.note(bl)
		default:
			rest = append(rest, *bl)
		}
	}
	clear(blocks[len(rest):])
	return rest
}

// series makes a list of items, or a table of contents of entries.
func (r *Result) series(blocks []block) []doc.Block {
	if blocks[0].kind == kindItem {
		return r.listOf(blocks)
	}
	toc := doc.Block{Kind: doc.TOC}
	for i := range blocks {
		toc.Children = append(toc.Children, r.paragraph(&blocks[i]))
	}
	if len(blocks) < 3 {
		return toc.Children
	}
	return []doc.Block{toc}
}

// note makes a footnote of a block, without its label.
func (r *Result) note(bl *block) {
	bl.lines[0].Words = bl.lines[0].Words[labelWords(bl.lines[0]):]
	p := r.paragraph(bl)
	r.Notes = append(r.Notes, doc.Note{ID: bl.note, Kind: "footnote", Label: bl.label, Blocks: []doc.Block{p}})
}

func (r *Result) figure(bl *block) doc.Block {
	box := bl.figure.box
	b := doc.Block{Kind: doc.Figure, Image: bl.figure.image, Places: []doc.Place{{Page: bl.page, Box: &box}}}
	b.Caption = r.caption(bl)
	for _, l := range bl.figure.lines {
		l.page = bl.page
		b.Children = append(b.Children, r.paragraph(&block{page: bl.page, lines: []Line{l}}))
	}
	return b
}

func (r *Result) caption(bl *block) []doc.Inline {
	if len(bl.caption) == 0 {
		return nil
	}
	f := r.flow()
	for _, l := range bl.caption {
		f.add(l)
	}
	return f.whole()
}

func (r *Result) paragraph(bl *block) doc.Block {
	f := r.flow()
	f.drop = bl.plainMarks() | r.body.marks()
	for _, l := range bl.lines {
		f.add(l)
	}
	r.Hyphens += f.joined
	b := doc.Block{Kind: doc.Paragraph, Inlines: f.whole(), Places: f.places, Source: sourceOf(bl.lines)}
	if bl.kind == kindHeading {
		b.Kind, b.Level = doc.Heading, bl.level
	}
	return b
}

// sourceOf is the source that all lines share: "ocr_layer" for a scanner's text.
func sourceOf(lines []Line) string {
	if len(lines) == 0 || len(lines[0].Words) == 0 {
		return ""
	}
	return lines[0].Words[0].Style.Source
}

// placed is a part of a table on another page.
type placed struct {
	page int
	box  doc.Box
}

// grid makes a table block.
func (r *Result) grid(bl *block) doc.Block {
	t := bl.table
	g := &doc.Grid{Rows: t.rows, Columns: t.columns, HeaderRows: t.header}
	box := t.box
	places := []doc.Place{{Page: bl.page, Box: &box}}
	for _, m := range t.more {
		box := m.box
		places = append(places, doc.Place{Page: m.page, Box: &box})
	}
	if t.guessed {
		r.Guessed = append(r.Guessed, places[0])
	}
	for i := range t.cells {
		c := &t.cells[i]
		cell := doc.Cell{Row: c.row, Column: c.column, Header: c.row < t.header}
		if c.rowSpan > 1 {
			cell.RowSpan = c.rowSpan
		}
		if c.colSpan > 1 {
			cell.ColSpan = c.colSpan
		}
		if len(c.lines) > 0 {
			inner := r.paragraph(&block{page: bl.page, lines: c.lines, cell: true})
			if strings.TrimSpace(inner.PlainText()) != "" {
				cell.Blocks = []doc.Block{inner}
			}
		}
		g.Cells = append(g.Cells, cell)
	}
	return doc.Block{Kind: doc.Table, Table: g, Places: places, Caption: r.caption(bl)}
}

// plainMarks are the marks that say nothing in a block: a heading is bold by being one, and what marks all of a cell marks no word in it.
func (bl *block) plainMarks() doc.Marks {
	if bl.kind == kindHeading {
		return doc.Strong | doc.Emphasis
	}
	if !bl.cell && bl.furniture == "" {
		return 0
	}
	shared := doc.Strong | doc.Emphasis
	for _, l := range bl.lines {
		for _, w := range l.Words {
			shared &= w.Marks
		}
	}
	return shared
}
