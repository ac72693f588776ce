package datadoc

import "decant/handler/internal/doc"

// isMatrix tells a list of lists of scalars: rows of a table without names.
func isMatrix(v Value) bool {
	if len(v.Items) < 2 {
		return false
	}
	width := 0
	for _, row := range v.Items {
		if row.Kind != List || len(row.Items) == 0 || len(row.Items) > maxColumns {
			return false
		}
		for _, item := range row.Items {
			if !item.IsScalar() {
				return false
			}
		}
		width = max(width, len(row.Items))
	}
	return width > 1
}

func matrix(v Value) *doc.Grid {
	g := &doc.Grid{Rows: len(v.Items)}
	for r, row := range v.Items {
		g.Columns = max(g.Columns, len(row.Items))
		for c, item := range row.Items {
			if blocks := scalarBlocks(item); len(blocks) > 0 {
				g.Cells = append(g.Cells, doc.Cell{Row: r, Column: c, Blocks: blocks})
			}
		}
	}
	return g
}
