package layout

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

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
	if prose(lines, g.xs) || wrapped(lines, g.xs) || r == 0 && g.headsFigures() {
		return nil
	}
	var breaks []float64
	for i := 1; i < len(lines); i++ {
		breaks = append(breaks, lines[i-1].Base+0.25*lines[i-1].Size)
	}
	return breaks
}

// headsFigures tells whether the first band has no figures and the bands below have: lines of its cells are one header's.
func (g *cellGrid) headsFigures() bool {
	head, below := 0, 0
	for at, words := range g.words {
		n := 0
		for _, l := range cellLines(words) {
			if isFigure(lineText(l)) {
				n++
			}
		}
		if at[0] == 0 {
			head += n
		} else {
			below += n
		}
	}
	return head == 0 && below >= 2*(len(g.xs)-1)
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
		below := g.columnsOf(lines[i])
		if lines[i].Base-lines[i-1].Base >= rowSpace*usual && usual >= 0.9*lines[i].Size && below[0] && len(below) > 1 {
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
