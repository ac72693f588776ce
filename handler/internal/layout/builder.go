package layout

import (
	"strings"

	"decant/handler/internal/doc"
)

// Builder gathers pages and makes a document of them.
type Builder struct {
	blocks  []block
	Outline []Outline // the document's bookmarks, if any; set before Finish
}

// NewBuilder makes an empty Builder.
func NewBuilder() *Builder { return &Builder{} }

// Add reads a page. The page may be reused afterwards; only words are kept.
func (b *Builder) Add(p *Page) {
	var glyphs []int
	for i := range p.Glyphs {
		if p.Styles[p.Glyphs[i].Style].Angle == 0 {
			glyphs = append(glyphs, i)
		}
	}
	segments := segmentsOf(p, glyphs)
	horizontal, vertical := rules(p.Strokes)
	segments, tables, _ := latticeTables(p, segments, horizontal, vertical)
	segments, ruled := ruledTables(segments, outside(joinRules(append(horizontal, fillEdges(p.Fills)...)), tables))
	for _, t := range append(tables, ruled...) {
		segments = append(segments, Line{table: t, Box: t.box, Base: t.box.Y1, Size: 10})
	}
	for _, region := range order(sortLines(splitAtEdges(segments))) {
		b.blocks = append(b.blocks, paragraphs(p.Number, joinRows(plainTables(region)))...)
	}
}

// outside keeps the rules that are not part of a table.
func outside(list []rule, tables []*table) []rule {
	var kept []rule
next:
	for _, r := range list {
		for _, t := range tables {
			if r.at >= t.box.Y0-2 && r.at <= t.box.Y1+2 && min(r.to, t.box.X1)-max(r.from, t.box.X0) > 0 {
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// Result is what Finish makes of all pages.
type Result struct {
	Blocks    []doc.Block
	Furniture []doc.Block
	Notes     []doc.Note
	Hyphens   int         // words joined at line ends
	Headings  int         // headings recognized by their looks
	Guessed   []doc.Place // tables found by alignment alone
}

// Finish makes the document. The Builder is used up.
func (b *Builder) Finish() Result {
	var r Result
	r.Headings = markHeadings(b.blocks, bodyOf(b.blocks), b.Outline)
	b.blocks = joinHeadings(b.blocks)
	for i := range b.blocks {
		bl := &b.blocks[i]
		if bl.table != nil {
			r.Blocks = append(r.Blocks, r.grid(bl))
			continue
		}
		r.Blocks = append(r.Blocks, r.paragraph(bl))
	}
	return r
}

func (r *Result) paragraph(bl *block) doc.Block {
	f := &flow{}
	f.drop = bl.plainMarks()
	for _, l := range bl.lines {
		f.add(bl.page, l)
	}
	r.Hyphens += f.joined
	if bl.kind == kindHeading {
		return doc.Block{Kind: doc.Heading, Level: bl.level, Inlines: f.inlines, Places: f.places}
	}
	return doc.Block{Kind: doc.Paragraph, Inlines: f.inlines, Places: f.places}
}

// grid makes a table block.
func (r *Result) grid(bl *block) doc.Block {
	t := bl.table
	g := &doc.Grid{Rows: t.rows, Columns: t.columns, HeaderRows: t.header}
	box := t.box
	place := doc.Place{Page: bl.page, Box: &box}
	if t.guessed {
		r.Guessed = append(r.Guessed, place)
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
	return doc.Block{Kind: doc.Table, Table: g, Places: []doc.Place{place}}
}

// plainMarks are the marks that say nothing in a block: a heading is bold by being one, and what marks all of a cell marks no word in it.
func (bl *block) plainMarks() doc.Marks {
	if bl.kind == kindHeading {
		return doc.Strong | doc.Emphasis
	}
	if !bl.cell {
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
