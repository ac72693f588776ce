package asciidoc

import (
	"html"
	"strings"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

// looks are pairs of marks and their elements: unconstrained ones (doubled) first. RE2 has no look-around, so the characters beside
// constrained marks are captured and put back.
var looks = []markup.Look{
	{Pattern: lazyregexp.New(`\*\*(\S(?:.*?\S)?)\*\*`), Replace: "<strong>$1</strong>"},
	{Pattern: lazyregexp.New(`__(\S(?:.*?\S)?)__`), Replace: "<em>$1</em>"},
	{Pattern: lazyregexp.New(`##(\S(?:.*?\S)?)##`), Replace: "<mark>$1</mark>"},
	{Pattern: lazyregexp.New(`(^|[^\w*])\*(\S(?:[^*]*?[^\s*])?)\*($|[^\w*])`), Replace: "$1<strong>$2</strong>$3"},
	{Pattern: lazyregexp.New(`(^|[^\w_])_(\S(?:[^_]*?[^\s_])?)_($|[^\w_])`), Replace: "$1<em>$2</em>$3"},
	{Pattern: lazyregexp.New(`(^|[^\w#&])#(\S(?:[^#]*?[^\s#])?)#($|[^\w#])`), Replace: "$1<mark>$2</mark>$3"},
	{Pattern: lazyregexp.New(`\^([^\s^]+)\^`), Replace: "<sup>$1</sup>"},
	{Pattern: lazyregexp.New(`~([^\s~]+)~`), Replace: "<sub>$1</sub>"},
}

var (
	inlineCode  = lazyregexp.New("``(.+?)``|`([^`]+)`")
	rawText     = lazyregexp.New(`\+\+\+(.+?)\+\+\+`)
	plainText   = lazyregexp.New(`(^|[^\w+])\+([^\s+](?:[^+\n]*[^\s+])?)\+($|[^\w+])`)
	inlineMacro = lazyregexp.New(`(image|link|mailto|footnote|stem|latexmath|asciimath|kbd|btn|menu|pass|xref|anchor|icon):([^\s\[\]]*)\[((?:[^\]\\]|\\.)*)\]`)
	webLink     = lazyregexp.New(`((?:https?|ftp|irc)://[^\s\[\]<>"]*[^\s\[\]<>".,;:!?)])(?:\[([^\]]*)\])?`)
	crossRef    = lazyregexp.New(`&lt;&lt;([^,&]+)(?:,\s*([^&]*))?&gt;&gt;`)
	anchorMark  = lazyregexp.New(`\[\[([\w-]+)(?:,[^\]]*)?\]\]`)
	attributeID = lazyregexp.New(`\{([\w-]+)\}`)
	hardBreak   = lazyregexp.New(`(?m) \+$`)
	roleMark    = lazyregexp.New(`\[[.#][\w. #-]+\](#|\*|_)`)
)

// inline gives a text as HTML.
func (p *parser) inline(text string) string {
	n := markup.NewInline(text)
	n.Change(attributeID, func(m []string) string {
		if value, ok := p.attributes[m[1]]; ok && p.replaced.Take(len(value)) {
			return value
		}
		if value, ok := characters[m[1]]; ok {
			return value
		}
		return m[0]
	})
	n.Put(rawText, func(m []string) string { return m[1] })
	n.Put(inlineCode, func(m []string) string { return "<code>" + html.EscapeString(strings.Trim(m[0], "`+")) + "</code>" })
	n.Change(plainText, func(m []string) string { return m[1] + n.Keep(html.EscapeString(m[2])) + m[3] })
	n.Put(inlineMacro, p.macroHTML)
	n.Put(webLink, func(m []string) string { return anchor(m[1], m[2]) })
	n.Escape()
	n.Change(crossRef, func(m []string) string {
		if m[2] == "" {
			m[2] = m[1]
		}
		return `<a href="#` + m[1] + `">` + m[2] + "</a>"
	})
	n.Look(anchorLook, roleLook)
	n.Look(looks...)
	n.Look(breakLook)
	return n.HTML()
}

var (
	anchorLook = markup.Look{Pattern: anchorMark, Replace: `<a id="$1"></a>`}
	roleLook   = markup.Look{Pattern: roleMark, Replace: "$1"}
	breakLook  = markup.Look{Pattern: hardBreak, Replace: "<br>"}
)

var characters = map[string]string{
	"nbsp": "\u00a0", "empty": "", "sp": " ", "lt": "<", "gt": ">", "amp": "&", "plus": "+", "asterisk": "∗", "vbar": "|", "startsb": "[", "endsb": "]", "zwsp": "", "deg": "°", "apos": "'", "quot": `"`,
}

func anchor(target, text string) string {
	text, _, _ = strings.Cut(text, ",window=")
	text = strings.TrimSuffix(text, "^")
	if text == "" {
		text = target
	}
	return markup.Link(target, text)
}

func (p *parser) macroHTML(m []string) string {
	name, target, text := m[1], m[2], strings.ReplaceAll(m[3], `\]`, "]")
	switch name {
	case "image":
		alt, _, _ := strings.Cut(text, ",")
		return markup.Image(target, alt)
	case "link":
		return anchor(target, text)
	case "mailto":
		if text == "" {
			text = target
		}
		return anchor("mailto:"+target, text)
	case "xref":
		if text == "" {
			text = target
		}
		if !strings.ContainsAny(target, "#.") {
			target = "#" + target
		}
		return anchor(target, text)
	case "footnote":
		note := "<p>" + p.inline(text) + "</p>"
		label := itoa(len(p.notes) + 1)
		p.notes = append(p.notes, markup.Note{Label: label, HTML: note})
		return markup.NoteLink(label)
	case "stem", "latexmath", "asciimath":
		return markup.InlineFormula(text)
	case "anchor":
		return `<a id="` + html.EscapeString(target) + `"></a>`
	case "icon":
		return ""
	}
	return html.EscapeString(text)
}

// plain is a text without marks, for metadata.
func plain(text string) string { return strings.NewReplacer("*", "", "`", "", "#", "").Replace(text) }
