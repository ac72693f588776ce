package asciidoc

import (
	"html"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

func itoa(n int) string { return strconv.Itoa(n) }

// atoi reads digits; too many of them are a large number.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1 << 30
	}
	return n
}

// maxDepth bounds blocks in blocks.
const maxDepth = 40

var (
	sectionLine  = lazyregexp.New(`^(={1,6}|#{1,6})\s+(\S.*)$`)
	styleLine    = lazyregexp.New(`^\[([^\]]*)\]$`)
	titleLine    = lazyregexp.New(`^\.([^\s.].*)$`)
	blockMacro   = lazyregexp.New(`^(image|video|audio|include|toc|ifdef|ifndef|endif|ifeval)::([^\[]*)\[(.*)\]$`)
	admonition   = lazyregexp.New(`^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+(.*)$`)
	delimiter    = lazyregexp.New(`^(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|` + "`{3,}.*" + `|[|,:!]={3,})$`)
	anchorLine   = lazyregexp.New(`^\[(?:\[([^\]]+)\]|#([\w-]+)[^\]]*)\]$`)
	ruleLine     = lazyregexp.New(`^(?:'{3,}|<<<)$`)
	listContinue = "+"
)

// blocks reads up to a line that is end, or to the end of the text; end is stepped over.
func (p *parser) blocks(end string) {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		return
	}
	defer func() { p.depth-- }()
	for p.More() {
		line := p.Line()
		if end != "" && line == end {
			p.At++
			return
		}
		p.block(line)
	}
}

// block reads one block, whose first line it is given.
func (p *parser) block(line string) {
	switch {
	case line == "", line == listContinue, p.attribute(), strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "////"):
		p.At++
	case anchorLine.MatchString(line):
		m := anchorLine.FindStringSubmatch(line)
		id, _, _ := strings.Cut(m[1]+m[2], ",")
		p.out.WriteString(`<a id="` + html.EscapeString(id) + `"></a>`)
		p.At++
	case styleLine.MatchString(line):
		p.style = styleLine.FindStringSubmatch(line)[1]
		p.At++
	case titleLine.MatchString(line):
		p.title = titleLine.FindStringSubmatch(line)[1]
		p.At++
	case sectionLine.MatchString(line):
		m := sectionLine.FindStringSubmatch(line)
		p.out.WriteString(markup.Heading(min(len(m[1]), 6), p.inline(m[2])))
		p.style, p.title = "", ""
		p.At++
	case ruleLine.MatchString(line):
		p.out.WriteString("<hr>\n")
		p.At++
	case blockMacro.MatchString(line):
		p.macro(blockMacro.FindStringSubmatch(line))
		p.At++
	case delimiter.MatchString(line):
		p.delimited(line)
	case isListItem(line):
		p.list()
	case line[0] == ' ' || line[0] == '\t':
		p.literal()
	default:
		p.paragraph()
	}
}

func (p *parser) takeTitle() string {
	title := p.title
	p.title = ""
	return title
}

func (p *parser) takeStyle() string {
	style := p.style
	p.style = ""
	return style
}

func (p *parser) macro(m []string) {
	switch m[1] {
	case "image":
		alt, _, _ := strings.Cut(m[3], ",")
		caption := ""
		if title := p.takeTitle(); title != "" {
			caption = "<figcaption>" + p.inline(title) + "</figcaption>"
		}
		p.out.WriteString("<figure>" + markup.Image(m[2], strings.Trim(alt, `"`)) + caption + "</figure>\n")
	case "video", "audio":
		p.out.WriteString("<p>" + anchor(m[2], p.takeTitle()) + "</p>\n")
	case "include":
		p.included++
	}
	p.style = ""
}

// until gives the lines up to a closing delimiter, which is stepped over.
func (p *parser) until(end string) []string {
	lines := p.While(func(line string) bool { return line != end })
	p.At = min(p.At+1, len(p.Lines))
	return lines
}

