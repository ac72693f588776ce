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
	par      paragraph

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
	indent  int
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

// maxNesting bounds tables in tables.
const maxNesting = 50

// styleDef is a style of the stylesheet.
type styleDef struct {
	name    string // lower case
	base    int
	outline int
	marks   doc.Marks
}
