package chunk

import "strings"

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
		head = p.head(first.table).caption
	}
	if p.options.TableFormat == "rows" {
		return head + strings.TrimSuffix(p.writer(first.table).sentences(from, to), "\n")
	}
	e := p.writer(first.table).html().Rows(from, to)
	if inContext {
		return e.Rows + e.Tail
	}
	return head + e.Head + e.Rows + e.Tail
}
