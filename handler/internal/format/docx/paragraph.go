package docx

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/stylename"
	"decant/handler/internal/xmltree"
)

// paragraph is what a paragraph's properties make of it.
type paragraph struct {
	def    *styleDef
	level  int       // as a heading, or 0
	title  bool      // style Title
	number *position // its automatic number, or nil
	indent int       // left indent, twentieths of a point
	ruled  bool      // it has a border above or below
	drop   bool      // a dropped capital: the next paragraph goes on with it
	page   int
	joins  bool // its mark is gone: the next paragraph goes on with it
	isTOC  bool
	// unnumbered: its own properties take the number away that its style or its list would give it.
	unnumbered bool
	role       stylename.Role
}

// paragraph takes in one w:p.
func (f *flow) paragraph(n *xmltree.Node) {
	pPr := n.Child("w:pPr")
	par := f.properties(pPr)
	l := f.newLine()
	before := f.toc
	for _, c := range n.Children {
		if c.Name != "" && c.Name != "w:pPr" {
			l.walk(c, look{revision: f.revision, base: par.def.look()})
		}
	}
	par.page = f.p.page
	l.keepHidden()
	if sect := pPr.Child("w:sectPr"); sect != nil {
		f.p.section(sect)
	}
	if par.joins || par.drop {
		f.prefix = append(f.prefix, l.inlines...)
		for _, b := range append(l.before, l.after...) {
			f.add(b)
		}
		f.pendAnchors(l)
		return
	}
	if len(f.prefix) > 0 {
		l.inlines = append(f.prefix, l.inlines...)
		f.prefix = nil
	}
	par.isTOC = par.def.isTOC() || before > 0 || f.toc > 0 && f.tocField()
	f.place(par, l)
}

// properties reads w:pPr.
func (f *flow) properties(pPr *xmltree.Node) *paragraph {
	p := f.p
	def := p.styles.paragraphStyle(pPr.Child("w:pStyle").Attr("w:val"))
	par := &paragraph{def: def, level: def.headingLevel(), indent: readIndent(pPr)}
	par.role = def.role()
	par.title = par.role == stylename.Title && par.level == 0
	if value, ok := pPr.Child("w:outlineLvl").Lookup("w:val"); ok {
		par.level = 0
		if level := atoi(value, 9); level >= 0 && level < 9 {
			par.level = level + 1
		}
	}
	par.drop = pPr.Child("w:framePr").Attr("w:dropCap") == "drop"
	if border := pPr.Child("w:pBdr"); border != nil {
		par.ruled = border.Child("w:bottom") != nil || border.Child("w:top") != nil
	}
	par.joins = p.changes.markGone(pPr.Child("w:rPr"))
	par.number = f.number(pPr, def)
	par.unnumbered = pPr.Child("w:numPr", "w:numId").Attr("w:val") == "0"
	if par.indent < 0 && def != nil {
		par.indent = def.indent
	}
	return par
}

// number gives the paragraph's automatic number: from its own properties, else from its style.
func (f *flow) number(pPr *xmltree.Node, def *styleDef) *position {
	ref := readNumberRef(pPr.Child("w:numPr"))
	if def != nil {
		if ref.id == "" {
			ref.id = def.number.id
		}
		if num := f.p.numbering.nums[ref.id]; ref.level < 0 && num != nil {
			ref.level = num.levelOfStyle(def.id)
		}
		if ref.level < 0 {
			ref.level = def.number.level
		}
	}
	if ref.id == "" || ref.id == "0" {
		return nil
	}
	pos := f.p.numbering.next(ref.id, max(ref.level, 0))
	if pos != nil && pos.guess {
		f.p.doc.Warn("numbering_guessed", "A number format is not known ("+pos.def.format+"); plain numbers are shown.")
	}
	return pos
}

func (d *styleDef) look() runLook {
	if d == nil {
		return runLook{}
	}
	return d.run
}

