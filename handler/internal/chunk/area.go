package chunk

import (
	"sort"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// area is a range of cells of a sheet, from 1; zero when empty.
type area struct{ top, left, bottom, right int }

// add makes the area contain a range in A1 notation as well.
func (a *area) add(cells string) {
	b, ok := parseArea(cells)
	if !ok {
		return
	}
	if a.top == 0 {
		*a = b
		return
	}
	a.top, a.left = min(a.top, b.top), min(a.left, b.left)
	a.bottom, a.right = max(a.bottom, b.bottom), max(a.right, b.right)
}

func (a area) String() string {
	if a.top == 0 {
		return ""
	}
	first, last := cellName(a.top, a.left), cellName(a.bottom, a.right)
	if first == last {
		return first
	}
	return first + ":" + last
}

func cellName(row, column int) string {
	name := ""
	for ; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name + strconv.Itoa(row)
}

func parseArea(cells string) (area, bool) {
	first, last, two := strings.Cut(cells, ":")
	top, left, ok := parseCell(first)
	if !ok {
		return area{}, false
	}
	a := area{top, left, top, left}
	if two {
		if a.bottom, a.right, ok = parseCell(last); !ok {
			return area{}, false
		}
	}
	return a, true
}

func parseCell(cell string) (row, column int, ok bool) {
	cell = strings.ReplaceAll(cell, "$", "")
	i := 0
	for ; i < len(cell) && i < 4 && cell[i] >= 'A' && cell[i] <= 'Z'; i++ {
		column = column*26 + int(cell[i]-'A') + 1
	}
	row, err := strconv.Atoi(cell[i:])
	return row, column, err == nil && row > 0 && column > 0
}

// rowsIn narrows the cells of a table to its rows in a range of the Markdown, when the table's rows are the sheet's rows.
func rowsIn(cells string, g *doc.Grid, table *markdown.Node, r Range, nodes []markdown.Node) string {
	a, ok := parseArea(cells)
	if !ok || a.bottom-a.top+1 != g.Rows {
		return cells
	}
	first, last := -1, -1
	i := sort.Search(len(nodes), func(i int) bool { return nodes[i].Start >= r.Start })
	for i > 0 && nodes[i-1].Start > table.Start && nodes[i-1].End > r.Start {
		i-- // to the row that the range starts in
	}
	for ; i < len(nodes) && nodes[i].Start < r.End; i++ {
		if n := &nodes[i]; n.Kind == markdown.RowNode && n.Block == table.Block && n.End > r.Start {
			if first < 0 {
				first = int(n.Row)
			}
			last = int(n.Row)
		}
	}
	if first < 0 {
		return cells
	}
	a.top, a.bottom = a.top+first, a.top+last
	return a.String()
}
