package rtf

import "decant/handler/internal/doc"

// symbol acts on a control symbol.
func (p *parser) symbol(c byte) {
	switch c {
	case '*':
		if p.st.first {
			p.st.ignorable = true
		}
		return
	case '~':
		p.put("\u00a0")
	case '_':
		p.put("\u2011")
	case '-': // an optional hyphen shows only where a line ends
	case '\\', '{', '}':
		p.byte(c)
	case '\r', '\n':
		p.paragraphEnd()
	case '\t':
		p.put("\t")
	}
	p.st.first = false
}

// put adds text that is Unicode already.
func (p *parser) put(text string) {
	p.flush()
	p.text(text)
}

// control acts on a control word: first as a destination, if it starts a group, then by the tables below.
func (p *parser) control(tok token) {
	starts, ignorable := p.st.first, p.st.ignorable
	p.st.first = false
	if p.st.inLists {
		if act, ok := p.listWords[tok.word]; ok {
			act(p, tok.number, tok.hasNumber)
		}
		return
	}
	if p.st.node != nil && starts && tok.word[0] == 'm' && tok.word != "mmathPict" {
		p.flush()
		p.mathElement(tok.word)
		return
	}
	if begin, ok := p.destinations[tok.word]; ok {
		p.flush()
		begin(p, tok)
		return
	}
	if starts && ignorable && !contentWords[tok.word] && p.st.entry == "" {
		p.flush()
		p.st.skip = true
		return
	}
	if p.st.picture != nil {
		p.st.picture.control(tok)
		return
	}
	if text, ok := characters[tok.word]; ok {
		p.put(text)
		return
	}
	if mark, ok := markWords[tok.word]; ok {
		p.flush()
		p.set(mark, !tok.hasNumber || tok.number != 0)
		return
	}
	if act, ok := p.actions[tok.word]; ok {
		if !asIs[tok.word] {
			p.flush()
		}
		act(p, tok.number, tok.hasNumber)
	}
}

// asIs are words that say nothing about the text before them, so that multi-byte characters may go on.
var asIs = map[string]bool{"uc": true}

// contentWords are control words after \* whose group has content all the same.
var contentWords = map[string]bool{"do": true, "shpinst": true, "shptxt": true, "moMath": true, "moMathPara": true, "mmath": true}

func (p *parser) set(mark doc.Marks, is bool) {
	if is {
		p.st.marks |= mark
	} else {
		p.st.marks &^= mark
	}
}

// characters are control words that stand for text.
var characters = map[string]string{
	"tab": "\t", "emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "zwj": "\u200d", "zwnj": "\u200c", "zwbo": "\u200b",
}

// markWords switch a look on, or off with the number 0.
var markWords = map[string]doc.Marks{
	"b": doc.Strong, "i": doc.Emphasis, "ul": doc.Underline, "uld": doc.Underline, "uldb": doc.Underline, "ulw": doc.Underline, "ulwave": doc.Underline,
	"uldash": doc.Underline, "ulth": doc.Underline, "strike": doc.Strike, "striked": doc.Strike, "scaps": doc.SmallCaps,
	"super": doc.Superscript, "sub": doc.Subscript,
}

// action does what a control word says; n is its number, if it has one.
type action func(p *parser, n int, has bool)

