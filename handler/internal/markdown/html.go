package markdown

import (
	"strings"

	"decant/handler/internal/doc"
)

// html writes a table with tags, one line a row. No line is empty: an empty line would end the HTML block (CommonMark 4.6).
func (r *renderer) html(b *doc.Block, v *view) {
	next := 0
	n := -1
	if v.header > 0 {
		n = r.open(HeaderNode, b)
	}
	r.raw("<table>")
	r.newline()
	if v.header > 0 {
		r.raw("<thead>")
		r.newline()
		for row := range v.header {
			r.htmlRow(b, v, row, v.rowCells(&next, row))
			r.newline()
		}
		r.raw("</thead>")
		if v.header < len(v.rows) {
			r.newline()
			r.raw("<tbody>")
		}
		r.close(n)
		r.newline()
	}
	for row := v.header; row < len(v.rows); row++ {
		n := r.open(RowNode, b)
		r.nodes[n].Row = int32(v.rows[row])
		r.htmlRow(b, v, row, v.rowCells(&next, row))
		r.close(n)
		r.newline()
	}
	if v.header > 0 && v.header < len(v.rows) {
		r.raw("</tbody>")
		r.newline()
	}
	r.raw("</table>")
}

func (r *renderer) htmlRow(b *doc.Block, v *view, row int, cells []placed) {
	r.raw("<tr>")
	column := 0
	for i := range cells {
		// A grid position that no cell covers gets an empty cell.
		r.htmlEmpty(v, row, column, cells[i].column)
		r.htmlCell(b, v, &cells[i], row)
		column = cells[i].column + cells[i].width
	}
	r.htmlEmpty(v, row, column, len(v.columns))
	r.raw("</tr>")
	v.shade(row, cells)
}

func (r *renderer) htmlEmpty(v *view, row, from, to int) {
	for column := from; column < to; column++ {
		if v.shaded == nil || v.shaded[column] <= row {
			r.raw("<td></td>")
		}
	}
}

// shade notes which columns the cells of this row cover in the rows below.
func (v *view) shade(row int, cells []placed) {
	for i := range cells {
		p := &cells[i]
		if p.height == 1 {
			continue
		}
		if v.shaded == nil {
			v.shaded = make([]int, len(v.columns))
		}
		for column := p.column; column < p.column+p.width; column++ {
			v.shaded[column] = max(v.shaded[column], row+p.height)
		}
	}
}

func (r *renderer) htmlCell(b *doc.Block, v *view, p *placed, row int) {
	tag := "td"
	if p.cell.Header || row < v.header {
		tag = "th"
	}
	r.raw("<" + tag)
	if p.height > 1 {
		r.raw(` rowspan="` + itoa(p.height) + `"`)
	}
	if p.width > 1 {
		r.raw(` colspan="` + itoa(p.width) + `"`)
	}
	if p.cell.Align == "right" || p.cell.Align == "center" {
		r.raw(` align="` + p.cell.Align + `"`)
	}
	r.raw(">")
	n := r.open(CellNode, b)
	r.nodes[n].Row, r.nodes[n].Cell = int32(v.rows[row]), p.cell
	r.htmlBlocks(p.cell.Blocks)
	r.close(n)
	r.raw("</" + tag + ">")
}

// htmlBlocks writes blocks inside a cell. Paragraphs are only divided by <br>.
func (r *renderer) htmlBlocks(blocks []doc.Block) {
	text := false // the last thing written is a paragraph, or nested too deeply
	for i := range blocks {
		b := &blocks[i]
		if !r.shows(b) {
			continue
		}
		isText := b.Kind == doc.Paragraph || b.Kind == doc.Term || r.depth >= maxDepth
		if text && isText {
			r.raw("<br>")
		}
		text = isText
		r.htmlBlock(b)
	}
}

