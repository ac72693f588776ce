package grid

import "slices"

// hiddenParts are the cells that stand in hidden rows and columns.
type hiddenParts struct {
	rows, columns []Cell
}

// markHidden marks the cells in hidden rows and columns and gives copies of them. They stay in the sheet, because what they part
// for a program is one for a person: tables are found with them, and dropHidden takes them out afterwards.
// A merged cell is hidden only when all its rows, or all its columns, are.
func (s *Sheet) markHidden(index merges) hiddenParts {
	var parts hiddenParts
	if len(s.HiddenRows) == 0 && len(s.HiddenColumns) == 0 {
		return parts
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		area := index.area(c)
		inRow := s.HiddenRows.covers(area.Top, area.Bottom)
		inColumn := !inRow && s.HiddenColumns.covers(area.Left, area.Right)
		c.Hidden = inRow || inColumn
		switch {
		case inRow:
			parts.rows = append(parts.rows, *c)
		case inColumn:
			parts.columns = append(parts.columns, *c)
		}
	}
	return parts
}

// dropHidden takes the hidden cells out of regions, and regions out that hold nothing else.
func dropHidden(regions []*region, index merges) []*region {
	for _, r := range regions {
		visible := slices.DeleteFunc(slices.Clone(r.cells), func(c Cell) bool { return c.Hidden })
		if len(visible) == len(r.cells) {
			continue
		}
		r.cells = visible
		if len(visible) > 0 && r.name == "" {
			r.Rect = index.area(&visible[0])
			for i := range visible {
				r.Rect = r.Rect.Union(index.area(&visible[i]))
			}
		}
	}
	return slices.DeleteFunc(regions, func(r *region) bool { return len(r.cells) == 0 })
}
