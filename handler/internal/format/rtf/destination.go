package rtf

import (
	"fmt"
	"strings"

	"decant/handler/internal/doc"
)

// destination sets up the group that its control word starts.
type destination func(p *parser, tok token)

// destinationTable lists the groups whose text does not belong to the text around them.
func destinationTable() map[string]destination {
	table := map[string]destination{
		"fonttbl": func(p *parser, _ token) {
			p.st.skip = false
			p.gather(func(string) {})
			p.st.font = -1
			p.inTable("font")
		},
		"fcharset":   func(p *parser, tok token) { p.fontCharset(tok.number) },
		"cpg":        func(p *parser, tok token) { p.fontPageOf(tok.number) },
		"stylesheet": func(p *parser, _ token) { p.gather(func(string) {}); p.inTable("style") },
		"field":      func(p *parser, _ token) {},
		"fldinst":    func(p *parser, _ token) { p.gather(p.instruction) },
		"fldrslt":    func(p *parser, _ token) { p.st.skip = p.st.skip || p.st.shown },
		"footnote":   func(p *parser, _ token) { p.note() },
		"annotation": func(p *parser, _ token) { p.annotation() },
		"atnauthor":  func(p *parser, _ token) { p.gather(func(text string) { p.comment.Author = strings.TrimSpace(text) }) },
		"atndate":    func(p *parser, _ token) { p.gather(func(string) {}) },
		"atrfstart":  func(p *parser, _ token) { p.gather(p.rangeStart) },
		"atrfend":    func(p *parser, _ token) { p.gather(p.rangeEnd) },
		"atnref":     func(p *parser, _ token) { p.gather(func(string) {}) },
		"bkmkstart": func(p *parser, _ token) {
			p.gather(func(name string) { p.story.anchors = append(p.story.anchors, strings.TrimSpace(name)) })
		},
		"listtext":          func(p *parser, _ token) { p.label(true) },
		"pntext":            func(p *parser, _ token) { p.label(false) },
		"dptxbxtext":        func(p *parser, _ token) { p.textBox() },
		"formfield":         func(p *parser, _ token) { p.form = formField{chosen: unset}; p.gather(func(string) {}) },
		"ffname":            func(p *parser, _ token) { p.gather(func(name string) { p.form.name = strings.TrimSpace(name) }) },
		"ffl":               func(p *parser, _ token) { p.gather(p.choice) },
		"pict":              func(p *parser, _ token) { p.pict() },
		"shptxt":            func(p *parser, _ token) { p.textBox() },
		"info":              func(p *parser, _ token) { p.gather(func(string) {}) },
		"revtbl":            func(p *parser, _ token) { p.gather(p.revisionAuthors) },
		"listtable":         func(p *parser, _ token) { p.listTable() },
		"listoverridetable": func(p *parser, _ token) { p.overrideTable() },
		"nesttableprops":    func(p *parser, _ token) { p.nestedRow() },
		"upr":               func(p *parser, _ token) { p.st.ansiTwice = !p.st.skip; p.st.skip = true },
		"ud":                func(p *parser, _ token) { p.st.skip = p.st.skip && !p.st.ansiTwice },
		"shppict":           func(*parser, token) {},
		"shp":               func(p *parser, _ token) { p.shape() },
		"picprop":           func(p *parser, _ token) { p.gather(func(string) {}) },
		"sp":                func(p *parser, _ token) { p.gather(func(string) {}) },
		"sn":                func(p *parser, _ token) { p.gather(func(name string) { p.property = strings.TrimSpace(name) }) },
		"sv":                func(p *parser, _ token) { p.gather(p.propertyValue) },
		"result":            func(*parser, token) {},
		"moMath":            func(p *parser, _ token) { p.math() },
		"mmath":             func(p *parser, _ token) { p.math() },
	}
	for _, word := range []string{"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"} {
		table[word] = func(p *parser, _ token) { p.furniture() }
	}
	for _, word := range skipped {
		table[word] = func(p *parser, _ token) { p.st.skip = true }
	}
	for word, field := range infoFields {
		table[word] = func(p *parser, _ token) {
			p.gather(func(text string) { field(&p.doc.Metadata, strings.TrimSpace(text)) })
		}
	}
	for word, set := range map[string]func(*doc.Metadata, string){
		"creatim": func(m *doc.Metadata, t string) { m.Created = t }, "revtim": func(m *doc.Metadata, t string) { m.Modified = t },
	} {
		table[word] = func(p *parser, _ token) { p.time(set) }
	}
	return table
}

// skipped are groups that hold nothing that a reader of the document sees, or hold it a second time.
var skipped = []string{
	"colortbl", "nonshppict", "nonesttables", "objdata", "objclass", "objname", "themedata", "colorschememapping", "datastore", "latentstyles", "rsidtbl", "xmlnstbl",
	"generator", "xe", "tc", "tcn", "rxe", "txe", "pnseclvl", "pgptbl", "filetbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "mmathPict", "mmathPr", "wgrffmtfilter",
	"shprslt", "fldtype", "datafield", "atnid", "atnparent", "atnicn", "bkmkend", "passwordhash", "userprops", "docvar", "listpicture", "pgdsctbl", "panose", "falt", "blipuid", "pn",
	"mhtmltag", "htmltag", "printim", "buptim", "private",
}

