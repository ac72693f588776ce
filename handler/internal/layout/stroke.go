package layout

import (
	"slices"

	"decant/handler/internal/doc"
)

// rule is a straight line with all its collinear neighbours joined: at is its place across, from and to its ends.
type rule struct{ at, from, to float64 }

// ruleGap is how far apart two strokes of one line may be, in points; pdf writers draw borders cell by cell.
const ruleGap = 3.0

// rules joins strokes into horizontal and vertical rules.
func rules(strokes []Stroke) (horizontal, vertical []rule) {
	for _, s := range strokes {
		if s.Horizontal() {
			horizontal = append(horizontal, rule{at: s.Y0, from: s.X0, to: s.X1})
		} else {
			vertical = append(vertical, rule{at: s.X0, from: s.Y0, to: s.Y1})
		}
	}
	return joinRules(horizontal), joinRules(vertical)
}

func joinRules(list []rule) []rule {
	slices.SortFunc(list, func(a, b rule) int {
		if c := compare(a.at, b.at); c != 0 {
			return c
		}
		return compare(a.from, b.from)
	})
	var joined []rule
	for _, r := range list {
		merged := false
		for i := len(joined) - 1; i >= 0 && r.at-joined[i].at <= 1.6; i-- {
			if r.from <= joined[i].to+ruleGap && r.to >= joined[i].from-ruleGap {
				joined[i].from, joined[i].to = min(joined[i].from, r.from), max(joined[i].to, r.to)
				merged = true
				break
			}
		}
		if !merged {
			joined = append(joined, r)
		}
	}
	return joined
}

// lattice is a connected net of rules.
type lattice struct {
	horizontal, vertical []rule
	box                  doc.Box
}

// lattices finds nets: rules that touch or cross each other.
func lattices(horizontal, vertical []rule) []lattice {
	n := len(horizontal)
	parent := make([]int, n+len(vertical))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, h := range horizontal {
		for j, v := range vertical {
			if touch(h, v) {
				parent[root(i)] = root(n + j)
			}
		}
	}
	nets := map[int]*lattice{}
	var order []int
	for i := range parent {
		k := root(i)
		net := nets[k]
		if net == nil {
			net = &lattice{}
			nets[k] = net
			order = append(order, k)
		}
		if i < n {
			h := horizontal[i]
			net.horizontal = append(net.horizontal, h)
			net.box = union(net.box, doc.Box{X0: h.from, X1: h.to, Y0: h.at, Y1: h.at + 0.01})
		} else {
			v := vertical[i-n]
			net.vertical = append(net.vertical, v)
			net.box = union(net.box, doc.Box{X0: v.at, X1: v.at + 0.01, Y0: v.from, Y1: v.to})
		}
	}
	var found []lattice
	for _, k := range order {
		found = append(found, *nets[k])
	}
	return found
}

func touch(h, v rule) bool {
	return v.at >= h.from-ruleGap && v.at <= h.to+ruleGap && h.at >= v.from-ruleGap && h.at <= v.to+ruleGap
}

// positions gives the distinct places of rules, nearer ones than gap taken as one.
func positions(list []rule, gap float64) []float64 {
	var at []float64
	for _, r := range list {
		at = append(at, r.at)
	}
	return distinct(at, gap)
}

func distinct(values []float64, gap float64) []float64 {
	slices.Sort(values)
	var out []float64
	for _, v := range values {
		if n := len(out); n == 0 || v-out[n-1] > gap {
			out = append(out, v)
		}
	}
	return out
}

// covers tells whether a rule at the given place runs along most of from..to.
func covers(list []rule, at, from, to, gap float64) bool {
	length := 0.0
	for _, r := range list {
		if abs(r.at-at) <= gap {
			if shared := min(r.to, to) - max(r.from, from); shared > 0 {
				length += shared
			}
		}
	}
	return length >= 0.6*(to-from)
}

// maxBands is above how many filled rectangles a page is a drawing and has no shaded rows.
const maxBands = 2_000

// fillEdges gives the upper and lower edges of shaded bands as rules: rows of a table are often shaded in turn.
// A band counts when another has the same sides.
func fillEdges(fills []Fill) []rule {
	var edges []rule
	if len(fills) > maxBands {
		return nil
	}
	for i, f := range fills {
		if f.Gray > 0.99 || width(f.Box) < 60 || height(f.Box) < 6 || height(f.Box) > 80 {
			continue
		}
		for j, o := range fills {
			if i != j && abs(o.Box.X0-f.Box.X0) < 2 && abs(o.Box.X1-f.Box.X1) < 2 && overlapY(o.Box, f.Box) < 1 && abs(o.Box.Y0-f.Box.Y0) < 400 {
				edges = append(edges, rule{at: f.Box.Y0, from: f.Box.X0, to: f.Box.X1}, rule{at: f.Box.Y1, from: f.Box.X0, to: f.Box.X1})
				break
			}
		}
	}
	return edges
}