func (r *renderer) htmlBlock(b *doc.Block) {
	if r.depth >= maxDepth {
		r.htmlFlattened(b)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	n := r.open(BlockNode, b)
	switch b.Kind {
	case doc.Heading:
		tag := "h" + itoa(min(max(b.Level, 1), 6))
		r.raw("<" + tag + ">")
		r.htmlNumber(b)
		r.htmlInlines(b, b.Inlines)
		r.raw("</" + tag + ">")
	case doc.List:
		r.htmlList(b)
	case doc.Table:
		r.htmlCaption(b)
		r.htmlNested(b)
	case doc.Code:
		r.raw("<pre><code>")
		r.block0(b)
		r.entities(b.Text, 0, true)
		r.raw("</code></pre>")
	case doc.Formula:
		r.block0(b)
		r.raw("$$")
		r.entities(strings.Join(strings.Fields(b.Text), " "), 0, false)
		r.raw("$$")
	case doc.Quote:
		r.raw("<blockquote>")
		r.htmlBlocks(b.Children)
		r.raw("</blockquote>")
	case doc.Rule:
		r.raw("<hr>")
	case doc.Figure:
		if b.Image != "" {
			r.htmlPicture(b.Image, "")
		}
		r.htmlCaption(b)
		r.htmlBlocks(b.Children)
	case doc.Group, doc.TOC, doc.Details, doc.Terms, doc.Item:
		r.htmlBlocks(b.Children)
	default:
		r.htmlNumber(b)
		r.htmlInlines(b, b.Inlines)
	}
	r.close(n)
}

// htmlFlattened writes the text of blocks that are nested too deeply, divided by <br>.
func (r *renderer) htmlFlattened(b *doc.Block) {
	first := true
	doc.Walk([]doc.Block{*b}, func(inner *doc.Block) bool {
		if len(inner.Inlines) == 0 && inner.Text == "" && len(inner.Caption) == 0 && inner.Image == "" {
			return true
		}
		if !first {
			r.raw("<br>")
		}
		first = false
		n := r.open(BlockNode, inner)
		if inner.Image != "" {
			r.htmlPicture(inner.Image, "")
		}
		r.htmlCaption(inner)
		if inner.Text != "" {
			r.block0(inner)
			r.entities(inner.Text, 0, false)
		} else {
			r.htmlNumber(inner)
			r.htmlInlines(inner, inner.Inlines)
		}
		r.close(n)
		return true
	})
}

func (r *renderer) htmlNumber(b *doc.Block) {
	if number := strings.TrimSpace(b.Number); number != "" && !strings.HasPrefix(strings.TrimSpace(b.PlainText()), number) {
		r.raw(htmlEscape(number) + " ")
	}
}

func (r *renderer) htmlCaption(b *doc.Block) {
	if len(b.Caption) == 0 {
		return
	}
	r.raw("<p>")
	r.writer.block, r.writer.caption = b, true
	r.offset = 0
	r.htmlRun(b.Caption, 0)
	r.writer.caption = false
	r.blanks = ""
	r.raw("</p>")
}

func (r *renderer) htmlList(b *doc.Block) {
	tag := "ul"
	if b.Ordered {
		tag = "ol"
	}
	r.raw("<" + tag)
	if b.Ordered && b.Start > 1 {
		r.raw(` start="` + itoa(b.Start) + `"`)
	}
	r.raw(">")
	for i := range b.Children {
		item := &b.Children[i]
		n := r.open(BlockNode, item)
		r.raw("<li>")
		if item.Checked != nil {
			r.raw(checkBox(*item.Checked) + " ")
		}
		if label := strings.TrimSpace(item.Number); label != "" && !b.Ordered && !isBullet(label) {
			r.raw(htmlEscape(label) + " ")
		}
		r.htmlBlocks(item.Children)
		r.raw("</li>")
		r.close(n)
	}
	r.raw("</" + tag + ">")
}

// htmlNested writes a table inside a cell, on the same line.
func (r *renderer) htmlNested(b *doc.Block) {
	v := r.look(b.Table)
	next := 0
	r.raw("<table>")
	for row := range v.rows {
		r.htmlRow(b, v, row, v.rowCells(&next, row))
	}
	r.raw("</table>")
}
