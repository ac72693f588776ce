package latex

import (
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

var (
	rules      = lazyregexp.New(`\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|cline\s*\{[^}]*\}|cmidrule\s*(?:\([^)]*\))?\s*\{[^}]*\}|specialrule\s*\{[^}]*\}\{[^}]*\}\{[^}]*\}|addlinespace(?:\[[^\]]*\])?)`)
	headEnd    = lazyregexp.New(`\\(?:hline|midrule|endhead|endfirsthead)`)
	headMark   = lazyregexp.New(`\\(?:midrule|endhead|endfirsthead)\b`)
	spanned    = lazyregexp.New(`^\s*\\multicolumn\s*\{(\d+)\}`)
	spannedRow = lazyregexp.New(`\\multirow\s*(?:\[[^\]]*\])?\s*\{(-?\d+)\}`)
)

// tabular writes a table. The rows above its \midrule are headers, or its first row when any rule follows it and rows follow the rule.
func (w *writer) tabular(b *strings.Builder, body string, arguments int) {
	s := scanner{text: body}
	s.option()
	for range arguments {
		s.group()
	}
	body = body[s.pos:]
	rows := cut(body, `\\`)
	b.WriteString(`<table role="table">`)
	caption, header := "", headRows(rows)
	n := 0
	covered := map[int]int{} // column → rows below that a \multirow covers
	for _, row := range rows {
		row = rules.ReplaceAllString(row, "")
		if at := strings.Index(row, `\caption`); at >= 0 {
			c := scanner{text: row, pos: at + len(`\caption`)}
			c.option()
			caption = w.convert(c.group())
			row = row[:at] + row[c.pos:]
		}
		if strings.TrimSpace(comments.ReplaceAllString(row, "")) == "" {
			continue
		}
		w.row(b, row, n < header, covered)
		n++
	}
	if caption != "" {
		b.WriteString("<caption>" + caption + "</caption>")
	}
	b.WriteString("</table>\n")
}

// maxHead is how many rows of a header are believed.
const maxHead = 5

func headRows(rows []string) int {
	filled := 0
	for i, row := range rows {
		if i > 0 && headMark.MatchString(leading(row)) {
			if filled <= maxHead && i < len(rows)-1 {
				return filled
			}
			break
		}
		if strings.TrimSpace(comments.ReplaceAllString(rules.ReplaceAllString(row, ""), "")) != "" && !strings.Contains(row, `\caption`) {
			filled++
		}
	}
	if len(rows) > 2 && headEnd.MatchString(leading(rows[1])) {
		return 1
	}
	return 0
}

var comments = lazyregexp.New(`(?m)(^|[^\\])%.*$`)

// leading is what stands in front of a row's first cell: rules.
func leading(row string) string {
	return row[:len(row)-len(strings.TrimLeft(rules.ReplaceAllStringFunc(row, func(m string) string { return strings.Repeat(" ", len(m)) }), " \n\t\r"))]
}

// row writes the cells of a row. LaTeX has an empty cell where a row above reaches down, HTML has none.
func (w *writer) row(b *strings.Builder, row string, header bool, covered map[int]int) {
	tag := "td"
	if header {
		tag = "th"
	}
	b.WriteString("<tr>")
	column, width := 0, 1
	for i, cell := range cut(row, "&") {
		if i > 0 {
			column += width
		}
		width = 1
		if covered[column] > 0 {
			if covered[column]--; strings.TrimSpace(cell) == "" {
				continue
			}
		}
		b.WriteString("<" + tag)
		if m := spanned.FindStringSubmatch(cell); m != nil {
			b.WriteString(` colspan="` + m[1] + `"`)
			if n, err := strconv.Atoi(m[1]); err == nil && n < 1000 {
				width = max(n, 1)
			}
		}
		if m := spannedRow.FindStringSubmatch(cell); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n > 1 {
				b.WriteString(` rowspan="` + m[1] + `"`)
				covered[column] = n - 1
			}
		}
		b.WriteString(">" + w.convert(strings.TrimSpace(cell)) + "</" + tag + ">")
	}
	b.WriteString("</tr>\n")
}

// cut parts source at a mark that is not escaped and not inside a group or an environment.
func cut(source, mark string) []string {
	var list []string
	start, depth := 0, 0
	for at := 0; at < len(source); at++ {
		switch c := source[at]; {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '%' && (at == 0 || source[at-1] != '\\'):
			if end := strings.IndexByte(source[at:], '\n'); end >= 0 {
				at += end
			}
		case strings.HasPrefix(source[at:], `\begin{`):
			depth++
		case strings.HasPrefix(source[at:], `\end{`):
			depth--
		case depth <= 0 && strings.HasPrefix(source[at:], mark):
			list = append(list, source[start:at])
			at += len(mark) - 1
			if mark == `\\` && strings.HasPrefix(source[at+1:], "[") {
				if end := strings.IndexByte(source[at+1:], ']'); end >= 0 && end < 20 {
					at += end + 1
				}
			}
			start = at + 1
		case c == '\\':
			at++
		}
	}
	return append(list, source[start:])
}
