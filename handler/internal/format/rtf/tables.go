package rtf

import (
	"fmt"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
)

// inTable lets the groups inside the group that was just set up each describe one entry of a table of the header.
func (p *parser) inTable(kind string) { p.st.entry = kind }

// entryText is told when an entry's group closes.
func (p *parser) entryText(kind, text string, at *state) {
	switch kind {
	case "font":
		f := p.fonts[at.font]
		name := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";")))
		f.mono = f.mono || isMonospace(name)
		f.symbol = f.symbol || isSymbolFont(name)
		if f.symbol {
			f.chars = charset.SymbolFont(name)
		}
		p.fonts[at.font] = f
	case "style":
		name, _, _ := strings.Cut(text, ";")
		def := &styleDef{name: strings.ToLower(strings.TrimSpace(name)), outline: at.par.outline, marks: at.marks, base: at.base}
		switch {
		case at.otherStyle:
		case at.charStyle:
			p.charStyle[at.styleNumber] = def
		default:
			p.styles[at.par.style] = def
		}
	}
}

func isMonospace(name string) bool {
	for _, prefix := range []string{"courier", "consolas", "lucida console", "liberation mono", "dejavu sans mono", "menlo", "monaco", "andale mono"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// charsetPages are the code pages of \fcharset.
var charsetPages = map[int]int{
	77: 10000, 128: 932, 129: 949, 130: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

func (p *parser) fontCharset(n int) {
	f := p.fonts[p.st.font]
	f.codePage, f.symbol = charsetPages[n], n == 2
	if n == 0 {
		f.codePage = 1252
	}
	p.fonts[p.st.font] = f
}

func (p *parser) fontPageOf(n int) {
	f := p.fonts[p.st.font]
	f.codePage = n
	p.fonts[p.st.font] = f
}

// revisionAuthors reads the names of \revtbl, divided by semicolons.
func (p *parser) revisionAuthors(text string) {
	for _, name := range strings.Split(text, ";") {
		p.authors = append(p.authors, strings.TrimSpace(name))
	}
}

// time reads a \creatim or \revtim group: its numbers come as control words.
func (p *parser) time(set func(*doc.Metadata, string)) {
	at := &moment{}
	p.st.moment = at
	p.st.end = func() {
		if at.year > 0 {
			set(&p.doc.Metadata, fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", at.year, max(1, at.month), max(1, at.day), at.hour, at.minute, at.second))
		}
	}
}

type moment struct{ year, month, day, hour, minute, second int }

// rangeStart and rangeEnd bound the text that a comment is on.
func (p *parser) rangeStart(id string) {
	if len(p.ranges) < 1000 {
		p.ranges[strings.TrimSpace(id)] = &strings.Builder{}
	}
}

func (p *parser) rangeEnd(id string) {
	id = strings.TrimSpace(id)
	if b := p.ranges[id]; b != nil {
		p.ended = strings.TrimSpace(b.String())
		delete(p.ranges, id)
	}
}

func (p *parser) lastRange() string {
	text := p.ended
	p.ended = ""
	return text
}

// collect adds text to the ranges that are open.
func (p *parser) collect(text string) {
	for _, b := range p.ranges {
		if b.Len()+len(text) <= 4<<10 {
			b.WriteString(text)
		}
	}
}
