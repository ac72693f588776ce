package asciidoc

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

var (
	bulletItem  = lazyregexp.New(`^\s*(\*{1,5}|-)\s+(\S.*)$`)
	countedItem = lazyregexp.New(`^\s*(\.{1,5}|\d+\.|[a-z]\.)\s+(\S.*)$`)
	termItem    = lazyregexp.New(`^\s*(\S.*?)(:{2,4}|;;)(?:\s+(.*))?$`)
	callout     = lazyregexp.New(`^<(\d+|\.)>\s+(.*)$`)
	listStart   = lazyregexp.New(`(?:^|,)\s*start="?(\d{1,6})"?`)
	checkbox    = lazyregexp.New(`^\[([ xX*])\]\s+`)
)

func isListItem(line string) bool {
	return bulletItem.MatchString(line) || countedItem.MatchString(line) || isTerm(line) || callout.MatchString(line)
}

// isTerm tells "term:: text" from a block macro "image::file[]".
func isTerm(line string) bool {
	return termItem.MatchString(line) && !blockMacro.MatchString(line) && !strings.Contains(line, "://") && !strings.HasPrefix(line, "[")
}

// mark is what makes an item belong to a list: its kind and depth.
func mark(line string) (key, tag, text string) {
	if m := bulletItem.FindStringSubmatch(line); m != nil {
		return m[1], "ul", m[2]
	}
	if m := countedItem.FindStringSubmatch(line); m != nil {
		key := m[1]
		if strings.Trim(key, ".") != "" {
			key = "1."
		}
		return key, "ol", m[2]
	}
	if m := callout.FindStringSubmatch(line); m != nil {
		return "<1>", "ol", m[2]
	}
	if m := termItem.FindStringSubmatch(line); m != nil {
		return m[2], "dl", m[1]
	}
	return "", "", ""
}

// list reads items of one mark; items with another mark begin a list inside, or belong to a list around.
func (p *parser) list() { p.listIn(nil) }

func (p *parser) listIn(around []string) {
	key, tag, _ := mark(p.Line())
	start := listStart.FindStringSubmatch(p.takeStyle())
	p.writeTitle()
	if tag == "ol" && start != nil {
		p.out.WriteString(`<ol start="` + start[1] + `">`)
	} else {
		p.out.WriteString("<" + tag + ">")
	}
	inside := append(append([]string(nil), around...), key)
	for p.More() {
		line := p.Line()
		if line == "" {
			if !p.itemFollows() {
				break
			}
			p.At++
			continue
		}
		itemKey, itemTag, text := mark(line)
		if itemKey != key || itemTag != tag || !isListItem(line) {
			break
		}
		p.item(tag, text, inside)
	}
	p.out.WriteString("</" + tag + ">\n")
}

// itemFollows looks over blank lines for another item.
func (p *parser) itemFollows() bool {
	return isListItem(p.First(func(line string) bool { return line == "" || strings.HasPrefix(line, "//") }))
}

func (p *parser) item(tag, text string, inside []string) {
	m := termItem.FindStringSubmatch(p.Line())
	p.At++
	body := text
	open, end := "<li>", "</li>"
	if tag == "dl" {
		p.out.WriteString("<dt>" + p.inline(text) + "</dt>")
		open, end, body = "<dd>", "</dd>", ""
		if m != nil {
			body = m[3]
		}
		for body == "" && p.More() && p.Line() == "" && p.Next() != "" && !isListItem(p.Next()) && !sectionLine.MatchString(p.Next()) {
			p.At++
		}
	}
	for p.More() && p.Line() != "" && p.Line() != listContinue && !isListItem(p.Line()) && !delimiter.MatchString(p.Line()) && !styleLine.MatchString(p.Line()) {
		body = strings.TrimSpace(body + "\n" + strings.TrimSpace(p.Line()))
		p.At++
	}
	p.out.WriteString(open)
	if m := checkbox.FindStringSubmatch(body); m != nil {
		body = body[len(m[0]):]
		checked := ""
		if m[1] != " " {
			checked = " checked"
		}
		p.out.WriteString(`<input type="checkbox"` + checked + "> ")
	}
	if body != "" {
		p.out.WriteString("<p>" + p.inline(body) + "</p>")
	}
	p.continued(inside)
	p.out.WriteString(end)
}

// continued reads what a "+" line attaches to an item, and lists inside of it.
func (p *parser) continued(inside []string) {
	for p.More() && p.depth < maxDepth {
		line := p.Line()
		switch {
		case line == listContinue:
			p.At++
			for p.More() && (styleLine.MatchString(p.Line()) || titleLine.MatchString(p.Line())) {
				p.block(p.Line())
			}
			if p.More() && p.Line() != "" {
				p.depth++
				p.block(p.Line())
				p.depth--
			}
		case isListItem(line) && !p.isAround(line, inside):
			p.depth++
			p.listIn(inside)
			p.depth--
		case line == "" && isListItem(p.Next()) && !p.isAround(p.Next(), inside):
			p.At++
		default:
			return
		}
	}
}

func (p *parser) isAround(line string, inside []string) bool {
	key, _, _ := mark(line)
	for _, k := range inside {
		if k == key {
			return true
		}
	}
	return false
}
