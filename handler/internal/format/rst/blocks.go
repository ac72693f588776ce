package rst

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

var (
	bulletLine  = lazyregexp.New(`^([-*+•])(\s+)\S`)
	countedLine = lazyregexp.New(`^(\(?(?:\d+|[a-zA-Z]|[ivxlcIVXLC]+|#)[.)])(\s+)\S`)
	fieldLine   = lazyregexp.New(`^:([^:\s][^:]*):(?:\s+(.*))?$`)
	optionLine  = lazyregexp.New(`^(--?[\w-]+(?:[ =][\w<>]+)?(?:, --?[\w-]+(?:[ =][\w<>]+)?)*)(?:  +(.*))?$`)
	directive   = lazyregexp.New(`^\.\. (?:\|[^|]+\| )?([\w:-]+)::\s*(.*)$`)
	lineBlock   = lazyregexp.New(`^\|(?: |$)`)
	gridLine    = lazyregexp.New(`^\+(?:[-=]+\+)+$`)
	simpleLine  = lazyregexp.New(`^=+(?: +=+)+$`)
	doctest     = lazyregexp.New(`^>>> `)
)

// isRule tells a line of one punctuation character.
func isRule(line string) bool {
	if len(line) < 2 || strings.ContainsAny(line[:1], " \\") || line[0] >= 0x80 || isWord(line[0]) {
		return false
	}
	return strings.Trim(line, line[:1]) == ""
}

func isWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

func (p *parser) blocks() {
	for p.More() {
		p.block(p.Line())
	}
}

func (p *parser) block(line string) {
	switch {
	case line == "":
		p.At++
	case line[0] == ' ':
		p.quote(p.indented(1))
	case p.isOverlined(line):
		p.title(p.Lines[p.At+1], line[:1]+line[:1], 3)
	case p.isUnderlined(line):
		p.title(line, p.Next()[:1], 2)
	case isRule(line) && len(line) >= 4 && !gridLine.MatchString(line):
		p.out.WriteString("<hr>\n")
		p.At++
	case gridLine.MatchString(line):
		p.gridTable()
	case simpleLine.MatchString(line):
		p.simpleTable()
	case strings.HasPrefix(line, ".."):
		p.explicit(line)
	case bulletLine.MatchString(line):
		p.list("ul", bulletLine)
	case countedLine.MatchString(line) && p.isCounted(line):
		p.list("ol", countedLine)
	case fieldLine.MatchString(line):
		p.fieldList()
	case lineBlock.MatchString(line):
		p.lineBlock()
	case optionLine.MatchString(line) && strings.HasPrefix(line, "-"):
		p.options()
	case doctest.MatchString(line):
		p.code(p.UntilBlank(), "python")
	case p.Next() != "" && p.Next()[0] == ' ' && !strings.HasSuffix(line, "::"):
		p.definitions()
	default:
		p.paragraph()
	}
}

// attribution is how the paragraph begins that says who is quoted.
var attribution = lazyregexp.New(`^(?:---?|—)\s*([^\s-].*)$`)

// quote is a block quote; its last paragraph may say who is quoted.
func (p *parser) quote(lines []string) {
	by := ""
	for i := len(lines) - 1; i > 0; i-- {
		if lines[i-1] != "" {
			continue
		}
		if m := attribution.FindStringSubmatch(lines[i]); m != nil {
			by = "<p>— " + p.inline(strings.TrimSpace(m[1]+" "+strings.Join(dedent(lines[i+1:]), " "))) + "</p>"
			lines = lines[:i]
		}
		break
	}
	p.out.WriteString("<blockquote>" + p.sub(lines) + by + "</blockquote>\n")
}

func (p *parser) isOverlined(line string) bool {
	return isRule(line) && p.At+2 < len(p.Lines) && p.Lines[p.At+2] == line && p.Lines[p.At+1] != "" && !isRule(p.Lines[p.At+1])
}

