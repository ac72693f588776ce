package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// Styles are the looks that a style sheet gives to classes: ".name" or "element.name". Office programs and typesetting programs write
// <span class="c3"> where people write <b>.
type Styles map[string]doc.Marks

// Limits of style sheets.
const (
	maxSheet = 1 << 20 // bytes that are read of one
	maxRules = 20_000  // selectors that are kept
)

// classLooks are the looks that classes may give; underlines are those of links mostly.
const classLooks = doc.Strong | doc.Emphasis | doc.Strike | doc.Superscript | doc.Subscript

// ParseStyles reads a style sheet. Only rules for classes by themselves are read, and no rules for other media.
func ParseStyles(sheet string) Styles {
	styles := Styles{}
	styles.read(sheet[:min(len(sheet), maxSheet)])
	return styles
}

func (s Styles) read(sheet string) {
	sheet = withoutComments(sheet)
	for len(s) < maxRules {
		head, rest, ok := strings.Cut(sheet, "{")
		if !ok {
			return
		}
		if i := strings.LastIndexAny(head, ";}"); i >= 0 { // @import "x"; and stray ends
			head = head[i+1:]
		}
		head = strings.TrimSpace(head)
		body, after := blockOf(rest)
		sheet = after
		switch {
		case strings.HasPrefix(head, "@media") && !strings.Contains(head, "print"):
			s.read(body)
		case strings.HasPrefix(head, "@"):
		default:
			s.rule(head, body)
		}
	}
}

// rule keeps the looks of one rule.
func (s Styles) rule(selectors, body string) {
	marks := styleMarks(body) & classLooks
	if marks == 0 {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.ToLower(strings.TrimSpace(selector))
		element, class, ok := strings.Cut(selector, ".")
		if ok && class != "" && !strings.ContainsAny(class, " .:>+~[*#") && !strings.ContainsAny(element, " :>+~[*#") && len(s) < maxRules {
			s[selector] |= marks
		}
	}
}

// blockOf is what stands before the brace that closes the block, and what comes after it.
func blockOf(text string) (body, after string) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

func withoutComments(sheet string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(sheet, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if _, sheet, ok = strings.Cut(rest, "*/"); !ok {
			return b.String()
		}
	}
}

// readStyles adds the style sheets that an element holds or names.
func (b *builder) readStyles(n *html.Node) {
	switch {
	case n.Data == "style":
		b.styles = append(b.styles, ParseStyles(rawStyle(n)))
	case b.o.Styles != nil && strings.Contains(strings.ToLower(attr(n, "rel")), "stylesheet"):
		if styles := b.o.Styles(attr(n, "href")); len(styles) > 0 {
			b.styles = append(b.styles, styles)
		}
	}
}

func rawStyle(n *html.Node) string {
	var text strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		text.WriteString(c.Data)
	}
	return text.String()
}

// classMarks are the looks that an element has by its classes.
func (b *builder) classMarks(n *html.Node) doc.Marks {
	if len(b.styles) == 0 {
		return 0
	}
	var marks doc.Marks
	for class := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
		for _, styles := range b.styles {
			marks |= styles["."+class] | styles[n.Data+"."+class]
		}
	}
	return marks
}

// hasNormalWeight tells a bold element that its own style makes normal again: what word processors put around all that is copied from them.
func hasNormalWeight(n *html.Node) bool {
	style := spaces.Replace(strings.ToLower(attr(n, "style")))
	return strings.Contains(style, "font-weight:normal") || strings.Contains(style, "font-weight:400")
}
