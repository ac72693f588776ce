package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tree parses text as a browser does, without scripting. The parser of x/net/html refuses more than 512 open elements;
// for such a page the innermost containers are left out before parsing, and flattened is true.
func Tree(text string) (root *html.Node, flattened bool) {
	if root, err := parseTree(text); err == nil {
		return root, false
	}
	for _, depth := range flattenDepths {
		if root, err := parseTree(flatten(text, depth)); err == nil {
			return root, true
		}
	}
	return plainTree(text), true
}

// flattenDepths are tried in turn. Elements that close by themselves (li, p, td ...) are not counted, hence the lower ones.
var flattenDepths = []int{400, 200, 80, 20}

func parseTree(text string) (*html.Node, error) {
	return html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
}

// containers are elements that may be left out without losing more than looks.
var containers = set("div span section article main header footer aside nav center font b i u em strong small big blockquote " +
	"address form fieldset a ins del sub sup code tt s strike nobr label figure picture cite q abbr bdo bdi mark object noscript details")

// selfClosing are elements whose end tags are usually left out, and void elements: they do not count as depth.
var selfClosing = set("p li dt dd tr td th thead tbody tfoot option optgroup colgroup rp rt html head body " +
	"area base br col embed hr img input link meta param source track wbr frame keygen basefont bgsound")

// flatten writes text again without the container tags deeper than depth. From twice that depth on, every tag becomes a line break.
func flatten(text string, depth int) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	var open []string
	kept := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		raw := z.Raw()
		if kind != html.StartTagToken && kind != html.EndTagToken {
			out.Write(raw)
			continue
		}
		raw = append([]byte(nil), raw...)
		name, _ := z.TagName()
		tag := string(name)
		switch {
		case selfClosing[tag]:
			out.Write(raw)
		case kind == html.StartTagToken:
			keep := kept < depth || kept < depth+100 && !containers[tag] || rawText[tag]
			if keep {
				kept++
				open = append(open, tag)
				out.Write(raw)
			} else {
				open = append(open, "") // its end tag goes too
				out.WriteString(separator(tag))
			}
		default:
			open, kept = closeTag(&out, open, kept, tag, raw)
		}
	}
}

// rawText are elements whose content the tokenizer does not look into; their tags must stay.
var rawText = set("script style textarea title xmp iframe noembed noframes plaintext template svg math")

// closeTag writes an end tag if the start tag was written. Left-out elements are innermost, so they close first.
func closeTag(out *strings.Builder, open []string, kept int, tag string, raw []byte) ([]string, int) {
	if len(open) == 0 {
		out.Write(raw)
		return open, kept
	}
	if open[len(open)-1] == "" && !rawText[tag] {
		out.WriteString(separator(tag))
		return open[:len(open)-1], kept
	}
	out.Write(raw)
	for i := len(open) - 1; i >= max(0, len(open)-16); i-- {
		if open[i] == tag {
			return open[:i], kept - kindsKept(open[i:])
		}
	}
	return open, kept
}

func kindsKept(open []string) int {
	n := 0
	for _, tag := range open {
		if tag != "" {
			n++
		}
	}
	return n
}

func separator(tag string) string {
	if inlineNames[tag] {
		return ""
	}
	return "<br>"
}

var inlineNames = set("span font b i u em strong small big a ins del sub sup code tt s strike nobr label cite q abbr bdo bdi mark")

// plainTree keeps the text of a page that nothing else can parse.
func plainTree(text string) *html.Node {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	z := html.NewTokenizer(strings.NewReader(text))
	skip := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return body
		case html.StartTagToken:
			if name, _ := z.TagName(); dropped[string(name)] {
				skip = string(name)
			} else if !inlineNames[string(name)] {
				body.AppendChild(&html.Node{Type: html.ElementNode, Data: "br", DataAtom: atom.Br})
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == skip {
				skip = ""
			}
		case html.TextToken:
			if skip == "" {
				body.AppendChild(&html.Node{Type: html.TextNode, Data: string(z.Text())})
			}
		}
	}
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}
