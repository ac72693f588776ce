package xlsx

import (
	"cmp"
	"slices"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
)

// readFurniture keeps the texts of printed headers and footers apart (18.3.1.46).
func (w *worksheet) readFurniture() {
	seen := map[string]bool{}
	for _, name := range []string{"firstHeader", "oddHeader", "evenHeader", "firstFooter", "oddFooter", "evenFooter"} {
		for _, text := range headerParts(w.furniture[name]) {
			if !seen[text] {
				seen[text] = true
				w.d.Furniture = append(w.d.Furniture, doc.P(text, w.place("")))
			}
		}
	}
}

// headerParts cuts a header's code into its left, centre and right text. Codes for page numbers, dates, fonts and the like
// are no text; a part of codes only is left out.
func headerParts(code string) []string {
	var parts []string
	var b strings.Builder
	flush := func() {
		if text := strings.TrimSpace(b.String()); text != "" {
			parts = append(parts, text)
		}
		b.Reset()
	}
	for i := 0; i < len(code); i++ {
		if code[i] != '&' || i+1 == len(code) {
			b.WriteByte(code[i])
			continue
		}
		i++
		switch c := code[i]; {
		case c == '&':
			b.WriteByte('&')
		case c == 'L' || c == 'C' || c == 'R':
			flush()
		case c == '"': // a font's name
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
		case c == 'K': // a colour: six digits or a theme's number
			i = min(i+6, len(code)-1)
		case c >= '0' && c <= '9': // a font's size
			for i+1 < len(code) && code[i+1] >= '0' && code[i+1] <= '9' {
				i++
			}
		}
	}
	flush()
	return parts
}

// sortedRels are relationships in a fixed order.
func sortedRels(rels ooxml.Relationships) []ooxml.Relationship {
	var out []ooxml.Relationship
	for _, rel := range rels {
		out = append(out, rel)
	}
	slices.SortFunc(out, func(a, b ooxml.Relationship) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
