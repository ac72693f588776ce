package layout

import "decant/handler/internal/doc"

// takeDrawings makes figures of nets of rules that are no tables, with the short texts in and around them: charts and diagrams.
func takeDrawings(p *Page, segments []Line, nets []doc.Box) []Line {
	for _, box := range nets {
		if width(box) < 50 || height(box) < 50 || width(box)*height(box) > 0.7*p.Width*p.Height {
			continue
		}
		around := grow(box, 8)
		var in, rest []Line
		words := 0
		for _, s := range segments {
			if s.Words != nil && inside(s.Box, around) {
				in = append(in, s)
				words += wordCount(s)
				continue
			}
			rest = append(rest, s)
		}
		if len(in) < 3 || words > 4*len(in) {
			continue
		}
		whole := box
		for _, s := range in {
			whole = union(whole, s.Box)
		}
		segments = append(rest, Line{figure: &figure{box: whole, lines: sortLines(in)}, Box: whole, Base: whole.Y1, Size: 10})
	}
	return segments
}