// place makes a paragraph and what is anchored in it into blocks.
func (f *flow) place(par *paragraph, l *line) {
	if par.role == stylename.Code {
		l.inlines = lines(l.inlines)
	} else if l.inlines = trimInlines(l.inlines); !l.code {
		l.inlines = wholeCode(withoutTypewriter(l.inlines))
	}
	b := doc.Block{Inlines: l.inlines, Places: f.places(par.page)}
	f.anchor(&b, l)
	empty := len(l.inlines) == 0
	switch {
	case par.isTOC && par.level == 0:
		if !empty {
			b.Kind = doc.Paragraph
			f.closeLists()
			f.flushCaption()
			f.addTOC(b)
		}
	case par.isMore() && (!empty || l.content()) && f.more(par, b, l):
		return
	case par.number != nil && par.level == 0 && !par.title && par.role != stylename.Code && (!empty || par.number.label != "" && !f.inCell):
		f.item(par, b, l)
		return
	default:
		f.addAll(l.before)
		f.placeText(par, b, l)
	}
	f.addAll(l.after)
}

// isMore tells whether the paragraph is more of a list's item: as a list item it would have neither number nor bullet, or it says that
// it is not numbered. Writers put the further paragraphs of an item that way, also its code and quotes.
func (par *paragraph) isMore() bool {
	return par.level == 0 && !par.title && (par.number != nil && isDummy(par.number) || par.number == nil && par.unnumbered)
}

func (par *paragraph) isCaption() bool {
	return par.role == stylename.Caption || par.role == stylename.TableCaption || par.role == stylename.FigureCaption
}

// withoutTypewriter drops the monospaced look where a whole paragraph has it: then it is the document's typeface, not code in a text.
func withoutTypewriter(inlines []doc.Inline) []doc.Inline {
	for _, in := range inlines {
		if in.Kind == doc.Text && !in.Marks.Has(doc.Monospace) && strings.TrimSpace(in.Text) != "" {
			return inlines
		}
	}
	for i := range inlines {
		inlines[i].Marks &^= doc.Monospace
	}
	return inlines
}

// wholeCode drops the monospaced look where it begins or ends inside a word: code in a text is whole words, letters in another typeface
// are not code.
func wholeCode(inlines []doc.Inline) []doc.Inline {
	for i := range inlines {
		in := &inlines[i]
		if in.Kind == doc.Text && in.Marks.Has(doc.Monospace) && (i > 0 && insideWord(&inlines[i-1], in) || i+1 < len(inlines) && insideWord(in, &inlines[i+1])) {
			in.Marks &^= doc.Monospace
		}
	}
	return inlines
}

// insideWord tells whether a word goes on from one run of text, in one look, to the next, in another.
func insideWord(a, b *doc.Inline) bool {
	if a.Kind != doc.Text || b.Kind != doc.Text || a.Marks.Has(doc.Monospace) == b.Marks.Has(doc.Monospace) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(a.Text)
	first, _ := utf8.DecodeRuneInString(b.Text)
	return unicode.IsLetter(last) && unicode.IsLetter(first) && last < 0x3000 && first < 0x3000 // some scripts have no spaces
}

// placeText adds a paragraph that is no list item.
func (f *flow) placeText(par *paragraph, b doc.Block, l *line) {
	empty := len(b.Inlines) == 0
	switch {
	case par.role == stylename.Code:
		f.addCode(b, par)
	case empty && (l.rule || (par.ruled || par.role == stylename.Rule) && !l.content()):
		f.add(doc.Block{Kind: doc.Rule})
	case empty:
		f.quote = f.quote && !l.content()
		f.pendAnchors(l)
	case (par.level > 0 || par.title) && !f.inCell:
		f.addHeading(par, b)
	case f.formulas(b):
	case f.figures(b):
	case par.isCaption() && !f.inCell:
		f.addCaption(par.role, b)
	case f.task(b):
	case par.role == stylename.Quote:
		f.addQuote(b)
	case (par.role == stylename.Term || par.role == stylename.Details) && f.addTerm(par.role, b):
	case par.def.is("list continue", "list continue 2", "list continue 3", "list continue 4", "list continue 5", "list paragraph") && f.continueItem(par, b):
	default:
		b.Kind = doc.Paragraph
		if par.number != nil {
			b.Number = par.number.label
		}
		f.add(b)
	}
}

func (f *flow) places(page int) []doc.Place {
	if page == 0 || f.inCell {
		return nil
	}
	return []doc.Place{{Page: page}}
}

func (f *flow) addAll(blocks []doc.Block) {
	for _, b := range blocks {
		f.add(b)
	}
}

func (f *flow) addHeading(par *paragraph, b doc.Block) {
	b.Kind, b.Level = doc.Heading, max(par.level, 1)
	if par.title {
		b.Role = roleTitle
		f.p.titled++
	}
	if par.number != nil {
		b.Number = par.number.label
	}
	for i := range b.Inlines {
		b.Inlines[i].Marks &^= doc.Strong
		if b.Inlines[i].Kind == doc.Break {
			b.Inlines[i] = doc.T(" ")
		}
	}
	f.add(b)
}

