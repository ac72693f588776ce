package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// math adds a MathML element as LaTeX, as a formula of its own when it is displayed so.
func (f *flow) math(n *html.Node, _ look) {
	tex := LaTeX(n)
	if tex == "" {
		return
	}
	display := attr(n, "display") == "block" || attr(n, "mode") == "display" || hasClass(n.Parent, "mwe-math-mathml-display")
	f.formula(tex, display)
}

func (f *flow) formula(tex string, display bool) {
	if display {
		f.flush()
		f.emit(doc.Block{Kind: doc.Formula, Text: tex})
		return
	}
	f.add(doc.Inline{Kind: doc.Math, Text: tex})
}

// texScript reads the scripts in which MathJax keeps its source.
func (f *flow) texScript(n *html.Node) {
	tex := ""
	if n.FirstChild != nil {
		tex = strings.TrimSpace(n.FirstChild.Data)
	}
	if tex != "" {
		f.formula(tex, strings.Contains(attr(n, "type"), "mode=display"))
	}
}

// texSpan reads pandoc's <span class="math inline">\(x\)</span>.
func (f *flow) texSpan(n *html.Node) {
	if m := find(n, "math"); m != nil {
		f.math(m, look{})
		return
	}
	tex := strings.TrimSpace(rawTextOf(n))
	for _, pair := range [][2]string{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}, {"$", "$"}} {
		if strings.HasPrefix(tex, pair[0]) && strings.HasSuffix(tex, pair[1]) && len(tex) >= 4 {
			tex = strings.TrimSpace(tex[len(pair[0]) : len(tex)-len(pair[1])])
			break
		}
	}
	if tex != "" {
		f.formula(tex, hasClass(n, "display"))
	}
}

// LaTeX gives a MathML element as LaTeX: its TeX annotation when it has one, otherwise translated.
// Names are taken without a prefix, so that "mml:mfrac" of JATS is read too.
func LaTeX(n *html.Node) string {
	for d := range n.Descendants() {
		if localName(d) == "annotation" && strings.Contains(attr(d, "encoding"), "tex") {
			tex := strings.TrimSpace(contentOf(d))
			tex = strings.TrimSuffix(strings.TrimPrefix(tex, `{\displaystyle `), "}")
			if strings.HasPrefix(strings.TrimSpace(contentOf(d)), `{\displaystyle `) {
				return strings.TrimSpace(tex)
			}
			return strings.TrimSpace(contentOf(d))
		}
	}
	return strings.TrimSpace(doubleSpace.Replace(mathChildren(n)))
}

var doubleSpace = strings.NewReplacer("  ", " ", "\n", " ", "\t", " ")

func localName(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	if _, local, ok := strings.Cut(n.Data, ":"); ok {
		return local
	}
	return n.Data
}

func mathChildren(n *html.Node) string {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			parts = append(parts, mathText(c.Data))
		} else if tex := mathNode(c); tex != "" {
			parts = append(parts, tex)
		}
	}
	return join(parts)
}

