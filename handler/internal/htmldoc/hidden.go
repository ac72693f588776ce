package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// hiddenReason says why a reader does not see an element, or "".
func (b *builder) hiddenReason(n *html.Node) string {
	if len(n.Attr) == 0 || b.o.Hidden == "include" || holdsMath(n) {
		return ""
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if a.Val != "until-found" {
				return "hidden_element"
			}
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") && n.Data != "a" {
				return "hidden_element"
			}
		case "style":
			if reason := hiddenStyle(a.Val); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// hiddenStyles are declarations that make text invisible, with all spaces taken out.
var hiddenStyles = []struct {
	pattern *lazyregexp.Regexp
	reason  string
}{
	{lazyregexp.New(`(^|;)display:none`), "hidden_element"},
	{lazyregexp.New(`(^|;)visibility:(hidden|collapse)`), "hidden_element"},
	{lazyregexp.New(`(^|;)mso-hide:all`), "hidden_element"},
	{lazyregexp.New(`(^|;)opacity:0(\.0*)?(;|!|$)`), "hidden_text"},
	{lazyregexp.New(`(^|;)font-size:0*[01]?(\.\d+)?(px|pt|em|%)?(;|!|$)`), "tiny"},
	{lazyregexp.New(`(^|;)(left|top|text-indent|margin-left):-\d{4,}(px|em|pt)?`), "outside_page"},
}

var spaces = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "")

func hiddenStyle(style string) string {
	style = spaces.Replace(strings.ToLower(style))
	for _, s := range hiddenStyles {
		if s.pattern.MatchString(style) {
			if s.reason == "tiny" && !tiny(style) {
				continue
			}
			return s.reason
		}
	}
	return ""
}

// tiny tells font sizes that nobody can read from relative sizes such as 1em.
func tiny(style string) bool {
	_, size, _ := strings.Cut(style, "font-size:")
	size, _, _ = strings.Cut(size, ";")
	size = strings.TrimSuffix(size, "!important")
	return strings.HasPrefix(size, "0") && !strings.HasPrefix(size, "0.") || size == "1px" || size == "1pt" || size == "1"
}

// holdsMath tells the elements in which MathJax, KaTeX and MediaWiki hide the readable form of a formula.
func holdsMath(n *html.Node) bool {
	if n.Data == "math" {
		return true
	}
	return hasClass(n, "katex-mathml", "mwe-math-mathml-a11y", "mwe-math-mathml-inline", "mwe-math-mathml-display", "MJX_Assistive_MathML", "mjx-assistive-mml") ||
		n.Data == "mjx-assistive-mml"
}

// hide keeps what is below n in Document.Hidden.
func (b *builder) hide(n *html.Node, reason string) {
	if hasClass(n, "katex-html") || n.Data == "svg" || n.Data == "img" || n.Data == "input" || n.Data == "br" {
		return // the drawn form of a formula, an icon: nothing to read
	}
	if b.quiet > 0 {
		return
	}
	b.quiet++
	inner := flow{b: b}
	inner.children(n, look{})
	inner.flush()
	b.quiet--
	if len(inner.blocks) == 0 {
		return
	}
	b.d.Hidden = append(b.d.Hidden, doc.Hidden{Reason: reason, Name: n.Data, Blocks: b.placed(inner.blocks)})
	b.d.Warn("hidden_element", "A hidden element was kept apart.", inner.blocks[0].Places...)
}
