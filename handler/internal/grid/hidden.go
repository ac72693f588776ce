package grid

// hiddenParts are the cells that stand in hidden rows and columns.
type hiddenParts struct {
	rows, columns []Cell
}

// splitHidden marks the cells in hidden rows and columns. Unless include is set they are also taken out of the sheet.
// A merged cell is hidden only when all its rows, or all its columns, are.
func (s *Sheet) splitHidden(index merges, include bool) hiddenParts {
	var parts hiddenParts
	if len(s.HiddenRows) == 0 && len(s.HiddenColumns) == 0 {
		return parts
	}
	visible := make([]Cell, 0, len(s.Cells))
	for i := range s.Cells {
		c := s.Cells[i]
		area := index.area(&c)
		inRow := s.HiddenRows.covers(area.Top, area.Bottom)
		inColumn := !inRow && s.HiddenColumns.covers(area.Left, area.Right)
		c.Hidden = inRow || inColumn
		switch {
		case inRow:
			parts.rows = append(parts.rows, c)
		case inColumn:
			parts.columns = append(parts.columns, c)
		}
		if !c.Hidden || include {
			visible = append(visible, c)
		}
	}
	s.Cells = visible
	return parts
}
