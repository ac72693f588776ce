package latex

import (
	"html"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// sectionLevels with chapters; without them everything is one level higher. The title of the document is level 1.
var sectionLevels = map[string]int{"part": 2, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 6, "frametitle": 3}

var looks = map[string]string{
	"textbf": "b", "emph": "em", "textit": "i", "textsl": "i", "texttt": "code", "underline": "u", "textsuperscript": "sup", "textsubscript": "sub",
	"sout": "s", "st": "s", "hl": "mark", "mbox": "span", "textsc": "span", "textrm": "span", "textsf": "span", "textnormal": "span", "uline": "u",
}

var symbols = map[string]string{
	"%": "%", "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", " ": " ", ",": " ", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": "", "\n": " ",
	"ldots": "…", "dots": "…", "textbackslash": `\`, "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">",
	"LaTeX": "LaTeX", "TeX": "TeX", "copyright": "©", "textregistered": "®", "texttrademark": "™", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "pounds": "£", "euro": "€",
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "quad": " ", "qquad": " ", "textendash": "–",
	"textemdash": "—", "textbullet": "•", "textdegree": "°", "today": "", "par": "", "textquotedblleft": "“", "textquotedblright": "”", "textquoteright": "’", "slash": "/", "textperiodcentered": "·",
}

// accents are combining characters.
var accents = map[string]rune{"'": '\u0301', "`": '\u0300', "^": '\u0302', `"`: '\u0308', "~": '\u0303', "=": '\u0304', ".": '\u0307', "u": '\u0306', "v": '\u030c', "H": '\u030b', "c": '\u0327', "k": '\u0328', "r": '\u030a', "d": '\u0323', "b": '\u0331'}

func accented(base string, mark rune) string {
	base = strings.NewReplacer("ı", "i", "ȷ", "j").Replace(base)
	runes := []rune(base)
	if len(runes) == 0 {
		return ""
	}
	return norm.NFC.String(string(runes[0])+string(mark)) + string(runes[1:])
}

// silent are settings: how many arguments they have that are not text.
var silent = map[string]int{
	"documentclass": 1, "usepackage": 1, "label": 1, "vspace": 1, "hspace": 1, "setlength": 2, "addtolength": 2, "setcounter": 2, "addtocounter": 2, "bibliographystyle": 1, "pagestyle": 1, "thispagestyle": 1,
	"newcommand": 2, "renewcommand": 2, "providecommand": 2, "newenvironment": 3, "renewenvironment": 3, "newtheorem": 2, "NewDocumentCommand": 3, "DeclarePairedDelimiter": 3, "definecolor": 3, "color": 1, "hypersetup": 1, "geometry": 1, "graphicspath": 1, "input": 1,
	"includeonly": 1, "pagenumbering": 1, "fontsize": 2, "selectfont": 0, "linespread": 1, "DeclareMathOperator": 2, "index": 1, "phantom": 1, "nocite": 1, "def": 1, "cline": 1, "cmidrule": 1, "rowcolor": 1,
	"columncolor": 1, "hyphenation": 1, "addbibresource": 1, "bibliography": 1, "markboth": 2, "markright": 1, "enlargethispage": 1, "captionsetup": 1, "rule": 2, "theoremstyle": 1, "lstset": 1, "numberwithin": 2, "arraystretch": 0,
}

// andMark stands between authors.
const andMark = `<br class="and">`

type commandFunc func(*writer, *scanner, *strings.Builder)

func commandTable() map[string]commandFunc {
	return map[string]commandFunc{
		"begin":     (*writer).begin,
		"end":       func(_ *writer, s *scanner, _ *strings.Builder) { s.group() },
		"title":     func(w *writer, s *scanner, _ *strings.Builder) { s.option(); w.title = w.convert(s.group()) },
		"author":    func(w *writer, s *scanner, _ *strings.Builder) { s.option(); w.author = w.convert(s.group()) },
		"date":      func(w *writer, s *scanner, _ *strings.Builder) { w.date = w.convert(s.group()) },
		"and":       func(_ *writer, _ *scanner, b *strings.Builder) { b.WriteString(andMark) },
		"maketitle": func(_ *writer, _ *scanner, b *strings.Builder) { b.WriteString(titleMark) },
		`\`:         func(_ *writer, s *scanner, b *strings.Builder) { s.option(); b.WriteString("<br>") },
		"newline":   func(_ *writer, _ *scanner, b *strings.Builder) { b.WriteString("<br>") },
		"(":         func(w *writer, s *scanner, b *strings.Builder) { w.inMath(s, b, `\)`, false) },
		"[":         func(w *writer, s *scanner, b *strings.Builder) { w.inMath(s, b, `\]`, true) },
		"footnote":  (*writer).footnote,
		"thanks":    (*writer).footnote,
		"href":      (*writer).href,
		"url":       func(_ *writer, s *scanner, b *strings.Builder) { link(b, s.address(), "") },
		"cite":      (*writer).cite, "citep": (*writer).cite, "citet": (*writer).cite, "parencite": (*writer).cite, "textcite": (*writer).cite, "autocite": (*writer).cite,
		"ref": reference, "eqref": reference, "autoref": reference, "cref": reference, "Cref": reference, "pageref": reference, "nameref": reference,
		"includegraphics": (*writer).graphic,
		"caption":         (*writer).caption,
		"verb":            (*writer).verb,
		"lstinline":       (*writer).verb,
		"input":           func(w *writer, s *scanner, _ *strings.Builder) { w.included++; s.group() },
		"include":         func(w *writer, s *scanner, _ *strings.Builder) { w.included++; s.group() },
		"bibliography":    func(w *writer, s *scanner, _ *strings.Builder) { w.included++; s.group() },
		"bibitem":         (*writer).bibitem,
		"textcolor": func(w *writer, s *scanner, b *strings.Builder) {
			s.option()
			s.group()
			b.WriteString(w.convert(s.group()))
		},
		"multicolumn": func(w *writer, s *scanner, b *strings.Builder) {
			s.group()
			s.group()
			b.WriteString(w.convert(s.group()))
		},
		"multirow": func(w *writer, s *scanner, b *strings.Builder) {
			s.group()
			s.group()
			b.WriteString(w.convert(s.group()))
		},
		"iffalse": func(_ *writer, s *scanner, _ *strings.Builder) { s.pass(`\fi`) },
		"hrule":   func(_ *writer, _ *scanner, b *strings.Builder) { b.WriteString("<hr>") },
	}
}

func (w *writer) inMath(s *scanner, b *strings.Builder, end string, display bool) {
	if tex, ok := s.math(end); ok {
		b.WriteString(w.formula(tex, display))
	}
}

func (w *writer) footnote(s *scanner, b *strings.Builder) {
	s.option()
	source := s.group()
	w.notes = append(w.notes, "")
	n := len(w.notes)
	w.notes[n-1] = w.convert(source)
	number := strconv.Itoa(n)
	b.WriteString(`<a href="#fn` + number + `">` + number + "</a>")
}

func link(b *strings.Builder, target, text string) {
	target = strings.NewReplacer(`\%`, "%", `\#`, "#", `\_`, "_", `\&`, "&", `\~`, "~").Replace(strings.TrimSpace(target))
	if text == "" {
		text = html.EscapeString(target)
	}
	b.WriteString(`<a href="` + html.EscapeString(target) + `">` + text + "</a>")
}

