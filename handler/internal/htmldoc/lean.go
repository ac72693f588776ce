package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// tagBytes is about what one tag costs in memory while a page is read: its node, and its share of the blocks.
const tagBytes = 450

// Cost estimates the memory in bytes that Convert needs for a page.
func Cost(text string) int64 { return int64(strings.Count(text, "<"))*tagBytes + 2*int64(len(text)) }

// PlainText gives the text of a page without building a tree, for pages that are too large for one: a line for each block,
// tabs between cells, marks before headings and items. Scripts and styles are left out.
func PlainText(text string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	skip := ""
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if skip == "" {
				writeFolded(&b, string(z.Text()))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw, _ := z.TagName()
			name := string(raw)
			switch {
			case kind == html.EndTagToken && name == skip:
				skip = ""
			case kind == html.StartTagToken && skip == "" && (name == "script" || name == "style" || name == "template" || name == "svg"):
				skip = name
			case skip == "":
				writeMark(&b, name, kind == html.StartTagToken)
			}
		}
	}
}

// lineMarks stand before the text of a block.
var lineMarks = map[string]string{"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### ", "li": "- "}

func writeMark(b *strings.Builder, name string, opens bool) {
	switch {
	case inlineNames[name] || name == "img" || name == "wbr" || name == "input":
	case name == "td" || name == "th":
		if opens {
			b.WriteByte('\t')
		}
	default:
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
		if opens {
			b.WriteString(lineMarks[name])
		}
	}
}

// writeFolded writes text with its white space folded.
func writeFolded(b *strings.Builder, text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	if s := b.String(); s != "" && strings.TrimLeft(text, " \t\r\n\f") != text && !strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\t") && !strings.HasSuffix(s, " ") {
		b.WriteByte(' ')
	}
	b.WriteString(strings.Join(words, " "))
	if strings.TrimRight(text, " \t\r\n\f") != text {
		b.WriteByte(' ')
	}
}
