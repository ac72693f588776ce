package drawingml

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// inlines reads the runs of a paragraph (a:p).
func (r *Reader) inlines(p *xmltree.Node) []doc.Inline {
	var out []doc.Inline
	for _, n := range p.Children {
		switch Local(n.Name) {
		case "r", "fld":
			out = appendText(out, r.run(n))
		case "br":
			out = append(out, doc.Inline{Kind: doc.Break})
		case "m":
			out = append(out, r.math(n)...)
		case "AlternateContent":
			out = append(out, r.alternativeInlines(n)...)
		}
	}
	if isCodeLine(&doc.Block{Kind: doc.Paragraph, Inlines: out}) { // the indent of a line of code says something
		return out
	}
	return trim(out)
}

// alternativeInlines reads the first choice that gives something, else the fallback. Equations stand so.
func (r *Reader) alternativeInlines(n *xmltree.Node) []doc.Inline {
	read := map[*xmltree.Node][]doc.Inline{} // each once: alternatives may hold alternatives
	inlines := func(c *xmltree.Node) bool {
		if _, done := read[c]; !done && c != nil {
			read[c] = r.inlines(c)
		}
		return len(read[c]) > 0
	}
	chosen := ooxml.Choose(n, inlines)
	inlines(chosen)
	return read[chosen]
}

func (r *Reader) run(n *xmltree.Node) []doc.Inline {
	text := Child(n, "t").AllText()
	if text == "" {
		return nil
	}
	properties := Child(n, "rPr")
	in := doc.Inline{Kind: doc.Text, Marks: marks(properties), Link: r.link(Child(properties, "hlinkClick"))}
	var out []doc.Inline
	for i, line := range strings.FieldsFunc(strings.ReplaceAll(text, "_x000B_", "\v"), func(c rune) bool { return c == '\v' }) {
		if i > 0 {
			out = append(out, doc.Inline{Kind: doc.Break})
		}
		in.Text = line
		out = append(out, in)
	}
	return out
}

// marks reads the looks of a run.
func marks(properties *xmltree.Node) doc.Marks {
	var m doc.Marks
	set := func(mark doc.Marks, on bool) {
		if on {
			m |= mark
		}
	}
	is := func(name string) bool { v := properties.Attr(name); return v == "1" || v == "true" }
	set(doc.Strong, is("b"))
	set(doc.Emphasis, is("i"))
	set(doc.Underline, properties.Attr("u") != "" && properties.Attr("u") != "none" && Child(properties, "hlinkClick") == nil)
	set(doc.Strike, properties.Attr("strike") == "sngStrike" || properties.Attr("strike") == "dblStrike")
	baseline, _ := strconv.Atoi(strings.TrimSuffix(properties.Attr("baseline"), "%"))
	set(doc.Superscript, baseline > 0)
	set(doc.Subscript, baseline < 0)
	set(doc.Monospace, stylename.Monospaced(Child(properties, "latin").Attr("typeface")))
	return m
}

// link is the outside target of a hyperlink; one to another slide or of an unsafe kind has none.
func (r *Reader) link(n *xmltree.Node) string {
	rel, ok := r.rels()[n.Attr("r:id")]
	if !ok || !rel.External || rel.Type != "hyperlink" {
		return ""
	}
	if !SafeLink(rel.Target) {
		r.Doc.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.", r.place(nil))
		return ""
	}
	return rel.Target
}

// unsafeSchemes run a script instead of going somewhere.
var unsafeSchemes = []string{"javascript:", "vbscript:", "data:"}

// SafeLink tells whether a link's target is harmless.
func SafeLink(target string) bool {
	lower := strings.ToLower(strings.TrimSpace(target))
	for _, scheme := range unsafeSchemes {
		if strings.HasPrefix(lower, scheme) {
			return false
		}
	}
	return true
}

// appendText adds text, joining what has the same looks.
func appendText(out, more []doc.Inline) []doc.Inline {
	for _, in := range more {
		if n := len(out); n > 0 && in.Kind == doc.Text && out[n-1].Kind == doc.Text && out[n-1].Marks == in.Marks && out[n-1].Link == in.Link {
			out[n-1].Text += in.Text
			continue
		}
		out = append(out, in)
	}
	return out
}

// trim takes breaks and white space off both ends; nothing but white space is nothing.
func trim(in []doc.Inline) []doc.Inline {
	blank := func(i *doc.Inline) bool {
		return i.Kind == doc.Break || i.Kind == doc.Text && strings.TrimSpace(i.Text) == ""
	}
	for len(in) > 0 && blank(&in[0]) {
		in = in[1:]
	}
	for len(in) > 0 && blank(&in[len(in)-1]) {
		in = in[:len(in)-1]
	}
	if len(in) > 0 && in[0].Kind == doc.Text {
		in[0].Text = strings.TrimLeft(in[0].Text, " \t\n")
	}
	if n := len(in); n > 0 && in[n-1].Kind == doc.Text {
		in[n-1].Text = strings.TrimRight(in[n-1].Text, " \t\n")
	}
	return in
}
