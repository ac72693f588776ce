package grid

import "slices"

// adoptHeaders gives tables the column names back that empty rows and columns tear off: texts that stand above values, within the
// table's columns, in pieces. Statements of accounts are set like this. A table whose first row are texts has its own header,
// and a lone text above a table is its title.
func adoptHeaders(regions []*region) []*region {
	const maxPieces = 300 // quadratic beyond
	if len(regions) > maxPieces {
		return regions
	}
	for i := 0; i < len(regions); i++ {
		body := regions[i]
		if body.name != "" || body.headerRows >= 0 || body.Width() < 3 || !startsWithValues(body) {
			continue
		}
		pieces := headerPieces(regions, body)
		if len(pieces) == 0 {
			continue
		}
		whole := body
		rows := map[int32]bool{}
		for _, piece := range pieces {
			whole = join(whole, piece)
			for j := range piece.cells {
				rows[piece.cells[j].Row] = true
			}
		}
		whole.headerRows = len(rows)
		regions[i] = whole
		regions = slices.DeleteFunc(regions, func(r *region) bool { return slices.Contains(pieces, r) })
		i = -1 // start again: places have moved
	}
	sortRegions(regions)
	return regions
}

// startsWithValues: the first row is no header, because it holds something else than texts.
func startsWithValues(r *region) bool {
	rows := r.rows()
	return len(rows) > 1 && !allText(rows[0])
}

// headerPieces finds the pieces above a body: those at its top edge, or one empty row above it, and then those beside and on top
// of them. There must be two texts at the edge at least.
func headerPieces(regions []*region, body *region) []*region {
	var pieces []*region
	texts, top := 0, body.Top
	for _, r := range regions {
		if gap := body.Top - r.Bottom; (gap == 1 || gap == 2) && isHeaderPiece(r, body) {
			pieces = append(pieces, r)
			texts += len(r.cells)
			top = min(top, r.Top)
		}
	}
	if texts < 2 {
		return nil
	}
	for grown := true; grown; {
		grown = false
		for _, r := range regions {
			if r.Bottom >= top-1 && r.Bottom < body.Top && isHeaderPiece(r, body) && !slices.Contains(pieces, r) && body.Top-r.Top <= maxHeaderRows+1 {
				pieces = append(pieces, r)
				top = min(top, r.Top)
				grown = true
			}
		}
	}
	return pieces
}

func isHeaderPiece(r, body *region) bool {
	if r == body || r.name != "" || r.Left < body.Left || r.Right > body.Right || r.Height() > maxHeaderRows {
		return false
	}
	return allText(r.cells)
}
