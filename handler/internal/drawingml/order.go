package drawingml

import (
	"cmp"
	"slices"

	"decant/handler/internal/doc"
)

// ReadingOrder puts shapes into the order in which a person reads them: the page is cut where no shape crosses, first into rows
// from the top, then into columns from the left, and so on inside each piece (an XY cut). Shapes that overlap too much to be cut
// are read from the top. Shapes without a place come last, in the order of the file.
func ReadingOrder(shapes []Shape) []Shape {
	var placed, rest []Shape
	for _, s := range shapes {
		if s.Box != nil {
			placed = append(placed, s)
		} else {
			rest = append(rest, s)
		}
	}
	return append(cut(placed, 0), rest...)
}

// overlapAllowed is the share of the smaller shape that may reach over a cut: shapes drawn by hand are seldom exact.
const overlapAllowed = 0.12

const maxCuts = 50

func cut(shapes []Shape, depth int) []Shape {
	if len(shapes) < 2 || depth > maxCuts {
		return shapes
	}
	for _, axis := range []axis{vertical, horizontal} {
		if pieces := axis.split(shapes); len(pieces) > 1 {
			var out []Shape
			for _, piece := range pieces {
				out = append(out, cut(piece, depth+1)...)
			}
			return out
		}
	}
	out := slices.Clone(shapes)
	slices.SortStableFunc(out, func(a, b Shape) int {
		if c := cmp.Compare(a.Box.Y0, b.Box.Y0); c != 0 {
			return c
		}
		return cmp.Compare(a.Box.X0, b.Box.X0)
	})
	return out
}

// axis is a direction in which shapes are divided.
type axis struct{ from, to func(*doc.Box) float64 }

var (
	vertical   = axis{func(b *doc.Box) float64 { return b.Y0 }, func(b *doc.Box) float64 { return b.Y1 }}
	horizontal = axis{func(b *doc.Box) float64 { return b.X0 }, func(b *doc.Box) float64 { return b.X1 }}
)

// split cuts shapes into pieces between which nothing (or little) reaches over.
func (a axis) split(shapes []Shape) [][]Shape {
	sorted := slices.Clone(shapes)
	slices.SortStableFunc(sorted, func(x, y Shape) int { return cmp.Compare(a.from(x.Box), a.from(y.Box)) })
	var pieces [][]Shape
	end := 0.0
	for i, s := range sorted {
		from, to := a.from(s.Box), a.to(s.Box)
		if i == 0 || from >= end-a.slack(pieces[len(pieces)-1], s) {
			pieces = append(pieces, nil)
		}
		last := len(pieces) - 1
		pieces[last] = append(pieces[last], s)
		end = max(end, to)
		if len(pieces[last]) == 1 {
			end = to
		}
	}
	return pieces
}

// slack is how far a shape may reach into the piece before it.
func (a axis) slack(piece []Shape, s Shape) float64 {
	smallest := a.to(s.Box) - a.from(s.Box)
	for i := range piece {
		smallest = min(smallest, a.to(piece[i].Box)-a.from(piece[i].Box))
	}
	return smallest * overlapAllowed
}
