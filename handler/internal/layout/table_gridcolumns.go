package layout

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
