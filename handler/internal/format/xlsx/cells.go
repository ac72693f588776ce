package xlsx

import (
	"context"
	"fmt"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// ReadCells streams the cells of one sheet, counted from 0, as a person sees them, row by row in constant memory beside the
// workbook's shared texts. The cell lives until visit returns. An error of visit ends the reading and is given back.
func ReadCells(ctx context.Context, in *format.Input, sheet int, visit func(*grid.Cell) error) error {
	book, err := openWorkbook(ctx, in)
	if err != nil {
		return err
	}
	if sheet < 0 || sheet >= len(book.sheets) || book.sheets[sheet].part == "" {
		return fault.Newf(fault.NotFound, "The workbook has no sheet number %d.", sheet+1)
	}
	s, err := book.pkg.Scan(book.sheets[sheet].part)
	if err != nil {
		return fmt.Errorf("open sheet %d: %w", sheet+1, err)
	}
	defer s.Close()
	maker := cellMaker{book: book, shared: sharedFormulas{}}
	for s.Next() {
		if s.Kind() != xmltree.Start || s.Name() != "sheetData" {
			continue
		}
		reader := cellReader{s: s.Scanner}
		return reader.readRows(ctx, func(int) {}, func(raw *Raw) error {
			if cell, ok := maker.make(raw); ok {
				return visit(&cell)
			}
			return nil
		})
	}
	return s.Err()
}
