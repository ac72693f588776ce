package asciidoc

import (
	"html"
	"slices"
	"strings"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

var (
	cellMark = lazyregexp.New(`(?:(?:^|\s)((?:(\d+)\*|(?:(\d+))?(?:\.(\d+))?\+)?[<^>.]{0,3}[aehlmdsv]?))?\|`)
	colsSpec = lazyregexp.New(`cols="?([^"\]]*)"?`)
	repeated = lazyregexp.New(`^(\d+)\*`)
)

// cell is one cell as written.
type cell struct {
	text             string
	colSpan, rowSpan int
	style            string
}

// table reads cells up to the closing line. Columns come from cols, or from how many cells the first line has.
func (p *parser) table(end, style string) {
	lines := p.until(end)
	list, columns, ok := p.barCells(lines)
	if comma := separator(end, style); comma != 0 {
		list, columns, ok = p.valueCells(lines, comma)
	}
	if !ok || columnCount(style) > maxColumns {
		p.code(lines, "")
		return
	}
	if n := columnCount(style); n > 0 {
		columns = n
	}
	header := strings.Contains(style, "header") || firstLineAlone(lines) && !strings.Contains(style, "noheader")
	p.out.WriteString(`<table role="table">`)
	if title := p.takeTitle(); title != "" {
		p.out.WriteString("<caption>" + p.inline(title) + "</caption>")
	}
	p.rows(list, max(columns, 1), header, columnStyles(style))
	p.out.WriteString("</table>\n")
}

// maxMade is how many cells the tables of a document may have that are repeated or filled in, not written. maxColumns is how many
// columns a table may say that it has.
const (
	maxMade    = 100_000
	maxColumns = 10_000
)

// barCells reads cells that begin with bars, and how many the first line has. It is false when too many are repeated.
func (p *parser) barCells(lines []string) (list []cell, columns int, ok bool) {
	var more []string // lines that go on with the last cell
	whole := func() {
		if n := len(list); n > 0 {
			list[n-1].text += strings.Join(more, "")
		}
		more = more[:0]
	}
	defer whole()
	for _, line := range lines {
		if line == "" {
			more = append(more, "\n")
			continue
		}
		found, ok := p.cellsOf(line)
		if !ok {
			return nil, 0, false
		}
		if len(found) == 0 {
			more = append(more, "\n", line)
			continue
		}
		whole()
		if columns == 0 {
			for _, c := range found {
				columns += max(1, c.colSpan)
			}
		}
		list = append(list, found...)
	}
	return list, columns, true
}

// firstLineAlone tells whether a blank line follows the first row and none stands before it: the row is a header.
func firstLineAlone(lines []string) bool {
	return len(lines) > 2 && lines[0] != "" && lines[1] == ""
}

func columnCount(style string) int {
	m := colsSpec.FindStringSubmatch(style)
	if m == nil {
		return 0
	}
	n := 0
	for _, part := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' }) {
		if r := repeated.FindStringSubmatch(strings.TrimSpace(part)); r != nil {
			n += min(atoi(r[1]), 1000)
		} else {
			n++
		}
	}
	return n
}

// cellsOf cuts a line at its bars, with the marks in front of them.
func (p *parser) cellsOf(line string) (list []cell, ok bool) {
	line = strings.ReplaceAll(line, `\|`, "\x00")
	marks := cellMark.FindAllStringSubmatchIndex(line, -1)
	for i, m := range marks {
		end := len(line)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		c := cell{text: strings.ReplaceAll(strings.TrimSpace(line[m[1]:end]), "\x00", "|")}
		if m[2] >= 0 {
			c.style = line[m[2]:m[3]]
		}
		group := func(n int) int {
			if m[2*n] < 0 {
				return 0
			}
			return min(atoi(line[m[2*n]:m[2*n+1]]), 1000)
		}
		c.colSpan, c.rowSpan = group(3), group(4)
		list = append(list, c)
		if n := group(2); n > 1 {
			if !p.cells.Take(n - 1) {
				return nil, false
			}
			list = append(list, slices.Repeat([]cell{c}, n-1)...)
		}
	}
	return list, true
}

func (p *parser) rows(list []cell, columns int, header bool, styles []string) {
	busy := make([]int, columns) // how many further rows a column is covered from above
	for row := 0; len(list) > 0; row++ {
		p.out.WriteString("<tr>")
		column := 0
		for column < columns && len(list) > 0 {
			if busy[column] > 0 {
				busy[column]--
				column++
				continue
			}
			c := list[0]
			list = list[1:]
			if c.style == "" && column < len(styles) && !(header && row == 0) {
				c.style = styles[column]
			}
			width := min(max(c.colSpan, 1), columns-column)
			for x := column; x < column+width; x++ {
				busy[x] = max(c.rowSpan-1, 0)
			}
			p.cell(c, header && row == 0, width)
			column += width
		}
		for ; column < columns; column++ {
			busy[column] = max(busy[column]-1, 0)
		}
		p.out.WriteString("</tr>\n")
	}
}

func (p *parser) cell(c cell, header bool, width int) {
	tag := "td"
	if header || strings.HasSuffix(c.style, "h") {
		tag = "th"
	}
	p.out.WriteString("<" + tag)
	if width > 1 {
		p.out.WriteString(` colspan="` + itoa(width) + `"`)
	}
	if c.rowSpan > 1 {
		p.out.WriteString(` rowspan="` + itoa(c.rowSpan) + `"`)
	}
	p.out.WriteString(">")
	switch {
	case strings.HasSuffix(c.style, "a") && p.depth < maxDepth:
		inner := &parser{Cursor: markup.Cursor{Lines: strings.Split(c.text, "\n")}, attributes: p.attributes, replaced: p.replaced, cells: p.cells, depth: p.depth + 1}
		inner.blocks("")
		p.out.WriteString(inner.out.String())
	case strings.HasSuffix(c.style, "l"):
		p.out.WriteString("<pre>" + html.EscapeString(c.text) + "</pre>")
	default:
		for _, part := range strings.Split(strings.TrimSpace(c.text), "\n\n") {
			p.out.WriteString("<p>" + p.inline(part) + "</p>")
		}
	}
	p.out.WriteString("</" + tag + ">")
}
