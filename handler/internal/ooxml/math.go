package ooxml

import (
	"strings"

	"decant/handler/internal/xmltree"
)

// Math writes an equation (m:oMath, ECMA-376 part 1, 22.1) as LaTeX. exact is false when it has parts of a kind that is not
// known: their content is there, their form is not.
func Math(n *xmltree.Node) (latex string, exact bool) {
	w := mathWriter{exact: true}
	latex = strings.TrimSpace(w.children(n, 0))
	return latex, w.exact
}

// maxMathDepth bounds formulas in formulas.
const maxMathDepth = 200

type mathWriter struct{ exact bool }

// form is the method that writes a kind of element, or nil for elements that only hold others.
func (w *mathWriter) form(name string) func(*mathWriter, *xmltree.Node, int) string {
	switch name {
	case "m:r":
		return (*mathWriter).run
	case "m:f":
		return (*mathWriter).fraction
	case "m:sSup", "m:sSub", "m:sSubSup", "m:sPre":
		return (*mathWriter).scripts
	case "m:rad":
		return (*mathWriter).radical
	case "m:d":
		return (*mathWriter).delimiters
	case "m:nary":
		return (*mathWriter).nary
	case "m:func":
		return (*mathWriter).function
	case "m:acc":
		return (*mathWriter).accent
	case "m:bar":
		return (*mathWriter).bar
	case "m:groupChr":
		return (*mathWriter).groupCharacter
	case "m:limLow", "m:limUpp":
		return (*mathWriter).limit
	case "m:m":
		return (*mathWriter).matrix
	case "m:eqArr":
		return (*mathWriter).equations
	case "m:borderBox":
		return func(w *mathWriter, n *xmltree.Node, depth int) string {
			return `\boxed{` + w.part(n, "m:e", depth) + "}"
		}
	case "m:phant":
		return func(w *mathWriter, n *xmltree.Node, depth int) string { return w.part(n, "m:e", depth) }
	}
	return nil
}

func (w *mathWriter) children(n *xmltree.Node, depth int) string {
	if n == nil {
		return ""
	}
	if depth > maxMathDepth {
		w.exact = false
		return escapeMath(n.AllText())
	}
	var b strings.Builder
	for _, c := range n.Children {
		if c.Name != "" {
			join(&b, w.element(c, depth+1))
		}
	}
	return b.String()
}

// join adds a piece, with a space where a command would swallow its first letter.
func join(b *strings.Builder, piece string) {
	if piece == "" {
		return
	}
	if endsInCommand(b.String()) && isLetter(piece[0]) {
		b.WriteByte(' ')
	}
	b.WriteString(piece)
}

