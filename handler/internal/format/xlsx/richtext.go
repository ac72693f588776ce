package xlsx

import (
	"bytes"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// textRun is a part of a text with looks of its own: the bytes from where the run before it ends.
type textRun struct {
	end   int
	marks doc.Marks
}

// maxRuns bounds the runs of one text that keep their looks.
const maxRuns = 1000

// appendRichText reads the texts of an si, is or text element (CT_Rst): its runs one after another, without phonetic readings.
// runs gets the looks of the parts, counted from where out ended.
func appendRichText(out []byte, s *xmltree.Scanner, runs *[]textRun) []byte {
	depth, start := s.Depth(), len(out)
	inText := false
	*runs = (*runs)[:0]
	var marks doc.Marks
	for s.Next() {
		switch s.Kind() {
		case xmltree.Start:
			switch s.Name() {
			case "rPh":
				s.Skip()
				continue
			case "r":
				marks = 0
			}
			marks |= markOf(s)
			inText = s.Name() == "t"
		case xmltree.End:
			inText = false
			if s.Depth() < depth {
				return out
			}
		case xmltree.Text:
			if inText && len(out)-start < maxCellText {
				out = append(out, s.Text()...)
				if len(*runs) < maxRuns {
					*runs = append(*runs, textRun{len(out) - start, marks})
				}
			}
		}
	}
	return out
}

// markOf is what a run property (18.4.7) that the scanner stands on means. Bold and the like of a whole cell are its style's.
func markOf(s *xmltree.Scanner) doc.Marks {
	switch s.Name() {
	case "b":
		return markIf(doc.Strong, s)
	case "i":
		return markIf(doc.Emphasis, s)
	case "strike":
		return markIf(doc.Strike, s)
	case "vertAlign":
		switch s.Attr("val") {
		case "superscript":
			return doc.Superscript
		case "subscript":
			return doc.Subscript
		}
	}
	return 0
}

func markIf(mark doc.Marks, s *xmltree.Scanner) doc.Marks {
	if isTrue(s.Attr("val"), true) {
		return mark
	}
	return 0
}

// inlinesOf makes inlines of a text whose parts look different: 10 with a raised 6 is not 106. It is nil when all look the same,
// and for texts with escapes, whose bytes will move.
func inlinesOf(text []byte, runs []textRun) []doc.Inline {
	if !differ(runs) || bytes.Contains(text, []byte("_x")) {
		return nil
	}
	var out []doc.Inline
	start := 0
	for _, run := range runs {
		part := strings.ReplaceAll(string(text[start:run.end]), "\r", "")
		start = run.end
		for i, line := range strings.Split(part, "\n") {
			if i > 0 {
				out = append(out, doc.Inline{Kind: doc.Break})
			}
			if n := len(out) - 1; line != "" && n >= 0 && out[n].Kind == doc.Text && out[n].Marks == run.marks {
				out[n].Text += line
			} else if line != "" {
				out = append(out, doc.Inline{Kind: doc.Text, Text: line, Marks: run.marks})
			}
		}
	}
	return out
}

func differ(runs []textRun) bool {
	for i := range runs {
		if runs[i].marks != runs[0].marks || runs[i].marks.Has(doc.Superscript) || runs[i].marks.Has(doc.Subscript) {
			return len(runs) < maxRuns
		}
	}
	return false
}
