package layout

import (
	"slices"

	"decant/handler/internal/doc"
)

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
			segments = append(rest, t.peel()...)
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
