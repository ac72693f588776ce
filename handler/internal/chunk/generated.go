package chunk

import (
	"strings"

	"decant/handler/internal/doc"
)

// Most bodies are bytes of document.md. Some are written anew from the model: tables when Options.TableFormat asks for another form,
// and rows whose spans were cut by a chunk's border.

// isGenerated tells whether a piece is written anew.
func (p *packer) isGenerated(x *piece) bool {
	switch x.kind {
	case tablePiece:
		return p.options.TableFormat != "markdown" && !x.leaf
	case rowPiece:
		return !x.partial && (p.options.TableFormat != "markdown" || x.spanned)
	}
	return false
}

// hasGenerated tells whether a draft has a piece that is written anew.
func (p *packer) hasGenerated(pieces []piece) bool {
	for i := range pieces {
		if p.isGenerated(&pieces[i]) {
			return true
		}
	}
	return false
}

// generate writes the body of a draft piece by piece; neighbours that are bytes of document.md keep what is between them.
func (p *packer) generate(from int, pieces []piece) string {
	var b strings.Builder
	for i := 0; i < len(pieces); {
		x := &pieces[i]
		end := i + 1
		if i > 0 {
			b.WriteString("\n\n")
		}
		if p.isGenerated(x) {
			for x.kind == rowPiece && end < len(pieces) && pieces[end].table == x.table && p.isGenerated(&pieces[end]) {
				end++
			}
			b.WriteString(p.generateRows(x, &pieces[end-1]))
		} else {
			for end < len(pieces) && !p.isGenerated(&pieces[end]) {
				end++
			}
			start := x.start
			if i == 0 {
				start = from
			}
			b.WriteString(p.text[start:pieces[end-1].end])
		}
		i = end
	}
	return b.String()
}

// generateRows writes a table, or its rows from one piece to another. The head is left out where it stands in the
// chunk's context or in a piece before.
func (p *packer) generateRows(first, last *piece) string {
	t := &p.md.Nodes[first.table]
	from, to := 0, t.Block.Table.Rows-1
	inContext := false
	if first.kind == rowPiece {
		from, to = int(first.row)-1, int(last.lastRow)-1
		inContext = first.start > t.Start
	}
	head := ""
	if !inContext {
		if caption, _, _ := p.tableHead(first.table); caption != "" {
			head = caption
		}
	}
	if p.options.TableFormat == "rows" {
		return head + strings.TrimSuffix(sentences(t.Block.Table, from, to), "\n")
	}
	e := p.md.Extract(t.Block, from, to)
	if inContext {
		return e.Rows + e.Tail
	}
	return head + e.Head + e.Rows + e.Tail
}

// sentences writes rows as "header: value; header: value." lines, which are closer to language than tables are.
// A cell that covers several rows is said in each of them.
func sentences(g *doc.Grid, from, to int) string {
	labels := columnLabels(g)
	rows := make([][]string, max(0, to-from+1))
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Hidden {
			continue
		}
		text := strings.Join(strings.Fields(c.PlainText()), " ")
		if text == "" {
			continue
		}
		if c.Column < len(labels) && labels[c.Column] != "" {
			text = labels[c.Column] + ": " + text
		}
		for r := max(c.Row, from, g.HeaderRows); r < min(c.Row+c.Height(), to+1); r++ {
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

// columnLabels joins the header rows over each column.
func columnLabels(g *doc.Grid) []string {
	labels := make([]string, g.Columns)
	for i := range g.Cells {
		c := &g.Cells[i]
		text := strings.Join(strings.Fields(c.PlainText()), " ")
		if c.Row >= g.HeaderRows || text == "" || c.Hidden {
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