func (p *parser) isUnderlined(line string) bool {
	next := p.Next()
	return isRule(next) && len(next) >= 2 && (len(next) >= 4 || len(next) >= utf8.RuneCountInString(line)) && !isRule(line) && !gridLine.MatchString(next) && utf8.RuneCountInString(line) <= len(next)+8
}

// isCounted tells a list from a sentence such as "A. Smith": a list's item is followed by a blank line, another item or its own text indented.
func (p *parser) isCounted(line string) bool {
	next := p.Next()
	return next == "" || countedLine.MatchString(next) || next[0] == ' ' || line[0] == '#'
}

func (p *parser) title(text, look string, lines int) {
	p.out.WriteString(markup.Heading(p.level(look), p.inline(strings.TrimSpace(text))))
	p.At += lines
}

func (p *parser) code(lines []string, language string) {
	p.out.WriteString(markup.Code(lines, language))
}

// paragraph reads lines up to a blank one. Two colons at its end begin a literal block.
func (p *parser) paragraph() {
	start := p.At
	for p.More() && p.Line() != "" && (p.At == start || !(p.isUnderlined(p.Line()) && p.At > start)) {
		p.At++
	}
	text := strings.Join(p.Lines[start:p.At], "\n")
	literalFollows := strings.HasSuffix(text, "::")
	if literalFollows {
		text = strings.TrimSuffix(text, ":")
		if text == ":" || strings.HasSuffix(text, " :") || strings.HasSuffix(text, "\n:") {
			text = strings.TrimRight(strings.TrimSuffix(text, ":"), " \n")
		}
	}
	if text != "" {
		p.out.WriteString("<p>" + p.inline(text) + "</p>\n")
	}
	if literalFollows {
		for p.More() && p.Line() == "" {
			p.At++
		}
		if p.More() && p.Line()[0] == ' ' {
			p.code(p.indented(1), "")
		}
	}
}

// list reads items with one kind of mark; what is indented to an item's text belongs to it.
func (p *parser) list(tag string, pattern *lazyregexp.Regexp) {
	kind, before := markKind(p.Line(), pattern), ""
	p.out.WriteString("<" + tag + start(tag, p.Line(), kind) + ">")
	for p.More() {
		m := pattern.FindStringSubmatch(p.Line())
		if m == nil || !continues(p.Line(), pattern, kind, before) {
			if p.Line() == "" && p.itemFollows(pattern) {
				p.At++
				continue
			}
			break
		}
		before = strings.Trim(m[1], "().")
		margin := len(m[1]) + len(m[2])
		first := p.Line()[margin:]
		p.At++
		rest := p.rest(margin)
		p.out.WriteString("<li>" + p.sub(append([]string{first}, rest...)) + "</li>")
	}
	p.out.WriteString("</" + tag + ">\n")
}

// markKind is what the marks of one list have in common: how they count ("1", "a", "A", "i", "I", "#") and what stands around them.
func markKind(line string, pattern *lazyregexp.Regexp) string {
	m := pattern.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	word := strings.Trim(m[1], "().")
	around := strings.Replace(m[1], word, "", 1)
	switch {
	case word == "#", pattern == bulletLine:
		return word + around
	case word[0] >= '0' && word[0] <= '9':
		return "1" + around
	case word == "i" || len(word) > 1 && word == strings.ToLower(word):
		return "i" + around
	case word == "I" || len(word) > 1:
		return "I" + around
	case word[0] >= 'a':
		return "a" + around
	}
	return "A" + around
}

