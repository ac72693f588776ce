package docx

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// styles are the document's styles, resolved on demand.
type styles struct {
	byID             map[string]*styleDef
	defaultParagraph string
	defaultTable     string
}

// styleDef is one style with what it inherits filled in by resolve.
type styleDef struct {
	id, name, kind string
	base           string
	resolved       bool
	outline        int // 0-8, 9 for body text, -1 when it does not say
	number         numberRef
	indent         int // left, in twentieths of a point
	run            runLook
	headerRow      bool     // a table style that shows its first row differently
	names          []string // lower-case names along the inheritance, own first
}

// numberRef is a paragraph's place in a numbering.
type numberRef struct {
	id    string // of the w:num; "" when not set, "0" for none
	level int    // -1 when not set
}

func readStyles(root *xmltree.Node) *styles {
	s := &styles{byID: map[string]*styleDef{}}
	for _, n := range root.All("w:style") {
		def := readStyle(n)
		s.byID[def.id] = def
		if on(n.Attr("w:default")) && n.Attr("w:default") != "" {
			switch def.kind {
			case "paragraph":
				s.defaultParagraph = def.id
			case "table":
				s.defaultTable = def.id
			}
		}
	}
	return s
}

func readStyle(n *xmltree.Node) *styleDef {
	def := &styleDef{
		id: n.Attr("w:styleId"), kind: n.Attr("w:type"),
		name:    strings.ToLower(n.Child("w:name").Attr("w:val")),
		base:    n.Child("w:basedOn").Attr("w:val"),
		outline: -1, number: numberRef{level: -1}, indent: -1,
	}
	pPr := n.Child("w:pPr")
	if value, ok := pPr.Child("w:outlineLvl").Lookup("w:val"); ok {
		def.outline = atoi(value, 9)
	}
	def.number = readNumberRef(pPr.Child("w:numPr"))
	def.indent = readIndent(pPr)
	def.run = readLook(n.Child("w:rPr"))
	for _, part := range n.All("w:tblStylePr") {
		def.headerRow = def.headerRow || part.Attr("w:type") == "firstRow"
	}
	return def
}

// get gives a style with its inheritance, or nil. Cycles end where they close.
func (s *styles) get(id string) *styleDef {
	def := s.byID[id]
	if def == nil || def.resolved {
		return def
	}
	def.resolved = true
	def.names = []string{def.name}
	base := s.get(def.base)
	if base == nil {
		return def
	}
	def.names = append(def.names, base.names...)
	if def.outline < 0 {
		def.outline = base.outline
	}
	if def.number.id == "" {
		def.number.id = base.number.id
	}
	if def.number.level < 0 {
		def.number.level = base.number.level
	}
	if def.indent < 0 {
		def.indent = base.indent
	}
	def.headerRow = def.headerRow || base.headerRow
	def.run = def.run.over(base.run)
	return def
}

// paragraphStyle gives the style of a paragraph, the default one when it names none.
func (s *styles) paragraphStyle(id string) *styleDef {
	if def := s.get(id); def != nil {
		return def
	}
	return s.get(s.defaultParagraph)
}

// headingLevel is the style's level as a heading, or 0. An outline level anywhere in the inheritance counts, as does the name.
func (d *styleDef) headingLevel() int {
	if d == nil {
		return 0
	}
	if d.outline >= 0 && d.outline < 9 {
		return d.outline + 1
	}
	if d.outline == 9 {
		if d.name == "toc heading" { // Word keeps it out of the contents, not out of what a reader takes for a heading
			return 1
		}
		return 0
	}
	for _, name := range d.names {
		if level := stylename.HeadingLevel(name); level > 0 {
			return level
		}
	}
	return 0
}

// is tells whether the style, or one that it is based on, has one of the names.
func (d *styleDef) is(names ...string) bool {
	if d == nil {
		return false
	}
	for _, own := range d.names {
		for _, name := range names {
			if own == name {
				return true
			}
		}
	}
	return false
}

// role is what the names of the style and of those that it is based on say.
func (d *styleDef) role() stylename.Role {
	if d == nil {
		return stylename.None
	}
	return stylename.Of(d.names...)
}

// isTOC tells whether the style is that of an entry in a table of contents.
func (d *styleDef) isTOC() bool {
	return d != nil && len(d.name) == 5 && strings.HasPrefix(d.name, "toc ") && d.name[4] >= '1' && d.name[4] <= '9'
}

func readNumberRef(numPr *xmltree.Node) numberRef {
	ref := numberRef{id: numPr.Child("w:numId").Attr("w:val"), level: -1}
	if value, ok := numPr.Child("w:ilvl").Lookup("w:val"); ok {
		ref.level = min(max(atoi(value, 0), 0), 8)
	}
	return ref
}

// readIndent is the left indent that the properties set, or -1.
func readIndent(pPr *xmltree.Node) int {
	ind := pPr.Child("w:ind")
	for _, name := range []string{"w:left", "w:start"} {
		if value, ok := ind.Lookup(name); ok {
			return max(atoi(value, 0), 0)
		}
	}
	return -1
}

// on reads a switch (ECMA-376 part 1, 22.9.2.7): present without a value is on.
func on(value string) bool {
	switch value {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

func atoi(text string, otherwise int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && f > -1e9 && f < 1e9 {
		return int(f)
	}
	return otherwise
}

// runLook is what run properties say: marks that are switched on, and marks that are spoken of at all.
type runLook struct {
	marks, said doc.Marks
	hidden      *bool
	font        string
}

// over gives l with what it does not say taken from base.
func (l runLook) over(base runLook) runLook {
	l.marks |= base.marks &^ l.said
	l.said |= base.said
	if l.hidden == nil {
		l.hidden = base.hidden
	}
	if l.font == "" {
		l.font = base.font
	}
	return l
}

var switches = map[string]doc.Marks{
	"w:b": doc.Strong, "w:i": doc.Emphasis, "w:strike": doc.Strike, "w:dstrike": doc.Strike, "w:smallCaps": doc.SmallCaps,
}

func readLook(rPr *xmltree.Node) runLook {
	var l runLook
	if rPr == nil {
		return l
	}
	set := func(mark doc.Marks, is bool) {
		l.said |= mark
		if is {
			l.marks |= mark
		} else if mark != doc.Strike {
			l.marks &^= mark
		}
	}
	for _, c := range rPr.Children {
		value := c.Attr("w:val")
		if mark, ok := switches[c.Name]; ok {
			set(mark, on(value))
			continue
		}
		switch c.Name {
		case "w:u":
			set(doc.Underline, value != "none" && value != "")
		case "w:highlight":
			set(doc.Highlight, value != "none")
		case "w:vertAlign":
			set(doc.Superscript, value == "superscript")
			set(doc.Subscript, value == "subscript")
		case "w:vanish":
			is := on(value)
			l.hidden = &is
		case "w:rFonts":
			l.font = c.Attr("w:ascii")
			if l.font == "" {
				l.font = c.Attr("w:hAnsi")
			}
			if l.font != "" {
				set(doc.Monospace, stylename.Monospaced(l.font))
			}
		}
	}
	return l
}