func (w *writer) href(s *scanner, b *strings.Builder) {
	target := s.address()
	link(b, target, w.convert(s.group()))
}

// cite shows the keys: the list of references is often in another file.
func (w *writer) cite(s *scanner, b *strings.Builder) {
	note := ""
	for {
		text, ok := s.option()
		if !ok {
			break
		}
		note = text
	}
	b.WriteString("[" + html.EscapeString(s.group()))
	if note != "" {
		b.WriteString(", " + w.convert(note))
	}
	b.WriteString("]")
}

func reference(_ *writer, s *scanner, b *strings.Builder) {
	b.WriteString("[" + html.EscapeString(s.group()) + "]")
}

func (w *writer) graphic(s *scanner, b *strings.Builder) {
	s.option()
	b.WriteString(`<img src="` + html.EscapeString(s.group()) + `" alt="">`)
}

func (w *writer) caption(s *scanner, b *strings.Builder) {
	s.option()
	b.WriteString("<figcaption>" + w.convert(s.group()) + "</figcaption>")
}

// verb reads \verb|text| with any delimiter.
func (w *writer) verb(s *scanner, b *strings.Builder) {
	s.option()
	if !s.more() {
		return
	}
	mark := s.peek()
	if mark == '{' {
		b.WriteString("<code>" + html.EscapeString(s.group()) + "</code>")
		return
	}
	end := strings.IndexByte(s.text[s.pos+1:], mark)
	if end < 0 {
		s.pos++
		return
	}
	b.WriteString("<code>" + html.EscapeString(s.text[s.pos+1:s.pos+1+end]) + "</code>")
	s.pos += end + 2
}

func (w *writer) bibitem(s *scanner, b *strings.Builder) {
	label, ok := s.option()
	key := s.group()
	if !ok {
		label = key
	}
	b.WriteString("<li>[" + w.convert(label) + "] ")
}
