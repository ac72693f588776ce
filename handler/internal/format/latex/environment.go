package latex

import (
	"html"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// mathEnvironments are kept as they are.
var mathEnvironments = map[string]bool{
	"equation": true, "align": true, "gather": true, "multline": true, "eqnarray": true, "displaymath": true, "math": true, "flalign": true, "alignat": true, "dmath": true,
}

var lists = map[string]string{"itemize": "ul", "enumerate": "ol", "description": "dl", "compactitem": "ul", "compactenum": "ol", "thebibliography": "bib", "inparaenum": "ol"}

var tables = map[string]int{"tabular": 1, "tabularx": 2, "tabulary": 2, "longtable": 1, "array": 1, "supertabular": 1, "tabu": 1} // arguments before the body

// begin reads an environment whole and writes it.
func (w *writer) begin(s *scanner, b *strings.Builder) {
	full := s.group()
	if strings.ContainsAny(full, "\\{}") || full == "" {
		return
	}
	body := s.environment(full)
	name := strings.TrimSuffix(full, "*")
	if e, ok := w.environments[full]; ok && w.replaced < maxMacros {
		w.replaced++
		b.WriteString(w.convert(e.around(body)))
		return
	}
	switch {
	case mathEnvironments[name]:
		w.display(b, name, body)
	case lists[name] != "":
		w.list(b, lists[name], body)
	case tables[name] > 0:
		w.tabular(b, body, tables[name]+starred(full))
	case name == "verbatim" || name == "lstlisting" || name == "minted" || name == "Verbatim" || name == "alltt":
		listing(b, name, body)
	case name == "figure" || name == "table" || name == "wrapfigure" || name == "algorithm" || name == "sidewaystable":
		inner := scanner{text: body}
		inner.option()
		b.WriteString("<figure>" + w.convert(body[inner.pos:]) + "</figure>")
	case name == "quote" || name == "quotation" || name == "verse":
		b.WriteString("<blockquote>" + w.convert(body) + "</blockquote>")
	case name == "abstract":
		b.WriteString("<h2>Abstract</h2><div>" + w.convert(body) + "</div>")
	case name == "comment" || name == "tikzpicture" || name == "pgfpicture" || name == "filecontents":
	default:
		w.block(b, name, body)
	}
}

func starred(name string) int {
	if strings.HasSuffix(name, "*") && strings.HasPrefix(name, "tabular") {
		return 1
	}
	return 0
}

var titled = lazyregexp.New(`(?i)^(theorem|lemma|proof|definition|corollary|proposition|remark|example|claim|conjecture|note)$`)

// block is an environment that is text: a theorem gets its name in front.
func (w *writer) block(b *strings.Builder, name, body string) {
	inner := scanner{text: body}
	title, hasTitle := inner.option()
	body = body[inner.pos:]
	b.WriteString("<div>")
	kind := w.theorems[name]
	if kind == "" && titled.MatchString(name) {
		kind = strings.ToUpper(name[:1]) + name[1:]
	}
	if kind != "" {
		b.WriteString("<strong>" + kind)
		if hasTitle {
			b.WriteString(" (" + w.convert(title) + ")")
		}
		b.WriteString(".</strong> ")
	} else if name == "minipage" || name == "multicols" || name == "columns" || name == "column" || name == "frame" || name == "subfigure" {
		s := scanner{text: body}
		if s.spaces(); s.peek() == '{' {
			argument := s.group()
			body = body[s.pos:]
			if name == "frame" {
				b.WriteString("<h2>" + w.convert(argument) + "</h2>")
			}
		}
	}
	b.WriteString(w.convert(body) + "</div>\n")
}

var labels = lazyregexp.New(`\\label\{[^}]*\}|\\nonumber\b|\\notag\b`)

func (w *writer) display(b *strings.Builder, name, body string) {
	body = strings.TrimSpace(labels.ReplaceAllString(body, ""))
	switch name {
	case "align", "flalign", "eqnarray", "alignat":
		body = `\begin{aligned} ` + body + ` \end{aligned}`
	case "gather", "multline":
		body = `\begin{gathered} ` + body + ` \end{gathered}`
	}
	b.WriteString(w.formula(body, name != "math"))
}

// listing keeps a program as it is. Its language is an option or an argument.
func listing(b *strings.Builder, name, body string) {
	s := scanner{text: body}
	options, _ := s.option()
	language := ""
	if _, after, ok := strings.Cut(options, "language="); ok {
		language, _, _ = strings.Cut(after, ",")
	}
	if name == "minted" {
		language = s.group()
	}
	b.WriteString(`<pre data-lang="` + html.EscapeString(strings.Trim(strings.ToLower(language), "{} ")) + `">` + "\n" + html.EscapeString(strings.Trim(body[s.pos:], "\n")) + "</pre>")
}

// list writes items. Everything up to the next \item on this level belongs to one.
func (w *writer) list(b *strings.Builder, tag, body string) {
	if tag == "bib" {
		s := scanner{text: body}
		s.group()
		b.WriteString("<h2>References</h2><ul>" + w.convert(body[s.pos:]) + "</ul>")
		return
	}
	b.WriteString("<" + tag + ">")
	for _, item := range items(body) {
		s := scanner{text: item}
		label, hasLabel := s.option()
		content := w.convert(item[s.pos:])
		switch {
		case tag == "dl":
			b.WriteString("<dt>" + w.convert(label) + "</dt><dd>" + content + "</dd>")
		case hasLabel:
			b.WriteString("<li>" + w.convert(label) + " " + content + "</li>")
		default:
			b.WriteString("<li>" + content + "</li>")
		}
	}
	b.WriteString("</" + tag + ">\n")
}

// items cuts at every \item that is not inside an environment or a group.
func items(body string) []string {
	var list []string
	start, depth := -1, 0
	for at := 0; at < len(body); at++ {
		if body[at] == '%' && (at == 0 || body[at-1] != '\\') {
			if end := strings.IndexByte(body[at:], '\n'); end >= 0 {
				at += end
			} else {
				at = len(body)
			}
			continue
		}
		if body[at] != '\\' {
			continue
		}
		switch rest := body[at:]; {
		case strings.HasPrefix(rest, `\begin{`):
			depth++
		case strings.HasPrefix(rest, `\end{`):
			depth--
		case depth == 0 && strings.HasPrefix(rest, `\item`) && (len(rest) == 5 || !isLetter(rest[5])):
			if start >= 0 {
				list = append(list, body[start:at])
			}
			start = at + len(`\item`)
		}
		at++
	}
	if start >= 0 {
		list = append(list, body[start:])
	}
	return list
}
