package layout

import "decant/handler/internal/doc"

// attachScripts brings small words that stand a little above or below a line home into it, as superscripts and subscripts.
func attachScripts(segments []Line) []Line {
	taken := make([]bool, len(segments))
	for i := range segments {
		s := &segments[i]
		if len(s.Words) > 3 || len(lineText(*s)) > 14 {
			continue
		}
		if home := homeOf(segments, taken, i); home >= 0 {
			segments[home] = insertScript(segments[home], s.Words)
			taken[i] = true
		}
	}
	var kept []Line
	for i, s := range segments {
		if !taken[i] {
			kept = append(kept, s)
		}
	}
	for i := range kept {
		markScripts(&kept[i])
	}
	return kept
}

// homeOf finds the line that a small segment belongs to, or -1. Segments are ordered by base line, so it is near.
func homeOf(segments []Line, taken []bool, i int) int {
	s := &segments[i]
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(segments); k += step {
			t := &segments[k]
			if abs(t.Base-s.Base) > 30 {
				break
			}
			if taken[k] || t.Size < 1.2*s.Size || abs(t.Base-s.Base) > 0.62*t.Size || abs(t.Base-s.Base) < 0.04*t.Size {
				continue
			}
			if s.Box.X0 > t.Box.X0-1.6*t.Size-width(s.Box) && s.Box.X0 < t.Box.X1+0.35*t.Size {
				return k
			}
		}
	}
	return -1
}

// insertScript puts words where they stand in a line; nothing but the words beside them changes.
func insertScript(l Line, script []Word) Line {
	at := 0
	for at < len(l.Words) && l.Words[at].Box.X0 < script[0].Box.X0 {
		at++
	}
	words := append([]Word{}, l.Words[:at]...)
	for k, w := range script {
		if k == 0 {
			w.Glued = at > 0 && w.Box.X0-l.Words[at-1].Box.X1 < 0.2*l.Size
		}
		words = append(words, w)
	}
	if at < len(l.Words) {
		next := l.Words[at]
		next.Glued = at > 0 && next.Glued || next.Box.X0-script[len(script)-1].Box.X1 < 0.08*l.Size
		words = append(words, next)
		words = append(words, l.Words[at+1:]...)
	}
	return newLine(words)
}

// markScripts marks the words of a line that are smaller and off its base line.
func markScripts(l *Line) {
	for i := range l.Words {
		w := &l.Words[i]
		if w.Style.Size > 0.85*l.Size {
			continue
		}
		switch shift := l.Base - w.Base; {
		case shift > 0.12*l.Size:
			w.Marks |= doc.Superscript
		case shift < -0.06*l.Size:
			w.Marks |= doc.Subscript
		}
	}
}
