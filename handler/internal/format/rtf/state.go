package rtf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// state is what a group inherits from the one around it and gives up when it closes.
type state struct {
	first     bool   // nothing was read in the group yet
	ignorable bool   // it started with \*
	end       func() // what to do when it closes
	skip      bool   // its text is not wanted
	sink      *strings.Builder
	picture   *picture

	uc       int // bytes after \u that stand for it
	font     int
	marks    doc.Marks
	hidden   bool
	inserted bool
	deleted  bool
	author   int
	link     string
	shown    bool // the field's result is in the text already
	par      paragraph

	ansiTwice bool // the group is skipped because its text follows again, in Unicode

	// In the tables at the start of the file:
	entry       string // what entries the group holds: font, style
	charStyle   bool   // the entry is a character style
	otherStyle  bool   // the entry is a table or section style
	styleNumber int    // of a character style
	base        int    // style that the entry is based on
	moment      *moment
	inLists     bool          // in a list table
	node        *xmltree.Node // element of an equation
}

// paragraph are the properties of a paragraph.
type paragraph struct {
	style   int
	outline int // 0-8, -1 for none
	list    int // \ls number, 0 for none
	level   int
	indent  int  // of the lines after the first, in twentieths of a point
	first   int  // what the first line is moved by; negative: it hangs out to the left
	ruled   bool // a line is drawn above or below
	inTable bool
	nesting int // \itap
	align   string
}

// bare are the properties after \pard.
var bare = paragraph{outline: -1}

// depth is how many tables the paragraph stands in.
func (p *paragraph) depth() int {
	if p.nesting > 0 {
		return min(p.nesting, maxNesting)
	}
	if p.inTable {
		return 1
	}
	return 0
}

// styled asks the paragraph's style and the styles that it is based on, nearest first, until one says yes.
func (p *parser) styled(par *paragraph, is func(def *styleDef) bool) bool {
	number := par.style
	for range 20 {
		def := p.styles[number]
		if def == nil {
			return false
		}
		if is(def) {
			return true
		}
		if def.base == number || def.base == 0 || def.base == noStyle {
			return false
		}
		number = def.base
	}
	return false
}

// noStyle is the number of a base style that stands for none.
const noStyle = 222

// maxNesting bounds tables in tables.
const maxNesting = 50

// styleDef is a style of the stylesheet.
type styleDef struct {
	name    string // lower case
	base    int
	outline int
	marks   doc.Marks
}