// actionTable lists the control words that change the state or end something.
func actionTable() map[string]action {
	return map[string]action{
		"par":          func(p *parser, _ int, _ bool) { p.paragraphEnd() },
		"sect":         func(p *parser, _ int, _ bool) { p.paragraphEnd() },
		"page":         func(p *parser, _ int, _ bool) { p.lineBreak() },
		"line":         func(p *parser, _ int, _ bool) { p.lineBreak() },
		"lbr":          func(p *parser, _ int, _ bool) { p.lineBreak() },
		"u":            func(p *parser, n int, _ bool) { p.unicode(n) },
		"uc":           func(p *parser, n int, _ bool) { p.st.uc = max(0, min(n, 16)) },
		"ansicpg":      func(p *parser, n int, _ bool) { p.codePage = n },
		"mac":          func(p *parser, _ int, _ bool) { p.codePage = 10000 },
		"pc":           func(p *parser, _ int, _ bool) { p.codePage = 437 },
		"pca":          func(p *parser, _ int, _ bool) { p.codePage = 850 },
		"f":            func(p *parser, n int, _ bool) { p.font(n) },
		"plain":        func(p *parser, _ int, _ bool) { p.plain() },
		"nosupersub":   func(p *parser, _ int, _ bool) { p.set(doc.Superscript|doc.Subscript, false) },
		"ulnone":       func(p *parser, _ int, _ bool) { p.set(doc.Underline, false) },
		"up":           func(p *parser, n int, has bool) { p.set(doc.Superscript, has && n > 0) },
		"dn":           func(p *parser, n int, has bool) { p.set(doc.Subscript, has && n > 0) },
		"highlight":    func(p *parser, n int, _ bool) { p.set(doc.Highlight, n > 0) },
		"v":            func(p *parser, n int, has bool) { p.st.hidden = !has || n != 0 },
		"revised":      func(p *parser, n int, has bool) { p.st.inserted = !has || n != 0 },
		"deleted":      func(p *parser, n int, has bool) { p.st.deleted = !has || n != 0 },
		"revauth":      func(p *parser, n int, _ bool) { p.st.author = n },
		"revauthdel":   func(p *parser, n int, _ bool) { p.st.author = n },
		"cs":           func(p *parser, n int, _ bool) { p.characterStyle(n) },
		"pard":         func(p *parser, _ int, _ bool) { p.st.par = bare },
		"s":            func(p *parser, n int, _ bool) { p.st.par.style = n },
		"outlinelevel": func(p *parser, n int, _ bool) { p.st.par.outline = n },
		"ls":           func(p *parser, n int, _ bool) { p.st.par.list = n },
		"ilvl":         func(p *parser, n int, _ bool) { p.st.par.level = max(0, min(n, 8)) },
		"li":           func(p *parser, n int, _ bool) { p.st.par.indent = n },
		"lin":          func(p *parser, n int, _ bool) { p.st.par.indent = n },
		"fi":           func(p *parser, n int, _ bool) { p.st.par.first = n },
		"brdrb":        func(p *parser, _ int, _ bool) { p.st.par.ruled = true },
		"brdrt":        func(p *parser, _ int, _ bool) { p.st.par.ruled = true },
		"qc":           func(p *parser, _ int, _ bool) { p.st.par.align = "center" },
		"qr":           func(p *parser, _ int, _ bool) { p.st.par.align = "right" },
		"ql":           func(p *parser, _ int, _ bool) { p.st.par.align = "" },
		"qj":           func(p *parser, _ int, _ bool) { p.st.par.align = "" },
		"intbl":        func(p *parser, _ int, _ bool) { p.st.par.inTable = true },
		"itap":         func(p *parser, n int, _ bool) { p.st.par.nesting = max(0, n) },
		"cell":         func(p *parser, _ int, _ bool) { p.cellEnd(1) },
		"nestcell":     func(p *parser, _ int, _ bool) { p.cellEnd(max(2, p.st.par.depth())) },
		"row":          func(p *parser, _ int, _ bool) { p.rowEnd(1) },
		"nestrow":      func(p *parser, _ int, _ bool) { p.rowEnd(max(2, p.st.par.depth())) },
		"trowd":        func(p *parser, _ int, _ bool) { p.rowStart() },
		"trql":         func(p *parser, _ int, _ bool) { p.rowProps().align = "" },
		"trqc":         func(p *parser, _ int, _ bool) { p.rowProps().align = "center" },
		"trqr":         func(p *parser, _ int, _ bool) { p.rowProps().align = "right" },
		"trhdr":        func(p *parser, _ int, _ bool) { p.rowProps().header = true },
		"clmgf":        func(p *parser, _ int, _ bool) { p.rowProps().next.mergeRight = true },
		"clmrg":        func(p *parser, _ int, _ bool) { p.rowProps().next.mergedRight = true },
		"clvmgf":       func(p *parser, _ int, _ bool) { p.rowProps().next.mergeDown = true },
		"clvmrg":       func(p *parser, _ int, _ bool) { p.rowProps().next.mergedDown = true },
		"cellx":        func(p *parser, n int, _ bool) { p.rowProps().edge(n) },
		"ts":           func(p *parser, _ int, _ bool) { p.st.otherStyle = true },
		"ds":           func(p *parser, _ int, _ bool) { p.st.otherStyle = true },
		"sbasedon":     func(p *parser, n int, _ bool) { p.st.base = n },
		"yr":           moments(func(m *moment, n int) { m.year = n }), "mo": moments(func(m *moment, n int) { m.month = n }), "dy": moments(func(m *moment, n int) { m.day = n }),
		"hr": moments(func(m *moment, n int) { m.hour = n }), "min": moments(func(m *moment, n int) { m.minute = n }), "sec": moments(func(m *moment, n int) { m.second = n }),
		"ffres":    func(p *parser, n int, _ bool) { p.form.chosen = n },
		"ffdefres": func(p *parser, n int, _ bool) { p.form.standard = n },
		"chftn":    func(*parser, int, bool) {},
		"ftnalt":   func(p *parser, _ int, _ bool) { p.story.endnote = true },
	}
}

func moments(set func(*moment, int)) action {
	return func(p *parser, n int, _ bool) {
		if p.st.moment != nil {
			set(p.st.moment, n)
		}
	}
}

// plain takes all looks back.
func (p *parser) plain() {
	p.st.marks, p.st.hidden, p.st.inserted, p.st.deleted = 0, false, false, false
}

func (p *parser) font(n int) {
	p.st.font = n
	if p.st.sink == nil {
		p.set(doc.Monospace, p.fonts[n].mono)
	}
}

func (p *parser) characterStyle(n int) {
	if p.st.entry == "style" {
		p.st.charStyle, p.st.styleNumber = true, n
		return
	}
	if style := p.charStyle[n]; style != nil {
		p.st.marks |= style.marks
	}
}

func (p *parser) lineBreak() {
	if !p.st.skip && p.st.sink == nil && p.st.picture == nil {
		p.story.lineBreak(&p.st)
	}
}

func (p *parser) paragraphEnd() {
	p.flush()
	switch {
	case p.st.skip || p.st.picture != nil:
	case p.st.sink != nil:
		p.st.sink.WriteByte('\n')
	default:
		p.story.paragraphEnd(&p.st)
	}
}
