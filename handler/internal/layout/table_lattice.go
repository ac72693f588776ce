package layout

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// latticeTables finds tables whose cells have borders, takes their words out of the segments and gives both.
func latticeTables(p *Page, segments []Line, horizontal, vertical []rule) ([]Line, []*table, []doc.Box) {
	var tables []*table
	var boxes []doc.Box // nets that are no tables: frames, drawings
	for _, net := range lattices(horizontal, vertical) {
		if len(net.horizontal) < 2 || len(net.vertical) < 1 {
			continue
		}
		if width(net.box) < 15 || height(net.box) < 8 || len(net.horizontal)+len(net.vertical) > 4000 {
			continue
		}
		rest, words := takeWords(segments, grow(net.box, 1))
		t := net.table(words)
		if t == nil {
			boxes = append(boxes, net.box)
			continue
		}
		segments = rest
		tables = append(tables, t)
	}
	return segments, tables, boxes
}

func grow(b doc.Box, by float64) doc.Box {
	return doc.Box{X0: b.X0 - by, Y0: b.Y0 - by, X1: b.X1 + by, Y1: b.Y1 + by}
}

// cellGap is how near two rules are one border, in points.
const cellGap = 3.0

// table makes a table of the net, or nil when it is none: a frame, a form line, a drawing.
func (net *lattice) table(words []Word) *table {
	xs := distinct(append(positions(net.vertical, cellGap), net.openSides()...), cellGap)
	ys := distinct(append(positions(net.horizontal, cellGap), net.openEnds()...), cellGap)
	if net.struckThrough(words) {
		return nil
	}
	if len(xs) < 2 || len(ys) < 2 || len(xs) > 200 || len(ys) > 2000 {
		return nil
	}
	g := &cellGrid{net: net, xs: xs, ys: ys, softX: map[float64]bool{}, softY: map[float64]bool{}}
	g.fill(words)
	g.splitColumns()
	g.softenColumns()
	g.splitRows()
	t := g.build()
	if !t.plausible() {
		return nil
	}
	t.box = net.box
	t.finish()
	return t
}

// struckThrough tells whether rules run through many words, as they do in charts and never in tables.
func (net *lattice) struckThrough(words []Word) bool {
	struck := 0
	for _, w := range words {
		y, inset := middle(w), 0.2*width(w.Box)
		for _, v := range net.vertical {
			if v.at > w.Box.X0+inset && v.at < w.Box.X1-inset && v.from < y && v.to > y {
				struck++
				break
			}
		}
	}
	return struck*8 > len(words)
}

// openSides gives the ends of the horizontal rules where no vertical rule closes them.
func (net *lattice) openSides() []float64 {
	if len(net.vertical) == 0 {
		return nil
	}
	return []float64{net.box.X0, net.box.X1}
}

func (net *lattice) openEnds() []float64 { return []float64{net.box.Y0, net.box.Y1} }

// cellGrid is the finest grid of a net, before cells without a border between them are put together.
type cellGrid struct {
	net    *lattice
	xs, ys []float64
	words  map[[2]int][]Word
	// soft borders stand where no rule is, but rows or columns of text say so
	softX, softY map[float64]bool
	// parted are pieces of upright borders that have no rule, but text apart on both sides, and a rule in other rows
	parted []rule
}

func (g *cellGrid) fill(words []Word) {
	g.words = map[[2]int][]Word{}
	for _, w := range words {
		key := [2]int{band(g.ys, middle(w)), band(g.xs, (w.Box.X0+w.Box.X1)/2)}
		g.words[key] = append(g.words[key], w)
	}
}

// band gives the interval of edges that x lies in, clamped.
func band(edges []float64, x float64) int {
	for i := 1; i < len(edges)-1; i++ {
		if x < edges[i] {
			return i - 1
		}
	}
	return len(edges) - 2
}

// splitRows divides bands without rules between their rows: where several columns have the same lines.
func (g *cellGrid) splitRows() {
	var extra []float64
	for r := range len(g.ys) - 1 {
		extra = append(extra, g.rowBreaks(r)...)
	}
	if len(extra) == 0 {
		return
	}
	for _, y := range extra {
		g.softY[y] = true
	}
	g.ys = distinct(append(append([]float64{}, g.ys...), extra...), 1)
	g.refill()
}

