package chunk

import (
	"strings"

	"decant/handler/internal/doc"
)

// build makes the chunks.
func (p *packer) build() []Chunk {
	chunks := make([]Chunk, 0, len(p.drafts))
	places := placer{md: p.md, doc: p.doc}
	part, partRow, partTable := 0, int32(0), int32(-1)
	for i := range p.drafts {
		d := &p.drafts[i]
		c := Chunk{
			DocumentID: p.options.DocumentID, Tokens: d.tokens, Tokenizer: p.options.Counter.Name(), Kind: kindOf(d),
			Range: Range{d.start(), d.end()}, Shortened: d.context.shortened, Headings: p.titles(d),
		}
		c.Text, c.Rendered = p.textOf(d), d.generated
		c.Body.Start = len(d.context.text) + d.start() - d.from
		c.Body.End = c.Body.Start + d.end() - d.start()
		if d.generated {
			c.Body.End = len(c.Text)
		}
		p.withNotes(d, &c)
		c.Table = rowsOf(d)
		if c.Table != nil && d.pieces[0].partial {
			if x := &d.pieces[0]; x.row != partRow || x.table != partTable {
				part, partRow, partTable = 0, x.row, x.table
			}
			part++
			c.Table.Part = part
		}
		places.place(&c, d)
		if d.context.shortened {
			p.doc.Warn("path_shortened", "The heading path of a chunk was shortened from the top, to leave room for its text.", placesOf(&c)...)
		}
		if d.context.dropped {
			p.doc.Warn("header_dropped", "The header rows of a table did not fit beside its rows and were left out of the chunk's context.", placesOf(&c)...)
		}
		chunks = append(chunks, c)
	}
	return chunks
}

func placesOf(c *Chunk) []doc.Place {
	if c.Pages == nil {
		return nil
	}
	return []doc.Place{{Page: c.Pages.First}}
}

var kindNames = map[pieceKind]string{
	textPiece: "text", headingPiece: "heading", listPiece: "list", tablePiece: "table", rowPiece: "table",
	codePiece: "code", formulaPiece: "formula", figurePiece: "figure", notePiece: "note",
}

// kindOf is the kind that all pieces but the headings have; text when they differ.
func kindOf(d *draft) string {
	kind := ""
	for i := range d.pieces {
		x := &d.pieces[i]
		if x.kind == headingPiece || x.glued && i+1 < len(d.pieces) {
			continue
		}
		switch name := kindNames[x.kind]; kind {
		case "", name:
			kind = name
		default:
			return "text"
		}
	}
	if kind == "" {
		return "heading"
	}
	return kind
}

// titles is the heading path that all of a chunk stands under.
func (p *packer) titles(d *draft) []string {
	at, set := int32(-1), false
	for i := range d.pieces {
		x := &d.pieces[i]
		inner := x.inner
		if x.kind == headingPiece && i+1 < len(d.pieces) && p.isUnder(d.pieces[i+1].path, inner) {
			continue // what follows says it better
		}
		if !set {
			at, set = inner, true
			continue
		}
		for at >= 0 && !p.isUnder(inner, at) {
			at = p.outline[at].up
		}
	}
	var titles []string
	for _, i := range p.headings(at) {
		if title := strings.TrimSpace(p.outline[i].title); title != "" {
			titles = append(titles, title)
		}
	}
	return titles
}

// rowsOf says which rows of a table a chunk holds, when it holds a part of one.
func rowsOf(d *draft) *Part {
	var part *Part
	for i := range d.pieces {
		x := &d.pieces[i]
		if x.kind != rowPiece {
			continue
		}
		if part == nil {
			part = &Part{FirstRow: int(x.row)}
		}
		part.LastRow = int(max(x.row, x.lastRow))
	}
	return part
}