// continues tells whether a line's mark goes on with a list whose last mark was before. Letters must follow each other, because a
// single one may be a roman number; "#" counts on.
func continues(line string, pattern *lazyregexp.Regexp, kind, before string) bool {
	m := pattern.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	next, word := markKind(line, pattern), strings.Trim(m[1], "().")
	switch {
	case before == "" || next == kind && !strings.Contains("aA", kind[:1]):
		return true
	case next[1:] != kind[1:]:
		return false
	case next[0] == '#':
		return true
	case kind[0]|0x20 == 'a':
		return before == "#" || len(word) == 1 && len(before) == 1 && word[0] == before[0]+1
	}
	return kind[0]|0x20 == 'i' && next[0]&0x20 == kind[0]&0x20 && next[0]|0x20 == 'a' && strings.Trim(strings.ToLower(word), "ivxlcdm") == ""
}

// start says where a list begins to count, and how.
func start(tag, line, kind string) string {
	if tag != "ol" {
		return ""
	}
	word := strings.Trim(strings.SplitN(line, " ", 2)[0], "().#")
	switch kind[0] {
	case '1':
		if word != "1" {
			return ` start="` + word + `"`
		}
	case 'a', 'A':
		n := ""
		if at := int(word[0]|0x20) - 'a' + 1; at > 1 {
			n = ` start="` + strconv.Itoa(at) + `"`
		}
		return ` type="` + kind[:1] + `"` + n
	case 'i', 'I':
		return ` type="` + kind[:1] + `"`
	}
	return ""
}

func (p *parser) itemFollows(pattern *lazyregexp.Regexp) bool {
	return pattern.MatchString(p.First(func(line string) bool { return line == "" }))
}

// rest takes the lines that belong to an item: indented, or blank with an indented one after them.
func (p *parser) rest(margin int) []string {
	lines := p.While(func(line string) bool { return line == "" || indentOf(line) >= min(margin, 2) })
	blank := blanksAtEnd(lines)
	p.At -= blank
	var out []string
	for _, line := range lines[:len(lines)-blank] {
		out = append(out, line[min(len(line), min(indentOf(line), margin)):])
	}
	return out
}

func (p *parser) definitions() {
	p.out.WriteString("<dl>")
	for p.More() {
		line := p.Line()
		if line == "" || line[0] == ' ' || p.Next() == "" || p.Next()[0] != ' ' || strings.HasPrefix(line, "..") {
			break
		}
		term, _, _ := strings.Cut(line, " : ")
		p.At++
		p.out.WriteString("<dt>" + p.inline(term) + "</dt><dd>" + p.sub(p.indented(1)) + "</dd>")
	}
	p.out.WriteString("</dl>\n")
}

func (p *parser) fieldList() {
	p.out.WriteString("<dl>")
	for p.More() {
		m := fieldLine.FindStringSubmatch(p.Line())
		if m == nil {
			break
		}
		p.At++
		body := append([]string{m[2]}, p.indented(1)...)
		if p.fields == nil {
			p.fields = map[string]string{}
		}
		if name := strings.ToLower(m[1]); p.depth == 0 && p.fields[name] == "" {
			p.fields[name] = strings.Join(body, " ")
		}
		p.out.WriteString("<dt>" + p.inline(m[1]) + "</dt><dd>" + p.sub(body) + "</dd>")
	}
	p.out.WriteString("</dl>\n")
}

func (p *parser) options() {
	p.out.WriteString("<dl>")
	for p.More() {
		m := optionLine.FindStringSubmatch(p.Line())
		if m == nil {
			break
		}
		p.At++
		p.out.WriteString("<dt><code>" + html.EscapeString(m[1]) + "</code></dt><dd>" + p.sub(append([]string{m[2]}, p.indented(1)...)) + "</dd>")
	}
	p.out.WriteString("</dl>\n")
}

func (p *parser) lineBlock() {
	var lines []string
	for p.More() && (lineBlock.MatchString(p.Line()) || len(lines) > 0 && p.Line() != "" && p.Line()[0] == ' ') {
		lines = append(lines, p.inline(strings.TrimSpace(strings.TrimPrefix(p.Line(), "|"))))
		p.At++
	}
	p.out.WriteString("<p>" + strings.Join(lines, "<br>") + "</p>\n")
}
