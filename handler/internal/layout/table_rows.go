package layout

import "slices"

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
		case newLook(lines[i-1], line, columns):
			rows = append(rows, slices.Clone(line))
		case p.dense || p.continues(lines, i, columns):
			rows[len(rows)-1] = append(rows[len(rows)-1], line...)
		default:
			rows = append(rows, slices.Clone(line))
		}
	}
	return rows
}

// newLook tells whether one of two text lines has a bold label in the first column and the other a plain one: groups and their members.
func newLook(above, below []Line, columns []span) bool {
	label := func(row []Line) (Line, bool) {
		first, last := reach(columns, row[0])
		return row[0], first == 0 && last == 0
	}
	a, aboveHas := label(above)
	b, belowHas := label(below)
	return aboveHas && belowHas && (allBold(a) && noBold(b) || noBold(a) && allBold(b))
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
			if _, _, ok := underlined(r, lines[n], columns, separators); ok {
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
	if opensGroup(lines, i, columns) {
		return false
	}
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

// opensGroup tells whether line i is the heading of a group of rows, or the first row under one: alone in the first column, and
// bold where its neighbour there is not.
func opensGroup(lines [][]Line, i int, columns []span) bool {
	heads := func(line []Line) (head, alone bool) {
		first, _ := reach(columns, line[0])
		return first == 0 && allBold(line[0]), len(line) == 1
	}
	head, alone := heads(lines[i])
	above, aboveAlone := heads(lines[i-1])
	return head && alone && !above || above && aboveAlone && !head
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
