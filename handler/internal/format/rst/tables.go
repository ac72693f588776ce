package rst

import (
	"strconv"
	"strings"
)

// gridTable reads a table drawn with +, - and |. A cell reaches from corner to corner: its right and lower edges are followed.
func (p *parser) gridTable() {
	var grid [][]rune
	width := 0
	for p.More() && p.Line() != "" && strings.ContainsAny(p.Line()[:1], "+|") {
		line := []rune(p.Line())
		grid = append(grid, line)
		width = max(width, len(line))
		p.At++
	}
	for i := range grid {
		for len(grid[i]) < width {
			grid[i] = append(grid[i], ' ')
		}
	}
	g := gridReader{grid: grid, p: p}
	p.out.WriteString(g.html())
}

// gridReader finds the cells of a drawn table.
type gridReader struct {
	grid [][]rune
	p    *parser
}

// rulesAt gives the rows and columns of characters in which a line of the table runs.
func (g *gridReader) rulesAt() (rows, columns []int, header int) {
	header = -1
	isColumn := map[int]bool{}
	for y, line := range g.grid {
		text := string(line)
		if strings.Contains(text, "+-") || strings.Contains(text, "+=") {
			rows = append(rows, y)
			if strings.Contains(text, "+=") {
				header = y
			}
			for x, r := range line {
				if r == '+' {
					isColumn[x] = true
				}
			}
		}
	}
	if len(g.grid) > 0 {
		for x := range g.grid[0] {
			if isColumn[x] {
				columns = append(columns, x)
			}
		}
	}
	return rows, columns, header
}

// maxGrid bounds the lines and columns of a drawn table.
const maxGrid = 2000

func (g *gridReader) html() string {
	rows, columns, header := g.rulesAt()
	if len(rows) < 2 || len(columns) < 2 || len(rows) > maxGrid || len(columns) > maxGrid {
		var lines []string
		for _, line := range g.grid {
			lines = append(lines, string(line))
		}
		return "<pre>" + strings.Join(lines, "\n") + "</pre>"
	}
	done := map[[2]int]bool{}
	var b strings.Builder
	b.WriteString(`<table role="table">`)
	for i := 0; i+1 < len(rows); i++ {
		b.WriteString("<tr>")
		for j := 0; j+1 < len(columns); j++ {
			if done[[2]int{i, j}] {
				continue
			}
			right, lower := g.extent(rows, columns, i, j)
			for y := i; y < lower; y++ {
				for x := j; x < right; x++ {
					done[[2]int{y, x}] = true
				}
			}
			b.WriteString(g.cell(rows, columns, i, j, lower, right, header > rows[i]))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>\n")
	return b.String()
}

// extent follows the upper edge to the right while no line comes down, and the left edge down while no line goes right.
func (g *gridReader) extent(rows, columns []int, i, j int) (right, lower int) {
	for right = j + 1; right < len(columns)-1; right++ {
		if c := g.grid[min(rows[i]+1, len(g.grid)-1)][columns[right]]; c == '|' || c == '+' {
			break
		}
	}
	for lower = i + 1; lower < len(rows)-1; lower++ {
		if c := g.grid[rows[lower]][columns[j]+1]; c == '-' || c == '=' || c == '+' {
			break
		}
	}
	return right, lower
}

func (g *gridReader) cell(rows, columns []int, i, j, lower, right int, header bool) string {
	var lines []string
	for y := rows[i] + 1; y < rows[lower]; y++ {
		lines = append(lines, strings.TrimRight(string(g.grid[y][columns[j]+1:columns[right]]), " "))
	}
	tag := "td"
	if header {
		tag = "th"
	}
	out := "<" + tag
	if right-j > 1 {
		out += ` colspan="` + strconv.Itoa(right-j) + `"`
	}
	if lower-i > 1 {
		out += ` rowspan="` + strconv.Itoa(lower-i) + `"`
	}
	return out + ">" + g.p.sub(dedent(lines)) + "</" + tag + ">"
}

// spanned is a cell of a simple table with the number of columns it covers.
type spanned struct {
	text string
	span int
}

// simpleTable reads a table whose columns are marked by runs of "=". A row with an empty first column continues the row before; a
// line of dashes under a row joins the columns that a run of them covers.
func (p *parser) simpleTable() {
	border := p.Line()
	starts := runStarts(border, '=')
	p.At++
	var rows [][]spanned
	header, rulesSeen, last := 0, 0, ""
	for p.More() {
		line := p.Line()
		p.At++
		switch {
		case line == border || simpleLine.MatchString(line):
			rulesSeen++
			if rulesSeen == 1 && p.More() && p.Line() != "" {
				header = len(rows)
				continue
			}
			if rulesSeen >= 1 && (!p.More() || p.Line() == "" || rulesSeen == 2) {
				p.writeSimple(rows, header)
				return
			}
		case line == "":
			last = ""
		case strings.Trim(line, "- ") == "":
			if len(rows) > 0 && last != "" {
				rows[len(rows)-1] = joined(cutColumns(last, runStarts(line, '-')), runStarts(line, '-'), starts)
			}
			last = ""
		default:
			cells := cutColumns(line, starts)
			if n := len(rows); n > 0 && cells[0] == "" && len(rows[n-1]) == len(cells) {
				for i, cell := range cells {
					if cell != "" {
						rows[n-1][i].text = strings.TrimSpace(rows[n-1][i].text + "\n" + cell)
					}
				}
				last = ""
				continue
			}
			rows, last = append(rows, joined(cells, starts, starts)), line
		}
	}
	p.writeSimple(rows, header)
}

// joined gives the cells that begin at some of the columns' starts, each with how many columns begin before the next.
func joined(cells []string, at, starts []int) []spanned {
	row := make([]spanned, len(cells))
	for i, text := range cells {
		row[i].text = text
		for _, start := range starts {
			if start >= at[i] && (i+1 == len(at) || start < at[i+1]) {
				row[i].span++
			}
		}
	}
	return row
}

func (p *parser) writeSimple(rows [][]spanned, header int) {
	p.out.WriteString(`<table role="table">`)
	for i, row := range rows {
		tag := "td"
		if i < header {
			tag = "th"
		}
		p.out.WriteString("<tr>")
		for _, cell := range row {
			p.out.WriteString("<" + tag)
			if cell.span > 1 {
				p.out.WriteString(` colspan="` + strconv.Itoa(cell.span) + `"`)
			}
			p.out.WriteString(">" + p.inline(cell.text) + "</" + tag + ">")
		}
		p.out.WriteString("</tr>")
	}
	p.out.WriteString("</table>\n")
}

// runStarts are the places where runs of a character begin.
func runStarts(line string, c byte) []int {
	var starts []int
	for i := range line {
		if line[i] == c && (i == 0 || line[i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	return starts
}

func cutColumns(line string, starts []int) []string {
	runes := []rune(line)
	cells := make([]string, len(starts))
	for i, start := range starts {
		end := len(runes)
		if i+1 < len(starts) {
			end = min(end, starts[i+1])
		}
		if start < end {
			cells[i] = strings.TrimSpace(string(runes[start:end]))
		}
	}
	return cells
}
