package asciidoc

import (
	"html"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// looks are pairs of marks and their elements: unconstrained ones (doubled) first. RE2 has no look-around, so the characters beside
// constrained marks are captured and put back.
var looks = []struct {
	pattern *lazyregexp.Regexp
	replace string
}{
	{lazyregexp.New(`\*\*(\S(?:.*?\S)?)\*\*`), "<strong>$1</strong>"},
	{lazyregexp.New(`__(\S(?:.*?\S)?)__`), "<em>$1</em>"},
	{lazyregexp.New(`##(\S(?:.*?\S)?)##`), "<mark>$1</mark>"},
	{lazyregexp.New(`(^|[^\w*])\*(\S(?:[^*]*?[^\s*])?)\*($|[^\w*])`), "$1<strong>$2</strong>$3"},
	{lazyregexp.New(`(^|[^\w_])_(\S(?:[^_]*?[^\s_])?)_($|[^\w_])`), "$1<em>$2</em>$3"},
	{lazyregexp.New(`(^|[^\w#&])#(\S(?:[^#]*?[^\s#])?)#($|[^\w#])`), "$1<mark>$2</mark>$3"},
	{lazyregexp.New(`\^([^\s^]+)\^`), "<sup>$1</sup>"},
	{lazyregexp.New(`~([^\s~]+)~`), "<sub>$1</sub>"},
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

// inline gives a text as HTML. What must not be looked at again (code, formulas, links) is put aside and back at the end.
func (p *parser) inline(text string) string {
	var aside []string
	keep := func(s string) string {
		aside = append(aside, s)
		return "\x00" + itoa(len(aside)-1) + "\x01"
	}
	text = strings.NewReplacer("\x00", "", "\x01", "").Replace(text)
	text = attributeID.ReplaceAllStringFunc(text, func(m string) string {
		name := m[1 : len(m)-1]
		if value, ok := p.attributes[name]; ok {
			return value
		}
		if value, ok := characters[name]; ok {
			return value
		}
		return m
	})
	text = rawText.ReplaceAllStringFunc(text, func(m string) string { return keep(rawText.FindStringSubmatch(m)[1]) })
	text = inlineCode.ReplaceAllStringFunc(text, func(m string) string {
		return keep("<code>" + html.EscapeString(strings.Trim(m, "`+")) + "</code>")
	})
	text = plainText.ReplaceAllStringFunc(text, func(m string) string {
		parts := plainText.FindStringSubmatch(m)
		return parts[1] + keep(html.EscapeString(parts[2])) + parts[3]
	})
	text = inlineMacro.ReplaceAllStringFunc(text, func(m string) string { return keep(p.macroHTML(inlineMacro.FindStringSubmatch(m))) })
	text = webLink.ReplaceAllStringFunc(text, func(m string) string {
		parts := webLink.FindStringSubmatch(m)
		return keep(anchor(parts[1], parts[2]))
	})
	text = html.EscapeString(text)
	text = crossRef.ReplaceAllStringFunc(text, func(m string) string {
		parts := crossRef.FindStringSubmatch(m)
		if parts[2] == "" {
			parts[2] = parts[1]
		}
		return `<a href="#` + parts[1] + `">` + parts[2] + "</a>"
	})
	text = anchorMark.ReplaceAllString(text, `<a id="$1"></a>`)
	text = roleMark.ReplaceAllString(text, "$1")
	for _, look := range looks {
		text = look.pattern.ReplaceAllString(text, look.replace)
	}
	text = hardBreak.ReplaceAllString(text, "<br>")
	for i := len(aside) - 1; i >= 0; i-- {
		text = strings.Replace(text, "\x00"+itoa(i)+"\x01", aside[i], 1)
	}
	return text
}

var characters = map[string]string{
	"nbsp": "\u00a0", "empty": "", "sp": " ", "lt": "<", "gt": ">", "amp": "&", "plus": "+", "asterisk": "∗", "vbar": "|", "startsb": "[", "endsb": "]", "zwsp": "", "deg": "°", "apos": "'", "quot": `"`,
}

func anchor(target, text string) string {
	text, _, _ = strings.Cut(text, ",window=")
	text = strings.TrimSuffix(text, "^")
	if text == "" {
		text = target
	}
	return `<a href="` + html.EscapeString(target) + `">` + html.EscapeString(text) + "</a>"
}

func (p *parser) macroHTML(m []string) string {
	name, target, text := m[1], m[2], strings.ReplaceAll(m[3], `\]`, "]")
	switch name {
	case "image":
		alt, _, _ := strings.Cut(text, ",")
		return `<img src="` + html.EscapeString(target) + `" alt="` + html.EscapeString(alt) + `">`
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
		p.notes = append(p.notes, p.inline(text))
		n := itoa(len(p.notes))
		return `<a href="#fn` + n + `">` + n + "</a>"
	case "stem", "latexmath", "asciimath":
		return `<span class="math inline">` + html.EscapeString(text) + "</span>"
	case "anchor":
		return `<a id="` + html.EscapeString(target) + `"></a>`
	case "icon":
		return ""
	}
	return html.EscapeString(text)
}

// plain is a text without marks, for metadata.
func plain(text string) string { return strings.NewReplacer("*", "", "`", "", "#", "").Replace(text) }