func (g *cellGrid) refill() {
	var all []Word
	for _, words := range g.words {
		all = append(all, words...)
	}
	sortWords(all)
	g.fill(all)
}

// rowBreaks finds heights between the text lines of a band at which it is really several rows:
// at least three lines, and nearly every line has text in most of the columns that have any.
func (g *cellGrid) rowBreaks(r int) []float64 {
	counts := map[int]int{}
	var all []Word
	for c := range len(g.xs) - 1 {
		words := g.words[[2]int{r, c}]
		if len(words) == 0 {
			continue
		}
		counts[len(linesOf(append([]Word{}, words...)))]++
		all = append(all, words...)
	}
	occupied := 0
	for _, n := range counts {
		occupied += n
	}
	lines := linesOf(all)
	if occupied < 2 || len(lines) < 3 {
		return nil
	}
	if breaks := g.spacedRows(lines); len(breaks) > 0 {
		return breaks
	}
	same := counts[len(lines)] + counts[len(lines)-1]
	if same*10 < occupied*7 || counts[len(lines)] == 0 && occupied > 2 {
		return nil
	}
	if prose(lines, g.xs) || wrapped(lines, g.xs) {
		return nil
	}
	var breaks []float64
	for i := 1; i < len(lines); i++ {
		breaks = append(breaks, lines[i-1].Base+0.25*lines[i-1].Size)
	}
	return breaks
}

// rowSpace is how much more than the usual distance parts the rows of a band, where text of several columns begins anew below it.
const rowSpace = 1.5

// spacedRows finds heights at which space runs through a band and the first column, and another one, begin anew below: rows without rules.
func (g *cellGrid) spacedRows(lines []Line) []float64 {
	var gaps []float64
	for i := 1; i < len(lines); i++ {
		gaps = append(gaps, lines[i].Base-lines[i-1].Base)
	}
	usual := slices.Min(gaps)
	var breaks []float64
	for i := 1; i < len(lines); i++ {
		above, below := g.columnsOf(lines[i-1]), g.columnsOf(lines[i])
		if lines[i].Base-lines[i-1].Base < rowSpace*usual || usual < 0.9*lines[i].Size || !below[0] {
			continue
		}
		if len(below) > 1 && (len(above) > 1 || above[0]) {
			breaks = append(breaks, lines[i-1].Base+0.25*lines[i-1].Size)
		}
	}
	return breaks
}

// columnsOf tells in which columns of the grid a line has words.
func (g *cellGrid) columnsOf(l Line) map[int]bool {
	columns := map[int]bool{}
	for _, w := range l.Words {
		columns[band(g.xs, (w.Box.X0+w.Box.X1)/2)] = true
	}
	return columns
}

// prose tells whether lines fill their columns as running text does.
func prose(lines []Line, xs []float64) bool {
	words, cells := 0, 0
	for _, l := range lines {
		seen := map[int]bool{}
		for _, w := range l.Words {
			if !w.Glued {
				words++
			}
			seen[band(xs, (w.Box.X0+w.Box.X1)/2)] = true
		}
		cells += len(seen)
	}
	return words > 5*cells
}

// wrapped tells whether most of what stands below the first line goes on with a sentence: it begins with a small letter.
func wrapped(lines []Line, xs []float64) bool {
	small, all := 0, 0
	for _, l := range lines[1:] {
		seen := map[int]bool{}
		for _, w := range l.Words {
			column := band(xs, (w.Box.X0+w.Box.X1)/2)
			if seen[column] {
				continue
			}
			seen[column] = true
			all++
			if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLower(r) {
				small++
			}
		}
	}
	return small*2 > all
}

