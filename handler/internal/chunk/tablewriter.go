package chunk

import (
	"slices"
	"sort"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// tableWriter writes rows of one table anew. A table is looked at once, however many chunks it is cut into.
type tableWriter struct {
	node      int32
	md        *markdown.Output
	grid      *doc.Grid
	head      *tableHead          // nil until it is asked for
	extractor *markdown.Extractor // nil until HTML is asked for
	spans     *bool               // nil until it is asked for
	labels    []string            // per column: its header rows joined; nil until sentences are asked for
	cells     []*doc.Cell         // that are shown below the header, by row
	top       []int               // per row of the grid, and one more: the first of cells that may stand in it
}

// writer gives the writer of a table's node. The one used last is kept.
func (p *packer) writer(table int32) *tableWriter {
	if p.written == nil || p.written.node != table {
		p.written = &tableWriter{node: table, md: p.md, grid: p.md.Nodes[table].Block.Table}
	}
	return p.written
}

func (w *tableWriter) html() *markdown.Extractor {
	if w.extractor == nil {
		w.extractor = w.md.Extractor(w.md.Nodes[w.node].Block)
	}
	return w.extractor
}

// hasSpans tells whether cells of the table's body cover several rows.
func (w *tableWriter) hasSpans() bool {
	if w.spans == nil {
		spans := slices.ContainsFunc(w.grid.Cells, func(c doc.Cell) bool { return c.RowSpan > 1 && c.Row+c.RowSpan > w.grid.HeaderRows+1 })
		w.spans = &spans
	}
	return *w.spans
}

// sentences writes rows as "header: value; header: value." lines, which are closer to language than tables are.
// A cell that covers several rows is said in each of them.
func (w *tableWriter) sentences(from, to int) string {
	if w.labels == nil {
		w.labels = columnLabels(w.grid)
		w.index()
	}
	from, to = max(from, w.grid.HeaderRows), min(to, w.grid.Rows-1)
	if from > to {
		return ""
	}
	rows := make([][]string, to-from+1)
	for _, c := range w.cells[w.top[from]:] {
		if c.Row > to {
			break
		}
		text := plainText(c)
		if text == "" || c.Row+c.Height() <= from {
			continue
		}
		if c.Column < len(w.labels) && w.labels[c.Column] != "" {
			text = w.labels[c.Column] + ": " + text
		}
		for r := max(c.Row, from); r < min(c.Row+c.Height(), to+1); r++ {
			rows[r-from] = append(rows[r-from], text)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		if len(row) > 0 {
			b.WriteString(strings.Join(row, "; "))
			b.WriteString(";\n")
		}
	}
	return b.String()
}

// index brings the cells in the order of their rows, and notes where those begin that reach into a row.
func (w *tableWriter) index() {
	g := w.grid
	for i := range g.Cells {
		if c := &g.Cells[i]; !c.Hidden && c.Row+c.Height() > g.HeaderRows {
			w.cells = append(w.cells, c)
		}
	}
	sort.SliceStable(w.cells, func(i, j int) bool { return w.cells[i].Row < w.cells[j].Row })
	w.top = make([]int, g.Rows+1)
	next, top, until := 0, 0, 0 // cells from top on reach as far as until
	for row := range w.top {
		if row >= until {
			top = next
		}
		w.top[row] = top
		for ; next < len(w.cells) && w.cells[next].Row <= row; next++ {
			if c := w.cells[next]; c.Height() > 1 {
				until = max(until, c.Row+c.Height())
			}
		}
	}
}

func plainText(c *doc.Cell) string { return strings.Join(strings.Fields(c.PlainText()), " ") }

// columnLabels joins the header rows over each column.
func columnLabels(g *doc.Grid) []string {
	labels := make([]string, g.Columns)
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Row >= g.HeaderRows || c.Hidden {
			continue
		}
		text := plainText(c)
		if text == "" {
			continue
		}
		for column := c.Column; column < min(c.Column+c.Width(), g.Columns); column++ {
			if labels[column] != "" {
				labels[column] += " / "
			}
			labels[column] += text
		}
	}
	return labels
}
