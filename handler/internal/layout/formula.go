package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// mathFonts are parts of the names of fonts that set mathematics and nothing else, in lower case.
var mathFonts = []string{"cmmi", "cmsy", "cmex", "cmbsy", "cmmib", "msam", "msbm", "lmmath", "mathsy", "mathit", "mathematicalpi", "mtmi",
	"mtsy", "mtex", "txmi", "txsy", "txex", "pxmi", "pxsy", "pxex", "cambriamath", "stixmath", "xitsmath", "euclidmath", "esint", "newmath", "rmmath", "math-"}

// mathFont tells whether a font is for mathematics: its name says so.
func mathFont(name string) bool {
	name = strings.ToLower(strings.NewReplacer(" ", "", "_", "", "PSMT", "").Replace(name))
	for _, part := range mathFonts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "math")
}

// formulaNumber is a displayed formula's printed number.
var formulaNumber = lazyregexp.New(`^\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})*[a-z]?\)$`)

// maxFormulaLines is how many lines a displayed formula has at most.
const maxFormulaLines = 8

// markFormulas finds displayed formulas: blocks set mostly in the fonts of mathematics, with their numbers.
func markFormulas(blocks []block) []block {
	for i := range blocks {
		b := &blocks[i]
		if b.kind == "" && !b.isFloat() && len(b.lines) <= maxFormulaLines && isMathBlock(b) {
			b.kind = kindFormula
		}
	}
	return joinFormulas(blocks)
}

// isMathBlock tells whether the fonts of a block are those of mathematics, and its words few.
func isMathBlock(b *block) bool {
	math, all, long, words := 0, 0, 0, 0
	for _, l := range b.lines {
		for _, w := range l.Words {
			n := utf8.RuneCountInString(w.Text)
			all += n
			if mathFont(w.Style.Font) {
				math += n
			} else if len(letters(w.Text)) >= 4 {
				long++
			}
			if !w.Glued {
				words++
			}
		}
	}
	return math*4 >= all && long*5 <= words && strings.ContainsFunc(b.text(), isRelation)
}

// isRelation tells whether a rune is one of those that make a formula of its symbols.
func isRelation(r rune) bool {
	return unicode.Is(unicode.Sm, r) || r == '∈' || r == '→' || r == ':' || r == '∼'
}

// joinFormulas puts the pieces of one formula together, and takes its number.
func joinFormulas(blocks []block) []block {
	kept := blocks[:0]
	for _, b := range blocks {
		if n := len(kept); n > 0 && kept[n-1].kind == kindFormula && kept[n-1].page == b.page && b.kind == "" || n > 0 && kept[n-1].kind == kindFormula && b.kind == kindFormula && kept[n-1].page == b.page {
			last := &kept[n-1]
			switch {
			case b.isFloat():
			case formulaNumber.MatchString(b.text()) && overlapY(b.box, last.box) > 0 && last.label == "":
				last.label = b.text()
				last.box = union(last.box, b.box)
				continue
			case isPieceOf(last, &b):
				last.lines = append(last.lines[:len(last.lines):len(last.lines)], b.lines...)
				last.box = union(last.box, b.box)
				continue
			}
		}
		kept = append(kept, b)
	}
	return kept
}

// isPieceOf tells whether a block is more of a formula: symbols or a few signs, touching it.
func isPieceOf(formula, b *block) bool {
	size := formula.lines[0].Size
	near := b.box.Y0-formula.box.Y1 < 0.5*size && formula.box.Y0-b.box.Y1 < 0.5*size && overlapX(grow(formula.box, 2*size), b.box) > 0
	return near && len(formula.lines)+len(b.lines) <= maxFormulaLines && (b.kind == kindFormula || utf8.RuneCountInString(b.text()) <= 12 && !strings.ContainsFunc(b.text(), unicode.IsUpper))
}

// formula makes a formula block: its text with superscripts and subscripts, its number apart.
func formula(bl *block) doc.Block {
	var text strings.Builder
	var places []doc.Place
	number := bl.label
	for i, l := range bl.lines {
		if number == "" && i == len(bl.lines)-1 {
			l, number = cutNumber(l)
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		from := text.Len()
		writeFormula(&text, l.Words)
		box := l.Box
		places = append(places, doc.Place{Page: l.page, Box: &box, From: from, To: text.Len()})
	}
	return doc.Block{Kind: doc.Formula, Text: text.String(), Number: number, Places: places}
}

// cutNumber takes a formula's number from the end of its last line.
func cutNumber(l Line) (Line, string) {
	n := len(l.Words)
	if n < 2 || !formulaNumber.MatchString(l.Words[n-1].Text) {
		return l, ""
	}
	number := l.Words[n-1].Text
	l.Words = l.Words[:n-1]
	return l, number
}

// texEscapes are the characters that mean something else in LaTeX.
var texEscapes = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "%", `\%`, "#", `\#`, "&", `\&`, "$", `\$`, "_", `\_`, "~", `\sim `, "^", `\hat{}`)

// writeFormula writes words with their raised and lowered parts in braces.
func writeFormula(text *strings.Builder, words []Word) {
	const scripts = doc.Superscript | doc.Subscript
	for i := 0; i < len(words); i++ {
		w := words[i]
		script := w.Marks & scripts
		if i > 0 && !w.Glued && script == 0 {
			text.WriteByte(' ')
		}
		if script == 0 {
			text.WriteString(texEscapes.Replace(w.Text))
			continue
		}
		text.WriteString(map[bool]string{true: "^{", false: "_{"}[script.Has(doc.Superscript)])
		text.WriteString(texEscapes.Replace(w.Text))
		for i+1 < len(words) && words[i+1].Marks&scripts == script {
			i++
			if !words[i].Glued {
				text.WriteByte(' ')
			}
			text.WriteString(texEscapes.Replace(words[i].Text))
		}
		text.WriteByte('}')
	}
}