// splitColumns divides what stands between two upright rules, or between the sides of a net that has none inside, where its text
// stands in columns: many tables have an upright rule behind the labels only.
func (g *cellGrid) splitColumns() {
	if len(g.ys) < 3 {
		return
	}
	only := len(g.xs) == 2
	if !only && !g.fullHeight() {
		return
	}
	var extra []float64
	for c := range len(g.xs) - 1 {
		var words []Word
		for r := range len(g.ys) - 1 {
			words = append(words, g.words[[2]int{r, c}]...)
		}
		sortWords(words)
		extra = append(extra, columnBorders(words, only)...)
	}
	if len(extra) == 0 {
		return
	}
	for _, x := range extra {
		g.softX[x] = true
	}
	g.xs = distinct(append(g.xs, extra...), 0.5)
	g.refill()
}

// fullHeight tells whether all upright rules inside run from top to bottom, as those of tables do and the sides of a chart's bars do not.
func (g *cellGrid) fullHeight() bool {
	top, bottom := g.ys[0], g.ys[len(g.ys)-1]
	for _, x := range g.xs[1 : len(g.xs)-1] {
		if !covers(g.net.vertical, x, top, bottom, cellGap) {
			return false
		}
	}
	return true
}

// columnBorders gives the places between columns of words. Between upright rules they must be surer: figures, and several in most lines.
func columnBorders(words []Word, only bool) []float64 {
	lines := cellLines(words)
	if len(lines) < 3 {
		return nil
	}
	columns := corridors(lines)
	if !only {
		columns = usedColumns(lines, columns)
	}
	if len(columns) < 2 || !tableRows(lines, columns, true) || !only && !figureColumns(lines, columns) {
		return nil
	}
	var borders []float64
	for i := 1; i < len(columns); i++ {
		borders = append(borders, (columns[i-1].to+columns[i].from)/2)
	}
	return borders
}

// usedColumns leaves out columns in which few runs begin: what stands there is the end of a wide one.
func usedColumns(runs []Line, columns []span) []span {
	begin := make([]int, len(columns))
	for _, r := range runs {
		if first, _ := reach(columns, r); first >= 0 {
			begin[first]++
		}
	}
	rows := countRows(runs)
	var used []span
	for i, c := range columns {
		if begin[i]*2 >= rows {
			used = append(used, c)
		}
	}
	return used
}

// figureColumns tells whether nearly all rows have something in nearly all columns, and most of it is figures.
func figureColumns(runs []Line, columns []span) bool {
	rows := textRows(runs)
	full, figures := 0, 0
	for _, row := range rows {
		if len(row)*4 >= len(columns)*3 {
			full++
		}
		for _, r := range row {
			if isFigure(lineText(r)) {
				figures++
			}
		}
	}
	return len(rows) >= 3 && full*5 >= len(rows)*4 && figures*2 >= len(runs)
}

// softenColumns makes borders of the upright rules' places where most rows have text apart on both sides,
// because many tables draw upright rules in the header only.
func (g *cellGrid) softenColumns() {
	for c := range len(g.xs) - 2 {
		x := g.xs[c+1]
		apart, together, ruled := 0, 0, 0
		var parted []rule
		for r := range len(g.ys) - 1 {
			switch {
			case covers(g.net.vertical, x, g.ys[r], g.ys[r+1], cellGap):
				ruled++
			case g.crossed(r, x):
				together++
			case len(g.words[[2]int{r, c}]) > 0 && len(g.words[[2]int{r, c + 1}]) > 0:
				apart++
				parted = append(parted, rule{at: x, from: g.ys[r], to: g.ys[r+1]})
			}
		}
		switch {
		case apart >= 2 && apart > 2*together:
			g.softX[x] = true
		case ruled >= 2:
			g.parted = append(g.parted, parted...)
		}
	}
}

func (g *cellGrid) rightBorder(r, c int) bool {
	x := g.xs[c+1]
	return g.softX[x] && !g.crossed(r, x) || covers(g.net.vertical, x, g.ys[r], g.ys[r+1], cellGap) || covers(g.parted, x, g.ys[r], g.ys[r+1], 0.1)
}