// join puts a space between pieces where a command would run into a letter.
func join(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		if s := b.String(); s != "" && p != "" && endsInCommand(s) && isASCIILetter(p[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

func endsInCommand(s string) bool {
	i := len(s)
	for i > 0 && isASCIILetter(s[i-1]) {
		i--
	}
	return i < len(s) && i > 0 && s[i-1] == '\\'
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// mathNode translates one element; the table of two-, three- and four-part elements is in mathparts.go.
func mathNode(n *html.Node) string {
	name := localName(n)
	if parts, ok := mathParts[name]; ok {
		return parts(mathArguments(n))
	}
	switch name {
	case "":
		return ""
	case "mi":
		return identifier(n)
	case "mn":
		return mathText(rawTextOf(n))
	case "mo":
		return operator(strings.TrimSpace(rawTextOf(n)))
	case "mtext", "ms":
		if text := rawTextOf(n); strings.TrimSpace(text) != "" {
			return `\text{` + escapeText(text) + `}`
		}
		return " "
	case "mspace":
		return space(attr(n, "width"))
	case "mlongdiv", "mstack", "msgroup":
		return strings.Join(mathArguments(n), " ")
	case "mrow", "math", "mstyle":
		if opensOnly(n) {
			return `\left` + mathChildren(n) + `\right.`
		}
	case "msqrt":
		return `\sqrt{` + mathChildren(n) + `}`
	case "mfenced":
		return fenced(n)
	case "mtable":
		return matrix(n)
	case "mphantom", "annotation", "annotation-xml", "none", "mprescripts":
		return ""
	case "menclose":
		return `\boxed{` + mathChildren(n) + `}`
	case "mmultiscripts":
		return multiscripts(n)
	}
	return mathChildren(n)
}

// space gives a width as the LaTeX space next to it. A space is never written as a blank behind a backslash: blanks get trimmed.
func space(width string) string {
	number := strings.TrimRight(strings.TrimSpace(width), "abcdefghijklmnopqrstuvwxyz%")
	em, err := strconv.ParseFloat(number, 64)
	if strings.HasSuffix(width, "px") || strings.HasSuffix(width, "pt") {
		em /= 16
	}
	switch {
	case err != nil && strings.HasSuffix(width, "mathspace"):
		return `\,`
	case em >= 2:
		return `\qquad `
	case em >= 1:
		return `\quad `
	case em >= 0.25:
		return `\;`
	case em > 0:
		return `\,`
	}
	return ""
}

// opensOnly tells a row that begins with a brace before a table, as in a distinction of cases, and has none that closes it.
func opensOnly(n *html.Node) bool {
	list := elements(n)
	if len(list) < 2 || localName(list[0]) != "mo" || !strings.Contains("{[(", strings.TrimSpace(rawTextOf(list[0]))) || strings.TrimSpace(rawTextOf(list[0])) == "" {
		return false
	}
	last := list[len(list)-1]
	if localName(last) == "mo" && strings.Contains("}])", strings.TrimSpace(rawTextOf(last))) {
		return false
	}
	for d := range list[1].Descendants() {
		if localName(d) == "mtable" {
			return true
		}
	}
	return localName(list[1]) == "mtable"
}

func mathArguments(n *html.Node) []string {
	var list []string
	for _, c := range elements(n) {
		list = append(list, mathNode(c))
	}
	return list
}

func identifier(n *html.Node) string {
	text := strings.TrimSpace(rawTextOf(n))
	variant := attr(n, "mathvariant")
	switch {
	case mathFunctions[text]:
		return `\` + text + " "
	case len([]rune(text)) > 1:
		return `\mathrm{` + mathText(text) + `}`
	case variant == "bold" || variant == "bold-italic":
		return `\mathbf{` + mathText(text) + `}`
	case variant == "double-struck":
		return `\mathbb{` + mathText(text) + `}`
	case variant == "script":
		return `\mathcal{` + mathText(text) + `}`
	case variant == "fraktur":
		return `\mathfrak{` + mathText(text) + `}`
	}
	return mathText(text)
}

func fenced(n *html.Node) string {
	open, end, separators := "(", ")", ","
	if hasAttr(n, "open") {
		open = attr(n, "open")
	}
	if hasAttr(n, "close") {
		end = attr(n, "close")
	}
	if hasAttr(n, "separators") {
		separators = strings.TrimSpace(attr(n, "separators"))
	}
	if len(separators) > 1 {
		separators = separators[:1]
	}
	return `\left` + delimiter(open) + strings.Join(mathArguments(n), separators) + `\right` + delimiter(end)
}

func delimiter(s string) string {
	switch strings.TrimSpace(s) {
	case "":
		return "."
	case "{", "}":
		return `\` + s
	}
	return operator(s)
}

func matrix(n *html.Node) string {
	var rows []string
	for _, tr := range elements(n) {
		if localName(tr) == "mtr" || localName(tr) == "mlabeledtr" {
			rows = append(rows, strings.Join(mathArguments(tr), " & "))
		}
	}
	return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
}

func multiscripts(n *html.Node) string {
	list := elements(n)
	if len(list) == 0 {
		return ""
	}
	base, before := mathNode(list[0]), false
	left, right := "", ""
	for i := 1; i < len(list); i++ {
		if localName(list[i]) == "mprescripts" {
			before = true
			continue
		}
		sub, sup := mathNode(list[i]), ""
		if i+1 < len(list) && localName(list[i+1]) != "mprescripts" {
			i++
			sup = mathNode(list[i])
		}
		scripts := ""
		if sub != "" {
			scripts += "_{" + sub + "}"
		}
		if sup != "" {
			scripts += "^{" + sup + "}"
		}
		if before {
			left += "{}" + scripts
		} else {
			right += scripts
		}
	}
	return left + base + right
}
