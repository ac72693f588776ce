package layout

import (
	"slices"

	"decant/handler/internal/doc"
)

// span is an interval from left to right.
type span struct{ from, to float64 }

// cellWordGap is the widest gap within a cell, in ems.
const cellWordGap = 0.62

// cellLines puts words into lines and cuts these at the gaps between cells: one Line for each run of words.
func cellLines(words []Word) []Line {
	var runs []Line
	for _, l := range linesOf(words) {
		var open []Word
		for _, w := range l.Words {
			if len(open) > 0 && w.Box.X0-open[len(open)-1].Box.X1 > cellWordGap*max(w.Style.Size, 1) {
				runs = append(runs, newLine(open))
				open = nil
			}
			open = append(open, w)
		}
		if len(open) > 0 {
			runs = append(runs, newLine(open))
		}
	}
	return runs
}

func sortWords(words []Word) {
	slices.SortStableFunc(words, func(a, b Word) int {
		if c := compare(a.Base, b.Base); c != 0 {
			return c
		}
		return compare(a.Box.X0, b.Box.X0)
	})
}

// corridors gives the columns between upright strips that (nearly) no run of words covers.
func corridors(runs []Line) []span {
	rows := countRows(runs)
	allowed := 0
	if rows >= 5 {
		allowed = max(1, rows/7)
	}
	type edge struct {
		x    float64
		step int
	}
	var edges []edge
	for _, r := range runs {
		edges = append(edges, edge{r.Box.X0, 1}, edge{r.Box.X1, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if c := compare(a.x, b.x); c != 0 {
			return c
		}
		return b.step - a.step
	})
	var columns []span
	depth := 0
	for _, e := range edges {
		before := depth
		depth += e.step
		switch {
		case before <= allowed && depth > allowed:
			columns = append(columns, span{from: e.x})
		case before > allowed && depth <= allowed && len(columns) > 0:
			columns[len(columns)-1].to = e.x
		}
	}
	return tidyColumns(columns, runs, allowed)
}

// tidyColumns joins columns that stand closer than a space, and widens them to the runs that lie in them alone.
func tidyColumns(columns []span, runs []Line, allowed int) []span {
	size := medianSize(runs)
	var kept []span
	for _, c := range columns {
		if n := len(kept); n > 0 && c.from-kept[n-1].to < 0.35*size {
			kept[n-1].to = c.to
			continue
		}
		kept = append(kept, c)
	}
	if allowed == 0 {
		return kept
	}
	// Runs outside every column make columns of their own when there are at least two in line.
	for _, r := range runs {
		first, last := reach(kept, r)
		if first == last && first >= 0 {
			kept[first].from, kept[first].to = min(kept[first].from, r.Box.X0), max(kept[first].to, r.Box.X1)
		}
	}
	for i := 1; i < len(kept); i++ {
		if kept[i].from < kept[i-1].to {
			m := (kept[i].from + kept[i-1].to) / 2
			kept[i].from, kept[i-1].to = m, m
		}
	}
	return kept
}

// reach gives the first and last column that a run overlaps by more than a little, or -1.
func reach(columns []span, r Line) (first, last int) {
	first, last = -1, -1
	slack := 0.25 * r.Size
	for i, c := range columns {
		if shared := min(c.to, r.Box.X1) - max(c.from, r.Box.X0); shared > min(slack, 0.5*width(r.Box)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

func medianSize(runs []Line) float64 {
	var sizes []float64
	for _, r := range runs {
		sizes = append(sizes, r.Size)
	}
	return median(sizes)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func countRows(runs []Line) int {
	var bases []float64
	for _, r := range runs {
		bases = append(bases, r.Base)
	}
	return len(distinct(bases, 2))
}

// tableRows tells whether runs in columns look like a table rather than columns of running text.
func tableRows(runs []Line, columns []span, ruled bool) bool {
	rows := textRows(runs)
	several, words, figures := 0, 0, 0
	for _, row := range rows {
		if len(row) > 1 {
			several++
		}
		for _, r := range row {
			words += wordCount(r)
			if isFigure(lineText(r)) {
				figures++
			}
		}
	}
	if several*2 < len(rows) && several < 3 {
		return false
	}
	cells := len(runs)
	switch {
	case ruled && len(columns) == 2:
		return words <= 6*cells && several*3 >= len(rows)
	case ruled:
		return words <= 8*cells
	case len(columns) == 2 && figures*4 < cells && words > 4*cells:
		return false
	}
	return words <= 7*cells
}

func wordCount(l Line) int {
	n := 0
	for _, w := range l.Words {
		if !w.Glued {
			n++
		}
	}
	return max(1, n)
}

func lineText(l Line) string {
	c := tableCell{lines: []Line{l}}
	return c.text()
}

// textRows groups runs by base line, from top to bottom, each from left to right.
func textRows(runs []Line) [][]Line {
	runs = slices.Clone(runs)
	sortLines(runs)
	var rows [][]Line
	base := 0.0
	for _, r := range runs {
		if len(rows) == 0 || r.Base-base > 0.4*max(1, r.Size) {
			rows = append(rows, nil)
			base = r.Base
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], r)
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b Line) int { return compare(a.Box.X0, b.Box.X0) })
	}
	return rows
}

// alignedTable makes a table of words in a box by their alignment; separators are heights of rules across it. Nil when it is none.
func alignedTable(words []Word, separators []rule) *table {
	runs := cellLines(words)
	columns := corridors(bodyRuns(runs, separators))
	if len(columns) < 2 {
		return nil
	}
	rows := logicalRows(textRows(runs), columns, separators)
	if len(rows) < 2 || !tableRows(runs, columns, len(separators) >= 2) {
		return nil
	}
	t := &table{rows: len(rows), columns: len(columns)}
	for i, row := range rows {
		t.addRow(i, row, columns, separators)
		for _, r := range row {
			t.box = union(t.box, r.Box)
		}
	}
	t.spanEmpty()
	return t
}

// bodyRuns leaves out what stands above the second rule when there is much more below: header cells that span columns.
func bodyRuns(runs []Line, separators []rule) []Line {
	if len(separators) < 3 {
		return runs
	}
	var body []Line
	for _, r := range runs {
		if r.Base > separators[1].at {
			body = append(body, r)
		}
	}
	if len(body)*2 < len(runs) || countRows(body) < 3 {
		return runs
	}
	return body
}

// logicalRows puts text lines together that are one row: cells of several lines.
func logicalRows(lines [][]Line, columns []span, separators []rule) [][]Line {
	if len(lines) == 0 {
		return nil
	}
	p := pitchesOf(lines)
	p.single = singleLineRows(lines, columns)
	p.dense = denseRules(lines, separators)
	head := headerLines(lines, columns, separators)
	var rows [][]Line
	for i, line := range lines {
		switch {
		case i == 0:
			rows = append(rows, slices.Clone(line))
		case i < head:
			rows[0] = append(rows[0], line...)
		case ruleBetween(separators, lines[i-1], line):
			rows = append(rows, slices.Clone(line))
		case figuresMeet(rows[len(rows)-1], line, columns):
			rows = append(rows, slices.Clone(line))
		case p.dense || p.continues(lines, i, columns):
			rows[len(rows)-1] = append(rows[len(rows)-1], line...)
		default:
			rows = append(rows, slices.Clone(line))
		}
	}
	return rows
}

// figuresMeet tells whether a text line has figures in columns where the row above has figures too: a figure is not divided over two lines.
func figuresMeet(row, line []Line, columns []span) bool {
	above := map[int]bool{}
	for _, r := range row {
		if first, last := reach(columns, r); first == last && isFigure(lineText(r)) {
			above[first] = true
		}
	}
	meet, figures := 0, 0
	for _, r := range line {
		if !isFigure(lineText(r)) {
			continue
		}
		figures++
		if first, last := reach(columns, r); first == last && above[first] {
			meet++
		}
	}
	return meet >= 2 && meet*2 >= figures
}

// headerLines is how many text lines stand above the first inner rule when they are one row: close together, none over several columns.
func headerLines(lines [][]Line, columns []span, separators []rule) int {
	if len(separators) < 3 {
		return 0
	}
	n := 0
	for n < len(lines) && lines[n][0].Base < separators[1].at {
		for _, r := range lines[n] {
			if first, last := reach(columns, r); first != last {
				return 0
			}
		}
		if n > 0 && lines[n][0].Base-lines[n-1][0].Base > 1.6*lines[n][0].Size {
			return 0
		}
		n++
	}
	if n > 7 || n*2 > len(lines) && n > 3 {
		return 0
	}
	return n
}

// denseRules tells whether rules divide nearly all rows, so that nothing else does.
func denseRules(lines [][]Line, separators []rule) bool {
	heights := len(positions(separators, 2))
	return heights >= 5 && heights*3 >= len(lines)
}

// pitches are the distances between text lines of a table.
type pitches struct {
	low, usual float64 // of close lines, and the median
	tight      float64 // share of distances that are low
	single     bool    // most lines fill most columns
	dense      bool    // rules divide the rows
}

// samePitch is how much more than the low distance still is the distance of lines in one cell: cells are set evenly.
const samePitch = 1.06

func pitchesOf(lines [][]Line) pitches {
	var list []float64
	for i := 1; i < len(lines); i++ {
		list = append(list, lines[i][0].Base-lines[i-1][0].Base)
	}
	if len(list) == 0 {
		return pitches{}
	}
	slices.Sort(list)
	p := pitches{low: list[len(list)/5], usual: list[len(list)/2]}
	low := 0
	for _, d := range list {
		if d <= samePitch*p.low {
			low++
		}
	}
	p.tight = float64(low) / float64(len(list))
	return p
}

// continues tells whether text line i goes on with the cells of the line before.
func (p pitches) continues(lines [][]Line, i int, columns []span) bool {
	line := lines[i]
	gap := line[0].Base - lines[i-1][0].Base
	close := gap < 1.4*max(line[0].Size, lines[i-1][0].Size)
	if p.single {
		// Rows of one line each: one that stands much nearer than usual goes on.
		if close && gap < 0.88*p.usual {
			return true
		}
		first, _ := reach(columns, line[0])
		return len(line) == 1 && len(columns) > 2 && close && first > 0 && gap <= p.low*1.02 && !isFigure(lineText(line[0])) && len(lines[i-1]) > 1
	}
	if p.tight > 0.3 && p.tight < 0.95 {
		return gap <= samePitch*p.low
	}
	if gap > 1.3*p.low {
		return false
	}
	first, _ := reach(columns, line[0])
	return first != 0 || len(line) == 1 && len(columns) > 2
}

// singleLineRows tells whether most lines fill most columns, so that each is a row of its own.
func singleLineRows(lines [][]Line, columns []span) bool {
	full := 0
	for _, line := range lines {
		if len(line)*3 >= len(columns)*2 {
			full++
		}
	}
	return full*10 >= len(lines)*7
}

func ruleBetween(separators []rule, above, below []Line) bool {
	y0, y1 := above[0].Base, below[0].Base
	for _, s := range separators {
		if s.at > y0-0.2*above[0].Size && s.at < y1-0.3*below[0].Size {
			if crossesRow(s, below) {
				return true
			}
		}
	}
	return false
}

func crossesRow(s rule, row []Line) bool {
	for _, r := range row {
		if min(s.to, r.Box.X1)-max(s.from, r.Box.X0) > 0 {
			return true
		}
	}
	return false
}

// addRow puts the runs of a row in their cells.
func (t *table) addRow(index int, runs []Line, columns []span, separators []rule) {
	cells := map[int]*tableCell{}
	var order []int
	for _, r := range runs {
		first, last := reach(columns, r)
		if first < 0 {
			first, last = nearest(columns, r)
		}
		if first != last {
			first, last = fit(columns, r, first, last)
		}
		if len(runs) == 1 && centred(columns, r) {
			first, last = 0, len(columns)-1
		}
		c := cells[first]
		if c == nil {
			c = &tableCell{row: index, column: first, rowSpan: 1, colSpan: 1}
			cells[first] = c
			order = append(order, first)
		}
		c.colSpan = max(c.colSpan, last-first+1)
		c.lines = append(c.lines, r)
	}
	slices.Sort(order)
	end := 0
	for k, column := range order {
		c := cells[column]
		if k+1 < len(order) {
			c.colSpan = min(c.colSpan, order[k+1]-column)
		}
		for ; end < column; end++ {
			t.cells = append(t.cells, tableCell{row: index, column: end, rowSpan: 1, colSpan: 1})
		}
		c.lines = sortLines(c.lines)
		t.cells = append(t.cells, *c)
		end = column + c.colSpan
	}
	for ; end < len(columns); end++ {
		t.cells = append(t.cells, tableCell{row: index, column: end, rowSpan: 1, colSpan: 1})
	}
}

// fit narrows the reach of a run over several columns: a small overlap at either end does not count when it lies mostly in one.
func fit(columns []span, r Line, first, last int) (int, int) {
	for first < last {
		w := min(columns[first].to, r.Box.X1) - max(columns[first].from, r.Box.X0)
		if w > 0.2*width(r.Box) || w > 0.4*(columns[first].to-columns[first].from) {
			break
		}
		first++
	}
	for last > first {
		w := min(columns[last].to, r.Box.X1) - max(columns[last].from, r.Box.X0)
		if w > 0.2*width(r.Box) || w > 0.4*(columns[last].to-columns[last].from) {
			break
		}
		last--
	}
	return first, last
}

// centred tells whether a run stands in the middle of all columns and at the start of none.
func centred(columns []span, r Line) bool {
	from, to := columns[0].from, columns[len(columns)-1].to
	if abs((r.Box.X0+r.Box.X1)/2-(from+to)/2) > 0.03*(to-from) || r.Box.X0 < from+2*r.Size {
		return false
	}
	for _, c := range columns {
		if abs(c.from-r.Box.X0) < r.Size {
			return false
		}
	}
	return true
}

// nearest gives the columns beside a run that stands in a corridor: both when it is centred over them.
func nearest(columns []span, r Line) (int, int) {
	x := (r.Box.X0 + r.Box.X1) / 2
	best, distance := 0, 1e9
	for i, c := range columns {
		d := max(c.from-x, x-c.to, 0)
		if d < distance {
			best, distance = i, d
		}
	}
	return best, best
}

// spanEmpty is where spans found by alignment are tidied; cells stay as they are when nothing speaks for a span.
func (t *table) spanEmpty() { t.finish() }

// ruledTables finds tables with horizontal rules only (booktabs): rules of one width above each other with text in columns between.
func ruledTables(segments []Line, horizontal []rule) ([]Line, []*table) {
	var tables []*table
	for _, group := range ruleGroups(horizontal, segments) {
		top, bottom := group[0].at, group[len(group)-1].at
		box := doc.Box{X0: group[0].from, X1: group[0].to, Y0: top - 1, Y1: bottom + 1}
		for _, r := range group {
			box.X0, box.X1 = min(box.X0, r.from), max(box.X1, r.to)
		}
		box = grow(box, 2)
		rest, words := takeWords(segments, box)
		if len(words) < 4 {
			continue
		}
		if t := alignedTable(words, group); t != nil {
			t.box = union(t.box, grow(box, -2))
			segments = rest
			tables = append(tables, t)
		}
	}
	return segments, tables
}

// ruleGroups puts horizontal rules together that could bound one table.
func ruleGroups(horizontal []rule, segments []Line) [][]rule {
	list := slices.Clone(horizontal)
	slices.SortFunc(list, func(a, b rule) int { return compare(a.at, b.at) })
	used := make([]bool, len(list))
	var groups [][]rule
	for i, top := range list {
		if used[i] || top.to-top.from < 40 {
			continue
		}
		group := []rule{top}
		members := []int{i}
		for j := i + 1; j < len(list); j++ {
			r := list[j]
			if used[j] || r.from < top.from-4 || r.to > top.to+4 {
				continue
			}
			if abs(r.at-group[len(group)-1].at) < 2 && r.from > group[len(group)-1].to {
				group, members = append(group, r), append(members, j) // a part of the same line, over other columns
				continue
			}
			if proseBetween(segments, top, group[len(group)-1].at, r.at) {
				break
			}
			if r.at-group[len(group)-1].at < 2 || !textBetween(segments, top, group[len(group)-1].at, r.at) {
				if sameExtent(r, top) && r.at-group[len(group)-1].at >= 2 {
					break
				}
				continue
			}
			group = append(group, r)
			members = append(members, j)
		}
		for len(group) > 1 && !sameExtent(group[len(group)-1], top) {
			group, members = group[:len(group)-1], members[:len(members)-1]
		}
		if len(group) < 2 {
			continue
		}
		for _, m := range members {
			used[m] = true
		}
		groups = append(groups, group)
	}
	return groups
}

func sameExtent(a, b rule) bool {
	slack := max(4, 0.02*(b.to-b.from))
	return abs(a.from-b.from) <= slack && abs(a.to-b.to) <= slack
}

// proseBetween tells whether running text stands between two heights, over the whole width of a rule: the rules belong to different things.
func proseBetween(segments []Line, r rule, y0, y1 float64) bool {
	full := 0
	for _, s := range segments {
		if m := s.Base - 0.3*s.Size; m < y0 || m > y1 || s.Words == nil || wordCount(s) < 9 {
			continue
		}
		if s.Box.X0 < r.from+2*s.Size && s.Box.X1-s.Box.X0 > 0.85*(r.to-r.from) {
			full++
		}
	}
	return full >= 2
}

// textBetween tells whether text stands between two heights in the width of a rule, all of it within that width.
func textBetween(segments []Line, r rule, y0, y1 float64) bool {
	found := false
	for _, s := range segments {
		m := s.Base - 0.3*s.Size
		if m > y0 && m < y1 && s.Box.X1 > r.from && s.Box.X0 < r.to {
			if s.Box.X0 < r.from-6 || s.Box.X1 > r.to+6 || captionStart.MatchString(lineText(s)) && s.Box.X0 < r.from+0.2*(r.to-r.from) {
				return false
			}
			found = true
		}
	}
	return found
}