func (f *flow) addCode(b doc.Block, par *paragraph) {
	text := strings.TrimRight(doc.PlainText(b.Inlines), " \t\n")
	if last := len(f.blocks) - 1; f.code && last >= 0 {
		f.blocks[last].Text += "\n" + text
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	f.add(doc.Block{Kind: doc.Code, Text: text, Places: b.Places, Anchor: b.Anchor})
	f.code = !par.def.is("sourcecode")
}

func (f *flow) addQuote(b doc.Block) {
	b.Kind = doc.Paragraph
	if last := len(f.blocks) - 1; f.quote && last >= 0 {
		f.blocks[last].Children = append(f.blocks[last].Children, b)
		return
	}
	f.add(doc.Block{Kind: doc.Quote, Children: []doc.Block{b}})
	f.quote = true
}

// addCaption gives a caption to the picture or table before it, or keeps it for the table that may follow.
func (f *flow) addCaption(role stylename.Role, b doc.Block) {
	f.flushCaption()
	if last := len(f.blocks) - 1; last >= 0 && len(f.lists) == 0 {
		before, text := &f.blocks[last], doc.PlainText(b.Inlines)
		free := len(before.Caption) == 0 || before.Kind == doc.Table && doc.PlainText(before.Caption) == before.Label
		if free && (before.Kind == doc.Figure && stylename.BelowFigure(role, text) || before.Kind == doc.Table && stylename.BelowTable(role, text)) {
			before.Caption = b.Inlines
			if before.Anchor == "" {
				before.Anchor = b.Anchor
			}
			return
		}
	}
	b.Kind = doc.Paragraph
	f.closeLists()
	f.caption = &b
}

func (f *flow) flushCaption() {
	if f.caption != nil {
		b := *f.caption
		f.caption = nil
		f.add(b)
	}
}

// anchor names the block after the first bookmark in it, and leads the other bookmarks there.
func (f *flow) anchor(b *doc.Block, l *line) {
	names := append(f.pending, l.anchors...)
	if len(names) == 0 || len(l.inlines) == 0 {
		return
	}
	f.pending = nil
	b.Anchor = names[0]
	for _, name := range names {
		f.p.bookmarks[name] = names[0]
	}
}

// pendAnchors keeps bookmarks that stand where no block is for the next one.
func (f *flow) pendAnchors(l *line) {
	if len(l.inlines) == 0 || l.f.prefix != nil {
		f.pending = append(f.pending, l.anchors...)
	}
}

// figures turns a paragraph of pictures and nothing else into figures.
func (f *flow) figures(b doc.Block) bool {
	if f.inCell {
		return false
	}
	for _, in := range b.Inlines {
		if in.Kind != doc.Picture && !(in.Kind == doc.Text && strings.TrimSpace(in.Text) == "") || in.Link != "" {
			return false
		}
	}
	for _, in := range b.Inlines {
		if in.Kind == doc.Picture {
			f.add(doc.Block{Kind: doc.Figure, Image: in.Image, Inlines: nil, Text: in.Text, Places: b.Places, Anchor: b.Anchor})
		}
	}
	return true
}

// formulas turns a paragraph of formulas and nothing else, but perhaps a number, into formula blocks.
func (f *flow) formulas(b doc.Block) bool {
	number := ""
	for _, in := range b.Inlines {
		switch {
		case in.Kind == doc.Math || in.Kind == doc.Break:
		case in.Kind == doc.Text && isEquationNumber(in.Text) && number == "":
			number = strings.TrimSpace(in.Text)
		case in.Kind == doc.Text && strings.TrimSpace(in.Text) == "":
		default:
			return false
		}
	}
	if number != "" && b.Inlines[0].Kind != doc.Math {
		return false
	}
	found := false
	for _, in := range b.Inlines {
		if in.Kind == doc.Math {
			f.add(doc.Block{Kind: doc.Formula, Text: in.Text, Number: number, Places: b.Places, Anchor: b.Anchor})
			found = true
		}
	}
	return found
}

func isEquationNumber(text string) bool {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "(")
	if !ok || !strings.HasSuffix(inner, ")") || len(text) > 12 {
		return false
	}
	return strings.ContainsAny(inner, "0123456789")
}
