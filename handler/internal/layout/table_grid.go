package layout

import "slices"

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

func (g *cellGrid) refill() {
	var all []Word
	for _, words := range g.words {
		all = append(all, words...)
	}
	sortWords(all)
	g.fill(all)
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
			if w == 1 && g.labelsRows(r, c, h) {
				h = 1
			}
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

// labelledRows is from how many rows on a cell over all of them may be their labels, set without rules between.
const labelledRows = 4

// labelsRows tells whether the text of a cell over h rows is a label for each: a line in nearly every row, on the base line of what stands beside it.
func (g *cellGrid) labelsRows(r, c, h int) bool {
	for ; r > 0 && !g.bottomBorder(r-1, c); r-- {
		h++ // rows above that were found to be labelled
	}
	if h < labelledRows {
		return false
	}
	level := 0
	for i := r; i < r+h; i++ {
		own := linesOf(slices.Clone(g.words[[2]int{i, c}]))
		if len(own) == 1 && g.beside(i, c, own[0].Base) {
			level++
		}
	}
	return level*5 >= h*4
}

// beside tells whether another column of a row has a word on the base line.
func (g *cellGrid) beside(r, c int, base float64) bool {
	for k := range len(g.xs) - 1 {
		if k != c && slices.ContainsFunc(g.words[[2]int{r, k}], func(w Word) bool { return abs(w.Base-base) < 1 }) {
			return true
		}
	}
	return false
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
