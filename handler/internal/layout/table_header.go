package layout

import "slices"

// underlined gives the columns that a header cell stands over, when a rule right below it says so: a rule over some of the columns,
// with nothing else above it.
func underlined(r Line, row []Line, columns []span, separators []rule) (first, last int, ok bool) {
	for _, s := range separators {
		if s.at < r.Base-0.1*r.Size || s.at > r.Base+1.3*r.Size || r.Box.X0 < s.from-2 || r.Box.X1 > s.to+2 {
			continue
		}
		if s.from < columns[0].from+r.Size && s.to > columns[len(columns)-1].to-r.Size {
			continue // across the whole table
		}
		if slices.ContainsFunc(row, func(o Line) bool {
			return o.Box != r.Box && abs(o.Base-r.Base) < r.Size && min(o.Box.X1, s.to)-max(o.Box.X0, s.from) > 0
		}) {
			continue
		}
		first, last = -1, -1
		for i, c := range columns {
			if min(c.to, s.to)-max(c.from, s.from) > 0.5*(c.to-c.from) {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		return first, last, first >= 0 && last > first
	}
	return 0, 0, false
}
