package layout

import (
	"strings"

	"decant/handler/internal/doc"
)

// isMono tells whether a whole line is set in a typewriter face.
func isMono(l Line) bool {
	for _, w := range l.Words {
		if !w.Style.Mono {
			return false
		}
	}
	return len(l.Words) > 0
}

// markCode finds blocks set in a typewriter face in a document that is not: program text.
func markCode(blocks []block, body bodyStyle) {
	if body.mono {
		return
	}
	for i := range blocks {
		b := &blocks[i]
		if b.kind != "" && b.kind != kindItem || b.isFloat() {
			continue
		}
		mono := true
		for _, l := range b.lines {
			mono = mono && isMono(l)
		}
		if mono && (len(b.lines) > 1 || looksLikeCode(b.text())) {
			b.restoreLabel()
			b.kind = kindCode
		}
	}
}

// restoreLabel puts back the word that was taken for an item's label.
func (b *block) restoreLabel() {
	if b.kind == kindItem && b.opener.Text != "" {
		b.lines[0].Words = append([]Word{b.opener}, b.lines[0].Words...)
	}
}

// looksLikeCode tells a line of program text from a word or two in a typewriter face.
func looksLikeCode(s string) bool { return strings.ContainsAny(s, "{}();=<>#$") }

// joinCode puts blocks of code together that stand right below each other.
func joinCode(blocks []block) []block {
	kept := blocks[:0]
	for _, b := range blocks {
		if n := len(kept); n > 0 && b.kind == kindCode && kept[n-1].kind == kindCode && b.page == kept[n-1].page && b.region == kept[n-1].region {
			last := &kept[n-1]
			last.lines = append(last.lines[:len(last.lines):len(last.lines)], b.lines...)
			last.box = union(last.box, b.box)
			continue
		}
		kept = append(kept, b)
	}
	return kept
}

// code makes a code block: lines as they stand, with indents and blank lines from the geometry.
func code(bl *block) doc.Block {
	left, advance := bl.box.X0, 0.0
	for _, l := range bl.lines {
		if n := len([]rune(lineText(l))); n > 0 {
			advance = max(advance, width(l.Box)/float64(n))
		}
		left = min(left, l.Box.X0)
	}
	var text strings.Builder
	var places []doc.Place
	for i, l := range bl.lines {
		if i > 0 {
			text.WriteByte('\n')
			if before := bl.lines[i-1]; before.page == l.page && l.Base-before.Base > 1.9*l.Size {
				text.WriteByte('\n')
			}
		}
		from := text.Len()
		writeCode(&text, l, left, max(advance, 0.5*l.Size))
		box := l.Box
		places = append(places, doc.Place{Page: l.page, Box: &box, From: from, To: text.Len()})
	}
	return doc.Block{Kind: doc.Code, Text: text.String(), Places: places}
}

// writeCode writes a line with as many spaces as its gaps are wide.
func writeCode(text *strings.Builder, l Line, left, advance float64) {
	x := left
	for i, w := range l.Words {
		n := int((w.Box.X0-x)/advance + 0.5)
		if i > 0 && !w.Glued {
			n = max(n, 1)
		}
		text.WriteString(strings.Repeat(" ", min(max(n, 0), 200)))
		text.WriteString(w.Text)
		x = w.Box.X1
	}
}