// crossed tells whether a word or a run of words stands across x in a band.
func (g *cellGrid) crossed(r int, x float64) bool {
	var all []Word
	for c := range len(g.xs) - 1 {
		all = append(all, g.words[[2]int{r, c}]...)
	}
	for _, l := range cellLines(all) {
		if l.Box.X0 < x-1 && l.Box.X1 > x+1 {
			return true
		}
	}
	return false
}

func (g *cellGrid) bottomBorder(r, c int) bool {
	y := g.ys[r+1]
	if g.softY[y] {
		return true
	}
	return covers(g.net.horizontal, y, g.xs[c], g.xs[c+1], cellGap)
}

// build puts grid positions without a border between them together.
func (g *cellGrid) build() *table {
	rows, columns := len(g.ys)-1, len(g.xs)-1
	t := &table{rows: rows, columns: columns}
	done := make([]bool, rows*columns)
	for r := range rows {
		for c := range columns {
			if done[r*columns+c] {
				continue
			}
			w, h := g.extent(r, c, done)
			cell := tableCell{row: r, column: c, rowSpan: h, colSpan: w}
			var words []Word
			for i := r; i < r+h; i++ {
				for j := c; j < c+w; j++ {
					done[i*columns+j] = true
					words = append(words, g.words[[2]int{i, j}]...)
				}
			}
			cell.lines = linesOf(words)
			t.cells = append(t.cells, cell)
		}
	}
	t.squeeze()
	return t
}

// extent grows a cell to the right and down as long as no border stops it and it stays a rectangle.
func (g *cellGrid) extent(r, c int, done []bool) (w, h int) {
	rows, columns := len(g.ys)-1, len(g.xs)-1
	w, h = 1, 1
	for c+w < columns && !g.rightBorder(r, c+w-1) && !done[r*columns+c+w] {
		w++
	}
	for r+h < rows {
		for j := c; j < c+w; j++ {
			if g.bottomBorder(r+h-1, j) || done[(r+h)*columns+j] {
				return w, h
			}
			if j > c && g.rightBorder(r+h, j-1) {
				return w, h
			}
		}
		h++
	}
	return w, h
}

// squeeze takes out rows and columns in which no cell begins: they come from rules that are drawn twice or lie beside each other.
func (t *table) squeeze() {
	rowUsed, columnUsed := make([]bool, t.rows), make([]bool, t.columns)
	for _, c := range t.cells {
		rowUsed[c.row], columnUsed[c.column] = true, true
	}
	newRow, rows := renumber(rowUsed)
	newColumn, columns := renumber(columnUsed)
	for i := range t.cells {
		c := &t.cells[i]
		endRow, endColumn := newRow[c.row+c.rowSpan], newColumn[c.column+c.colSpan]
		c.row, c.column = newRow[c.row], newColumn[c.column]
		c.rowSpan, c.colSpan = endRow-c.row, endColumn-c.column
	}
	t.rows, t.columns = rows, columns
}

// renumber gives for each old index, and for the end, how many used ones stand before it.
func renumber(used []bool) ([]int, int) {
	index := make([]int, len(used)+1)
	n := 0
	for i, u := range used {
		index[i] = n
		if u {
			n++
		}
	}
	index[len(used)] = n
	return index, n
}

// plausible tells whether the cells make a table: enough of them have text, and there is more than a frame around text.
func (t *table) plausible() bool {
	filled, text := 0, 0
	for i := range t.cells {
		if n := len(t.cells[i].text()); n > 0 {
			filled++
			text += n
		}
	}
	switch {
	case filled < 2 || t.rows*t.columns < 2:
		return false
	case t.columns == 1:
		return t.rows >= 3 && filled >= 3
	case t.rows == 1:
		return filled >= 2 && text/filled < 200
	}
	if len(t.cells) == t.rows*t.columns {
		return filled*4 >= len(t.cells)
	}
	spanned := 0
	for i := range t.cells {
		if t.cells[i].rowSpan > 1 || t.cells[i].colSpan > 1 {
			spanned++
		}
	}
	if spanned*2 > len(t.cells) && filled*10 < len(t.cells)*8 {
		return false
	}
	return filled*2 >= len(t.cells)
}
