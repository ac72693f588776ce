package xlsx

import (
	"strconv"

	"decant/handler/internal/grid"
)

// readTables reads the sheet's defined tables (18.5): their ranges are tables whatever surrounds them.
func (w *worksheet) readTables() {
	rels := w.book.pkg.Rels(w.info.part)
	for _, id := range w.tables {
		root, err := w.book.tree(rels[id].Target)
		if err != nil || root == nil {
			continue
		}
		r, ok := grid.ParseRect(root.Attr("ref"))
		if !ok {
			continue
		}
		t := grid.Table{Rect: r, Name: root.Attr("displayName"), HeaderRows: 1}
		if n, err := strconv.Atoi(root.Attr("headerRowCount")); err == nil && n >= 0 {
			t.HeaderRows = n
		}
		if t.Name == "" {
			t.Name = root.Attr("name")
		}
		if t.Name == "" {
			t.Name = "Table"
		}
		w.sheet.Tables = append(w.sheet.Tables, t)
	}
}