var infoFields = map[string]func(*doc.Metadata, string){
	"title":   func(m *doc.Metadata, t string) { m.Title = t },
	"subject": func(m *doc.Metadata, t string) { m.Subject = t },
	"author": func(m *doc.Metadata, t string) {
		if t != "" {
			m.Authors = []string{t}
		}
	},
	"keywords": func(m *doc.Metadata, t string) { m.Keywords = splitKeywords(t) },
	"doccomm":  func(m *doc.Metadata, t string) { other(m, "description", t) },
	"category": func(m *doc.Metadata, t string) { other(m, "category", t) },
	"company":  func(m *doc.Metadata, t string) { other(m, "company", t) },
	"manager":  func(m *doc.Metadata, t string) { other(m, "manager", t) },
	"operator": func(m *doc.Metadata, t string) { other(m, "last modified by", t) },
}

func other(m *doc.Metadata, key, value string) {
	if value == "" {
		return
	}
	if m.Other == nil {
		m.Other = map[string]string{}
	}
	m.Other[key] = value
}

func splitKeywords(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// gather collects the group's text and hands it on when the group closes.
func (p *parser) gather(use func(text string)) {
	if p.st.skip {
		return
	}
	sink := &strings.Builder{}
	p.st.sink, p.st.picture = sink, nil
	p.st.end = func() { use(sink.String()) }
}

// apart lets a group write a story of its own; done gets its blocks when the group closes. One that is too deep in others goes on
// with the story around it.
func (p *parser) apart(done func(s *story)) {
	if p.st.skip {
		return
	}
	if p.depth >= maxNesting {
		p.doc.Warn("nesting_flattened", "Notes or text boxes are nested deeper than the limit; their text was kept.")
		p.st.sink, p.st.picture = nil, nil
		return
	}
	outer := p.story
	inner := &story{p: p}
	p.story = inner
	p.depth++
	p.st.par, p.st.sink, p.st.picture = bare, nil, nil
	p.plain()
	p.st.end = func() {
		p.story = outer
		p.depth--
		inner.blocks = inner.finish()
		done(inner)
	}
}

func (p *parser) note() {
	p.apart(func(s *story) {
		kind, id := "footnote", ""
		if s.endnote {
			kind, id = "endnote", "e"
		}
		s.blocks = withoutLead(s.blocks)
		p.notes[kind]++
		label := fmt.Sprint(p.notes[kind])
		p.doc.Notes = append(p.doc.Notes, doc.Note{ID: id + label, Kind: kind, Label: label, Blocks: s.blocks})
		p.story.add(doc.Inline{Kind: doc.NoteReference, Note: id + label})
	})
}

// withoutLead takes away the blanks that stand between a note's number and its text.
func withoutLead(blocks []doc.Block) []doc.Block {
	if len(blocks) > 0 && len(blocks[0].Inlines) > 0 && blocks[0].Inlines[0].Kind == doc.Text {
		first := &blocks[0].Inlines[0]
		if first.Text = strings.TrimLeft(first.Text, " \t\u00a0"); first.Text == "" {
			blocks[0].Inlines = trim(blocks[0].Inlines[1:])
		}
	}
	return blocks
}

func (p *parser) annotation() {
	p.apart(func(s *story) {
		one := p.comment
		one.Kind, one.Text = "comment", plainText(s.blocks)
		if one.Range == "" {
			one.Range = p.lastRange()
		}
		p.doc.Annotations = append(p.doc.Annotations, one)
		p.comment = doc.Annotation{}
	})
}

func plainText(blocks []doc.Block) string {
	var parts []string
	doc.Walk(blocks, func(b *doc.Block) bool {
		if text := strings.TrimSpace(b.PlainText()); text != "" {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "\n")
}

func (p *parser) furniture() {
	p.apart(func(s *story) { p.doc.Furniture = append(p.doc.Furniture, s.blocks...) })
}

func (p *parser) textBox() {
	p.apart(func(s *story) {
		if len(s.blocks) > 0 {
			p.story.anchored(doc.Block{Kind: doc.Group, Role: doc.RoleTextBox, Children: s.blocks})
		}
	})
}

// label collects the printed label of a list item.
func (p *parser) label(ofList bool) {
	p.labelled = true
	p.gather(func(text string) { p.story.label = &label{text, ofList} })
}

// instruction reads the instruction of a field, when its group has closed: links lead somewhere up to the end of the field.
func (p *parser) instruction(text string) {
	if value := p.formValue(text); value != "" {
		p.story.add(doc.Inline{Kind: doc.Input, Text: value, Name: p.form.name})
		p.st.shown = true
		return
	}
	if sign := p.symbolField(text); sign != "" { // its result is empty in most files
		p.text(sign)
		p.st.shown = true
		return
	}
	link := p.linkOf(text)
	if link == "" {
		return
	}
	p.st.link = link
}

// linkOf is the target of a HYPERLINK instruction, or "".
func (p *parser) linkOf(instruction string) string {
	words := strings.Fields(instruction)
	if len(words) < 2 || !strings.EqualFold(words[0], "HYPERLINK") {
		return ""
	}
	rest := strings.TrimSpace(strings.TrimSpace(instruction)[len(words[0]):])
	anchor := ""
	if after, ok := strings.CutPrefix(rest, `\l`); ok {
		anchor, rest = "#", strings.TrimSpace(after)
	}
	if rest == "" {
		return ""
	}
	target := strings.Trim(strings.Fields(rest)[0], `"`)
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		target, rest, _ = strings.Cut(quoted, `"`)
		if _, after, ok := strings.Cut(rest, `\l "`); ok && anchor == "" {
			fragment, _, _ := strings.Cut(after, `"`)
			target += "#" + fragment
		}
	}
	return p.safeLink(anchor + target)
}

// safeLink gives a link's target, or "" when following it could run something.
func (p *parser) safeLink(target string) string {
	scheme := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, target))
	for _, unsafe := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(scheme, unsafe) {
			p.doc.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.")
			return ""
		}
	}
	return target
}