// delimited reads a block between two equal lines.
func (p *parser) delimited(line string) {
	p.At++
	style := p.takeStyle()
	switch {
	case strings.HasPrefix(line, "////"):
		p.until(line)
	case strings.HasSuffix(line, "===") && len(line) == 4 && line[0] != '=':
		p.table(line, style)
	case strings.HasPrefix(line, "```"):
		p.code(p.until("```"), "source,"+strings.Trim(line, "`"))
	case strings.HasPrefix(line, "----"), strings.HasPrefix(line, "...."):
		p.code(p.until(line), style)
	case strings.HasPrefix(line, "++++"):
		p.passthrough(p.until(line), style)
	case strings.HasPrefix(line, "____"):
		p.wrapped(line, "<blockquote>", quoteEnd(style)+"</blockquote>")
	default: // ==== example, **** sidebar, -- open
		name, _, _ := strings.Cut(style, ",")
		if label := admonitionName(name); label != "" {
			p.wrapped(line, `<div class="admonition"><p class="admonition-title">`+label+"</p>", "</div>")
			return
		}
		if name == "source" || name == "listing" {
			p.code(p.until(line), style)
			return
		}
		p.wrapped(line, "<div>", "</div>")
	}
}

func (p *parser) wrapped(end, before, after string) {
	if title := p.takeTitle(); title != "" {
		before += "<p><strong>" + p.inline(title) + "</strong></p>"
	}
	p.out.WriteString(before)
	p.blocks(end)
	p.out.WriteString(after + "\n")
}

func quoteEnd(style string) string {
	parts := strings.Split(style, ",")
	if len(parts) < 2 {
		return ""
	}
	return "<p>— " + html.EscapeString(strings.TrimSpace(strings.Join(parts[1:], ","))) + "</p>"
}

func admonitionName(name string) string {
	switch name {
	case "NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION":
		return name[:1] + strings.ToLower(name[1:])
	}
	return ""
}

// code is a listing with its language and title.
func (p *parser) code(lines []string, style string) {
	language := ""
	if parts := strings.Split(style, ","); len(parts) > 1 && parts[0] == "source" || len(parts) > 1 && parts[0] == "" {
		language = strings.TrimSpace(parts[1])
	}
	if name, _, _ := strings.Cut(style, ","); name == "stem" || name == "latexmath" || name == "asciimath" {
		p.passthrough(lines, style)
		return
	}
	if title := p.takeTitle(); title != "" {
		p.out.WriteString("<p>" + p.inline(title) + "</p>")
	}
	p.out.WriteString(markup.Code(lines, language))
}

// passthrough is a formula, or HTML as it is.
func (p *parser) passthrough(lines []string, style string) {
	content := strings.Join(lines, "\n")
	if name, _, _ := strings.Cut(style, ","); name == "stem" || name == "latexmath" || name == "asciimath" {
		p.out.WriteString(markup.Formula(content))
		return
	}
	p.out.WriteString("<div>" + content + "</div>\n")
}

// literal is a paragraph that is indented.
func (p *parser) literal() {
	p.code(p.UntilBlank(), "")
}

// paragraph reads lines up to a blank line or the start of a block.
func (p *parser) paragraph() {
	start := p.At
	for p.More() {
		line := p.Line()
		if line == "" || line == listContinue || p.At > start && (delimiter.MatchString(line) || isListItem(line) || styleLine.MatchString(line) && !strings.Contains(line, "[[")) {
			break
		}
		p.At++
	}
	if p.At == start {
		p.At++
		return
	}
	style := p.takeStyle()
	text := strings.Join(p.Lines[start:p.At], "\n")
	name, _, _ := strings.Cut(style, ",")
	switch {
	case name == "source" || name == "listing" || name == "literal":
		p.code(p.Lines[start:p.At], style)
	case name == "quote" || name == "verse":
		p.writeTitle()
		p.out.WriteString("<blockquote><p>" + p.inline(text) + "</p>" + quoteEnd(style) + "</blockquote>\n")
	case name == "stem" || name == "latexmath":
		p.passthrough(p.Lines[start:p.At], style)
	case admonitionName(name) != "":
		p.admonition(admonitionName(name), text)
	case admonition.MatchString(strings.SplitN(text, "\n", 2)[0]):
		label, rest, _ := strings.Cut(text, ":")
		p.admonition(admonitionName(label), strings.TrimSpace(rest))
	default:
		p.writeTitle()
		p.out.WriteString("<p>" + p.inline(text) + "</p>\n")
	}
}

func (p *parser) admonition(label, text string) {
	p.out.WriteString(`<div class="admonition"><p class="admonition-title">` + label + "</p>")
	p.writeTitle()
	p.out.WriteString("<p>" + p.inline(text) + "</p></div>\n")
}

// writeTitle writes the title of a block that has none of its own kind.
func (p *parser) writeTitle() {
	if title := p.takeTitle(); title != "" {
		p.out.WriteString("<p><strong>" + p.inline(title) + "</strong></p>")
	}
}
