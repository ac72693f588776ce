package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/lazyregexp"
)

// isLayout tells a table that only places things on the page from one that holds data. Header cells, a caption or a border
// speak for data; a single cell, other tables inside, or blocks that data does not have speak for layout.
func (b *builder) isLayout(n *html.Node, t tableParts) bool {
	if role := attr(n, "role"); role == "presentation" || role == "none" {
		return true
	} else if role == "table" || role == "grid" {
		return false
	}
	s := survey(t)
	switch {
	case s.cells == 0:
		return true
	case t.caption != nil && textOf(t.caption) != "", s.headers, strings.TrimSpace(attr(n, "summary")) != "":
		return s.cells == 1 && !s.headers && t.caption == nil
	case s.cells == 1:
		return true
	case hasBorder(n) || b.ruled || b.o.DataTables:
		return false
	}
	return s.tables > 0 || s.blocks > 0
}

// ruledCells finds a style sheet that draws lines around cells: its tables are meant as tables.
var ruledCells = lazyregexp.New(`(?:^|[\s,}])(?:table|td|th)\s*(?:,[^{}]*)?\{[^}]*border(?:-\w+)*\s*:\s*(?:[1-9]|thin|medium|thick|solid)`)

// facts are what a table's own cells hold, without looking into tables inside.
type facts struct {
	cells   int
	headers bool
	tables  int
	blocks  int // cells with headings, rules, forms or a lot of text
}

func survey(t tableParts) facts {
	var s facts
	for _, r := range t.rows {
		s.headers = s.headers || r.head
		for _, cell := range cellsOf(r.node) {
			s.cells++
			s.headers = s.headers || cell.Data == "th"
			if holdsPage(cell, &s.tables) {
				s.blocks++
			}
		}
	}
	return s
}

// pageLike are elements that stand in the cells of pages, not of tables.
var pageLike = set("h1 h2 h3 h4 form nav article section header footer main iframe")

func holdsPage(cell *html.Node, tables *int) bool {
	text, found := 0, false
	for d := range cell.Descendants() {
		switch {
		case d.Type == html.TextNode:
			text += len(strings.TrimSpace(d.Data))
		case d.Type == html.ElementNode && d.Data == "table":
			*tables++
		case d.Type == html.ElementNode && pageLike[d.Data]:
			found = true // a heading that is all of a short cell is the heading of a column
		}
	}
	return found && text > 200 || text > 2000
}

func hasBorder(n *html.Node) bool {
	border := strings.TrimSpace(attr(n, "border"))
	return hasAttr(n, "border") && border != "0"
}
