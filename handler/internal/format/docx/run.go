package docx

import (
	"strconv"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// run takes in one w:r.
func (l *line) run(n *xmltree.Node, k look) {
	rPr := n.Child("w:rPr")
	own := readLook(rPr)
	if id := rPr.Child("w:rStyle").Attr("w:val"); id != "" {
		if def := l.f.p.styles.get(id); def != nil {
			own = own.over(def.run)
			if def.is("hyperlink", "internet link", "followedhyperlink", "visited internet link") {
				own.marks &^= doc.Underline
			}
			if stylename.OfText(def.names...) == stylename.CodeText {
				own.marks |= doc.Monospace
				l.code = true
			}
		}
	}
	k.marks |= own.marks
	if k.link != "" || l.f.link() != "" {
		k.marks &^= doc.Underline // it shows that there is a link
	}
	hidden := own.hidden
	if hidden == nil {
		hidden = k.base.hidden
	}
	if hidden != nil && *hidden && l.f.p.in.Options.Hidden != "include" && l.f.toc == 0 {
		l.hideRun(n, k)
		return
	}
	symbols := charset.SymbolFont(own.font)
	for _, c := range n.Children {
		if c.Name != "" {
			l.piece(c, k, symbols)
		}
	}
}

// hideRun keeps a hidden run's text apart; its fields still begin and end.
func (l *line) hideRun(n *xmltree.Node, k look) {
	for _, c := range n.Children {
		switch c.Name {
		case "w:t":
			if l.f.instructing() == nil {
				l.hidden.WriteString(c.AllText())
			}
		case "w:tab", "w:br":
			l.hidden.WriteByte(' ')
		case "w:fldChar", "w:instrText":
			l.piece(c, k, nil)
		}
	}
}

// piece takes in one child of a run.
func (l *line) piece(c *xmltree.Node, k look, symbols map[rune]rune) {
	switch c.Name {
	case "w:t", "w:delText":
		l.text(charset.MapSymbols(c.AllText(), symbols), k)
	case "w:tab", "w:ptab":
		l.text("\t", k)
	case "w:br", "w:cr":
		if kind := c.Attr("w:type"); kind == "page" {
			l.f.p.pageBreak()
		}
		l.add(doc.Inline{Kind: doc.Break})
	case "w:noBreakHyphen":
		l.text("\u2011", k)
	case "w:softHyphen", "w:rPr", "w:footnoteRef", "w:endnoteRef", "w:annotationRef", "w:separator", "w:continuationSeparator", "w:pgNum":
	case "w:sym":
		l.text(symbol(c), k)
	case "w:footnoteReference":
		l.note(c, "f")
	case "w:endnoteReference":
		l.note(c, "e")
	case "w:commentReference":
		l.f.p.comments.refer(c.Attr("w:id"))
	case "w:fldChar":
		l.fieldChar(c, k)
	case "w:instrText", "w:delInstrText":
		l.f.field().instruct(c.AllText())
	case "w:drawing", "w:pict", "w:object":
		l.drawing(c, k)
	case "w:lastRenderedPageBreak":
		l.f.p.renderedBreak()
	case "w:ruby":
		l.ruby(c, k)
	case "mc:AlternateContent":
		if chosen := choose(c); chosen != nil {
			for _, inner := range chosen.Children {
				if inner.Name != "" {
					l.piece(inner, k, symbols)
				}
			}
		}
	default:
		l.walk(c, k)
	}
}

// ruby writes the base text and its reading in parentheses.
func (l *line) ruby(n *xmltree.Node, k look) {
	l.children(n.Child("w:rubyBase"), k)
	if reading := strings.TrimSpace(wordText(&xmltree.Node{Children: n.All("w:rt")})); reading != "" {
		l.text("("+reading+")", k)
	}
}

// symbol is the character of a w:sym: a code in a symbol font.
func symbol(c *xmltree.Node) string {
	code, err := strconv.ParseUint(c.Attr("w:char"), 16, 32)
	if err != nil {
		return ""
	}
	return charset.MapSymbols(string(rune(code)), charset.SymbolFont(c.Attr("w:font")))
}

// choose picks what to read of an AlternateContent.
func choose(n *xmltree.Node) *xmltree.Node {
	if chosen := ooxml.Choose(n, isReadable); chosen != nil {
		return chosen
	}
	return n.Child("mc:Choice")
}

func isReadable(n *xmltree.Node) bool {
	found := false
	n.Walk(func(c *xmltree.Node) bool {
		switch c.Name {
		case "w:t", "a:t", "m:t", "w:sym", "a:blip", "c:chart", "cx:chart", "dgm:relIds", "v:imagedata", "w:fldChar", "w:br", "w:tab", "w:numFmt":
			found = true
		}
		return !found
	})
	return found
}

// pageBreak and renderedBreak count pages, if Word left marks where pages ended when it last showed the document.
func (p *parser) pageBreak() { p.broke = true }

func (p *parser) renderedBreak() {
	p.broke = false
	p.page = max(p.page, 1) + 1
}