func endsInCommand(text string) bool {
	const longestCommand = 40
	end := len(text)
	for end > 0 && isLetter(text[end-1]) && len(text)-end < longestCommand {
		end--
	}
	return end > 0 && end < len(text) && text[end-1] == '\\'
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (w *mathWriter) element(n *xmltree.Node, depth int) string {
	if form := w.form(n.Name); form != nil {
		return form(w, n, depth)
	}
	switch {
	case n.Name == "w:r", n.Name == "m:box", n.Name == "m:e", n.Name == "m:oMath", strings.HasPrefix(n.Name, "w:ins"), n.Name == "w:moveTo", n.Name == "w:hyperlink", n.Name == "w:sdt", n.Name == "w:sdtContent", n.Name == "mc:AlternateContent", n.Name == "mc:Choice":
		return w.children(n, depth)
	case n.Name == "w:t", n.Name == "m:t", n.Name == "a:t":
		return escapeMath(n.AllText())
	case strings.HasSuffix(n.Name, "Pr"), strings.HasPrefix(n.Name, "w:"), strings.HasPrefix(n.Name, "mc:"):
		return ""
	}
	w.exact = false
	return w.children(n, depth)
}

func (w *mathWriter) part(n *xmltree.Node, name string, depth int) string {
	return strings.TrimSpace(w.children(n.Child(name), depth))
}

func value(n *xmltree.Node, otherwise string, path ...string) string {
	if v, ok := n.Child(path...).Lookup("m:val"); ok {
		return v
	}
	return otherwise
}

func isOn(n *xmltree.Node, path ...string) bool {
	node := n.Child(path...)
	v := node.Attr("m:val")
	return node != nil && v != "0" && v != "off" && v != "false"
}

// run writes a run of characters in its alphabet.
func (w *mathWriter) run(n *xmltree.Node, _ int) string {
	var b strings.Builder
	for _, c := range n.Children {
		switch c.Name {
		case "m:t", "w:t", "a:t":
			b.WriteString(c.AllText())
		case "w:tab", "w:br":
			b.WriteByte(' ')
		}
	}
	text := b.String()
	if strings.TrimSpace(text) == "" {
		return text
	}
	pr := n.Child("m:rPr")
	if isOn(pr, "m:nor") || isPhrase(text) {
		return `\text{` + escapeText(text) + "}"
	}
	if command := alphabetCommand(value(pr, "", "m:scr"), value(pr, "", "m:sty"), text); command != "" {
		return command + "{" + escapeMath(text) + "}"
	}
	return escapeMath(text)
}

func alphabetCommand(script, style, text string) string {
	switch script {
	case "double-struck":
		return `\mathbb`
	case "script":
		return `\mathcal`
	case "fraktur":
		return `\mathfrak`
	case "sans-serif":
		return `\mathsf`
	case "monospace":
		return `\mathtt`
	}
	switch {
	case style == "b":
		return `\mathbf`
	case style == "bi":
		return `\boldsymbol`
	case style == "p" && len(text) > 1 && isWord(text) && mathFunctions[text] == "":
		return `\mathrm`
	}
	return ""
}

// isPhrase tells whether a run is words rather than letters of a formula: LaTeX would run them together.
func isPhrase(text string) bool {
	words := strings.Fields(text)
	for _, word := range words {
		if !isWord(word) || len(word) < 2 {
			return false
		}
	}
	return len(words) > 1
}

func isWord(text string) bool {
	for i := range len(text) {
		if !isLetter(text[i]) {
			return false
		}
	}
	return true
}

func (w *mathWriter) fraction(n *xmltree.Node, depth int) string {
	above, below := w.part(n, "m:num", depth), w.part(n, "m:den", depth)
	switch value(n, "bar", "m:fPr", "m:type") {
	case "lin":
		return group(above) + "/" + group(below)
	case "skw":
		return `{}^{` + above + `}/_{` + below + `}`
	case "noBar":
		return `\genfrac{}{}{0pt}{}{` + above + `}{` + below + `}`
	}
	return `\frac{` + above + `}{` + below + `}`
}

// group puts braces around what is more than one token.
func group(text string) string {
	if len([]rune(text)) <= 1 {
		return text
	}
	return "{" + text + "}"
}

func (w *mathWriter) scripts(n *xmltree.Node, depth int) string {
	scripts := ""
	if sub := w.part(n, "m:sub", depth); sub != "" {
		scripts += "_{" + sub + "}"
	}
	if sup := w.part(n, "m:sup", depth); sup != "" {
		scripts += "^{" + sup + "}"
	}
	base := w.part(n, "m:e", depth)
	if n.Name == "m:sPre" {
		return "{}" + scripts + base
	}
	return baseOf(base) + scripts
}

// baseOf braces a base that is more than a letter, a command or a pair of delimiters.
func baseOf(base string) string {
	switch {
	case len([]rune(base)) <= 1 && base != "":
		return base
	case strings.HasPrefix(base, `\left`) && strings.Count(base, `\left`) == 1 && closes(base):
		return base
	case strings.HasPrefix(base, `\`) && isWord(base[1:]):
		return base
	case strings.HasPrefix(base, "{") && strings.HasSuffix(base, "}") && strings.Count(base, "{") == 1:
		return base
	}
	return "{" + base + "}"
}

// closes tells whether the one \right of base is its end.
func closes(base string) bool {
	i := strings.LastIndex(base, `\right`)
	return i >= 0 && len([]rune(strings.TrimPrefix(base[i+len(`\right`):], `\`))) <= 1
}

func (w *mathWriter) radical(n *xmltree.Node, depth int) string {
	degree := w.part(n, "m:deg", depth)
	if degree == "" || isOn(n, "m:radPr", "m:degHide") {
		return `\sqrt{` + w.part(n, "m:e", depth) + "}"
	}
	return `\sqrt[` + degree + `]{` + w.part(n, "m:e", depth) + "}"
}

func (w *mathWriter) delimiters(n *xmltree.Node, depth int) string {
	pr := n.Child("m:dPr")
	var parts []string
	for _, e := range n.All("m:e") {
		parts = append(parts, strings.TrimSpace(w.children(e, depth)))
	}
	separator := value(pr, "|", "m:sepChr")
	if separator == "|" && len(parts) > 1 {
		separator = `\middle|`
	}
	inner := strings.Join(parts, separator)
	open, end := value(pr, "(", "m:begChr"), value(pr, ")", "m:endChr")
	if open == "{" && end == "" && strings.HasPrefix(inner, `\begin{aligned}`) {
		return `\begin{cases}` + strings.TrimSuffix(strings.TrimPrefix(inner, `\begin{aligned}`), `\end{aligned}`) + `\end{cases}`
	}
	var b strings.Builder
	b.WriteString(`\left` + delimiter(open))
	join(&b, inner)
	b.WriteString(`\right` + delimiter(end))
	return b.String()
}

func delimiter(c string) string {
	switch c {
	case "":
		return "."
	case "{", "}":
		return `\` + c
	}
	return strings.TrimRight(escapeMath(c), " ")
}

func (w *mathWriter) nary(n *xmltree.Node, depth int) string {
	pr := n.Child("m:naryPr")
	var b strings.Builder
	b.WriteString(strings.TrimSpace(escapeMath(value(pr, "∫", "m:chr"))))
	if sub := w.part(n, "m:sub", depth); sub != "" && !isOn(pr, "m:subHide") {
		b.WriteString("_{" + sub + "}")
	}
	if sup := w.part(n, "m:sup", depth); sup != "" && !isOn(pr, "m:supHide") {
		b.WriteString("^{" + sup + "}")
	}
	join(&b, w.part(n, "m:e", depth))
	return b.String()
}

func (w *mathWriter) function(n *xmltree.Node, depth int) string {
	name := functionName(w.part(n, "m:fName", depth))
	var b strings.Builder
	b.WriteString(name)
	argument := w.part(n, "m:e", depth)
	if strings.HasPrefix(argument, `\left`) || strings.HasPrefix(argument, "(") {
		join(&b, argument)
	} else {
		b.WriteString("{" + argument + "}")
	}
	return b.String()
}

// functionName is the command of a function's name, with the scripts that may follow it.
func functionName(name string) string {
	for _, wrapper := range []string{`\mathrm{`, `\text{`} {
		if inner, ok := strings.CutPrefix(name, wrapper); ok {
			if end := strings.IndexByte(inner, '}'); end >= 0 {
				name = inner[:end] + inner[end+1:]
			}
		}
	}
	name = strings.TrimPrefix(name, "{")
	end := 0
	for end < len(name) && isLetter(name[end]) {
		end++
	}
	word, rest := name[:end], strings.TrimPrefix(name[end:], "}")
	switch {
	case word == "":
		return name
	case mathFunctions[word] != "":
		return mathFunctions[word] + rest
	case len(word) > 1:
		return `\operatorname{` + word + "}" + rest
	}
	return name
}

func (w *mathWriter) accent(n *xmltree.Node, depth int) string {
	command, ok := accents[value(n, "\u0302", "m:accPr", "m:chr")]
	if !ok {
		w.exact = false
		command = `\hat`
	}
	return command + "{" + w.part(n, "m:e", depth) + "}"
}

func (w *mathWriter) bar(n *xmltree.Node, depth int) string {
	if value(n, "bot", "m:barPr", "m:pos") == "top" {
		return `\overline{` + w.part(n, "m:e", depth) + "}"
	}
	return `\underline{` + w.part(n, "m:e", depth) + "}"
}

func (w *mathWriter) groupCharacter(n *xmltree.Node, depth int) string {
	pr := n.Child("m:groupChrPr")
	char, inner := value(pr, "⏟", "m:chr"), w.part(n, "m:e", depth)
	if command, ok := groupCharacters[char]; ok {
		return command + "{" + inner + "}"
	}
	if value(pr, "bot", "m:pos") == "top" {
		return `\overset{` + strings.TrimSpace(escapeMath(char)) + `}{` + inner + "}"
	}
	return `\underset{` + strings.TrimSpace(escapeMath(char)) + `}{` + inner + "}"
}

func (w *mathWriter) limit(n *xmltree.Node, depth int) string {
	base, limit := w.part(n, "m:e", depth), w.part(n, "m:lim", depth)
	script, set := "_", `\underset{`
	if n.Name == "m:limUpp" {
		script, set = "^", `\overset{`
	}
	name := functionName(base)
	if strings.HasPrefix(name, `\`) && name != base || strings.HasPrefix(base, `\underbrace`) || strings.HasPrefix(base, `\overbrace`) || isOperator(base) {
		return name + script + "{" + limit + "}"
	}
	return set + limit + "}{" + base + "}"
}

func isOperator(base string) bool {
	for _, command := range mathFunctions {
		if base == command {
			return true
		}
	}
	return false
}

func (w *mathWriter) matrix(n *xmltree.Node, depth int) string {
	var rows []string
	for _, row := range n.All("m:mr") {
		var cells []string
		for _, e := range row.All("m:e") {
			cells = append(cells, strings.TrimSpace(w.children(e, depth)))
		}
		rows = append(rows, strings.Join(cells, " & "))
	}
	return `\begin{matrix}` + strings.Join(rows, ` \\ `) + `\end{matrix}`
}

// equations writes an array of equations; "&" in it marks where they align.
func (w *mathWriter) equations(n *xmltree.Node, depth int) string {
	var rows []string
	for _, e := range n.All("m:e") {
		rows = append(rows, strings.ReplaceAll(strings.TrimSpace(w.children(e, depth)), `\&`, "&"))
	}
	if len(rows) == 1 {
		return strings.ReplaceAll(rows[0], "&", "")
	}
	return `\begin{aligned}` + strings.Join(rows, ` \\ `) + `\end{aligned}`
}
