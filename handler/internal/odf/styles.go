package odf

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// Style is what a paragraph, text or other style means for content.
type Style struct {
	Name     string // display name, lower case
	Family   string // paragraph, text, table, graphic ...
	parent   string
	Outline  int    // heading level that it gives, 0 for none
	List     string // list style
	marks    doc.Marks
	said     doc.Marks
	own      doc.Marks // of an automatic style: formatting that was put on the text by hand
	hidden   bool
	resolved bool
	align    string // left, center, right, or "" when it does not say
	border   string // above or below: "none", or how it looks; "" when it does not say
	names    []string
}

// styleKey keeps styles of different families apart that have one name.
type styleKey struct{ family, name string }

// styles are all named and automatic styles, and the list styles.
type styles struct {
	byName    map[styleKey]*Style
	lists     map[string]*listStyle
	outline   *listStyle
	monospace map[string]bool // font faces declared with a fixed pitch
}

func newStyles() *styles {
	return &styles{byName: map[styleKey]*Style{}, lists: map[string]*listStyle{}, monospace: map[string]bool{}}
}

// add takes in the children of office:styles, office:automatic-styles or office:font-face-decls.
func (s *styles) add(n *xmltree.Node) {
	for _, c := range n.Children {
		switch c.Name {
		case "style:style":
			style := s.readStyle(c)
			if n.Name == "office:automatic-styles" {
				style.own = style.marks &^ (doc.Monospace | doc.Highlight)
			}
			s.byName[styleKey{style.Family, c.Attr("style:name")}] = style
		case "text:list-style":
			s.lists[c.Attr("style:name")] = readListStyle(c)
		case "text:outline-style":
			s.outline = readListStyle(c)
		case "style:font-face", "style:font-decl":
			if c.Attr("style:font-pitch") == "fixed" {
				s.monospace[c.Attr("style:name")] = true
			}
		}
	}
}

func (s *styles) readStyle(n *xmltree.Node) *Style {
	name := n.Attr("style:display-name")
	if name == "" {
		name = strings.ReplaceAll(n.Attr("style:name"), "_20_", " ")
	}
	style := &Style{
		Name: strings.ToLower(name), Family: n.Attr("style:family"), parent: n.Attr("style:parent-style-name"),
		List: n.Attr("style:list-style-name"),
	}
	style.Outline, _ = strconv.Atoi(n.Attr("style:default-outline-level"))
	for _, props := range []string{"style:text-properties", "style:properties"} {
		s.readLook(style, n.Child(props))
	}
	for _, props := range []string{"style:paragraph-properties", "style:properties"} {
		look := n.Child(props)
		style.align = first(style.align, alignment(look.Attr("fo:text-align")))
		style.border = first(style.border, look.Attr("fo:border-bottom"), look.Attr("fo:border-top"))
	}
	return style
}

func alignment(value string) string {
	switch value {
	case "center":
		return "center"
	case "end", "right":
		return "right"
	case "start", "left", "justify":
		return "left"
	}
	return ""
}

// readLook reads the marks of a style:text-properties.
func (s *styles) readLook(style *Style, props *xmltree.Node) {
	if props == nil {
		return
	}
	set := func(mark doc.Marks, is bool) {
		style.said |= mark
		if is {
			style.marks |= mark
		}
	}
	for _, a := range props.Attrs {
		switch a.Name {
		case "fo:font-weight":
			weight, err := strconv.Atoi(a.Value)
			set(doc.Strong, a.Value == "bold" || a.Value == "bolder" || err == nil && weight >= 600)
		case "fo:font-style":
			set(doc.Emphasis, a.Value == "italic" || a.Value == "oblique")
		case "style:text-underline-style", "style:text-underline":
			set(doc.Underline, a.Value != "none")
		case "style:text-line-through-style", "style:text-line-through-type", "style:text-crossing-out":
			set(doc.Strike, a.Value != "none")
		case "style:text-position":
			up := strings.HasPrefix(a.Value, "super") || percent(a.Value) > 0
			down := strings.HasPrefix(a.Value, "sub") || percent(a.Value) < 0
			set(doc.Superscript, up)
			set(doc.Subscript, down)
		case "fo:font-variant":
			set(doc.SmallCaps, a.Value == "small-caps")
		case "style:font-name":
			set(doc.Monospace, s.monospace[a.Value] || stylename.Monospaced(a.Value))
		case "fo:font-family":
			set(doc.Monospace, stylename.Monospaced(a.Value))
		case "fo:background-color":
			set(doc.Highlight, isMarker(a.Value))
		case "text:display":
			style.hidden = a.Value == "none"
		}
	}
}

// isMarker tells whether a background is one that a person marks text with: a colour. White and grey come with text from web pages.
func isMarker(color string) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil || len(color) != 7 {
		return false
	}
	red, green, blue := int(n>>16&255), int(n>>8&255), int(n&255)
	return max(red, green, blue)-min(red, green, blue) >= minSaturation
}

// minSaturation is what a marker's red, green and blue differ by at least. The palest marker of LibreOffice differs by 87.
const minSaturation = 80

func percent(value string) int {
	first, _, _ := strings.Cut(value, " ")
	n, _ := strconv.ParseFloat(strings.TrimSuffix(first, "%"), 64)
	return int(n)
}

// get gives a style with what it inherits, or nil. Cycles end where they close.
func (s *styles) get(family, name string) *Style {
	style := s.byName[styleKey{family, name}]
	if style == nil || style.resolved {
		return style
	}
	style.resolved = true
	style.names = []string{style.Name}
	parent := s.get(family, style.parent)
	if parent == nil {
		if style.parent != "" {
			style.names = append(style.names, strings.ToLower(strings.ReplaceAll(style.parent, "_20_", " ")))
		}
		return style
	}
	style.names = append(style.names, parent.names...)
	style.marks |= parent.marks &^ style.said
	style.said |= parent.said
	style.hidden = style.hidden || parent.hidden
	style.align, style.border = first(style.align, parent.align), first(style.border, parent.border)
	if style.Outline == 0 {
		style.Outline = parent.Outline
	}
	if style.List == "" {
		style.List = parent.List
	}
	return style
}

// named stands for a style that a file uses but does not describe.
func named(name string) *Style {
	name = strings.ToLower(strings.ReplaceAll(name, "_20_", " "))
	return &Style{Name: name, names: []string{name}}
}

// role is what the names of the style and of those that it inherits from say. It may be called on nil.
func (st *Style) role() stylename.Role {
	if st == nil {
		return stylename.None
	}
	role := stylename.Of(st.names...)
	if role == stylename.None && st.Is("illustration", "table", "figure", "drawing") { // LibreOffice's own styles of captions
		return stylename.Caption
	}
	return role
}

// Is tells whether the style, or one that it inherits from, has one of the names (lower case). It may be called on nil.
func (st *Style) Is(names ...string) bool {
	if st == nil {
		return false
	}
	for _, own := range st.names {
		for _, name := range names {
			if own == name {
				return true
			}
		}
	}
	return false
}
