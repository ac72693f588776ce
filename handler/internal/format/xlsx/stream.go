package xlsx

import (
	"context"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// streamFrom is the size in bytes of a sheet's XML from which on it is handed on window by window.
const streamFrom = 4 << 20

// streams tells whether a sheet is large, and somebody takes its parts.
func (p *parser) streams(info *sheetInfo) bool {
	return p.in.Part != nil && p.book.pkg.Size(info.part) > p.streamFrom && (!info.hidden || p.includeHidden())
}

// streamSheet hands a large sheet on in parts. It reads the sheet twice: what stands behind the cells (merged cells, links, tables)
// must be known before them.
func (p *parser) streamSheet(ctx context.Context, info *sheetInfo, page int) error {
	w := newWorksheet(p.book, info, page, p.d, p.in)
	skip := func(s *xmltree.Scanner) error { s.Skip(); return nil }
	if err := w.scan(skip, w.element); err != nil {
		return err
	}
	if err := w.readAround(); err != nil {
		return err
	}
	shown := false
	stream := grid.NewStream(w.sheet, p.d, p.includeHidden(), func(blocks []doc.Block) error {
		part := format.Part{Blocks: append(p.d.Blocks, w.group(blocks)), Continues: shown}
		p.d.Blocks, shown, p.handedOn = nil, true, true
		return p.in.Part(p.d, part)
	})
	link := w.linkFinder()
	err := w.scan(func(s *xmltree.Scanner) error {
		return w.eachCell(ctx, s, func(c *grid.Cell) error {
			link(c)
			return stream.Add(c)
		})
	}, func(*xmltree.Scanner) {})
	if err != nil {
		return err
	}
	p.comments += w.commentsFound
	w.report()
	return stream.Close()
}

// group is the sheet as a block.
func (w *worksheet) group(blocks []doc.Block) doc.Block {
	return doc.Block{Kind: doc.Group, Role: doc.RoleSheet, Label: w.info.name, Children: blocks, Places: []doc.Place{w.place("")}}
}
