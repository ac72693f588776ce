package docx

import "decant/handler/internal/xmltree"

// numbering is what numbering.xml says (ECMA-376 part 1, 17.9), and the counters that run over the document.
type numbering struct {
	abstracts map[string]*abstractNum
	nums      map[string]*num
	styles    *styles
	counters  map[*abstractNum]*counter
}

type abstractNum struct {
	id        string
	levels    [9]levelDef
	styleLink string // stands for the numbering of this style
	ownStyle  string // is the numbering of this style
}

type num struct {
	abstract *abstractNum
	levels   [9]*levelDef // overridden levels
	restarts [9]int       // overridden starts; -1 for none
	started  [9]bool      // the override was used up
}

type levelDef struct {
	set     bool
	start   int
	format  string // "decimal", "bullet" ...
	text    string // "%1.%2"
	restart int    // level (from 1) after which it restarts; 0 never, -1 after any higher level
	legal   bool   // all numbers in decimal
	style   string // paragraph style bound to it
	indent  int    // left, -1 when not set
}

func readNumbering(root *xmltree.Node, s *styles) *numbering {
	n := &numbering{abstracts: map[string]*abstractNum{}, nums: map[string]*num{}, styles: s, counters: map[*abstractNum]*counter{}}
	byStyle := map[string]*abstractNum{}
	for _, node := range root.All("w:abstractNum") {
		a := readAbstract(node)
		n.abstracts[a.id] = a
		if a.ownStyle != "" {
			byStyle[a.ownStyle] = a
		}
	}
	for _, node := range root.All("w:num") {
		a := n.abstracts[node.Child("w:abstractNumId").Attr("w:val")]
		if a == nil {
			continue
		}
		if a.styleLink != "" && byStyle[a.styleLink] != nil {
			a = byStyle[a.styleLink]
		}
		n.nums[node.Attr("w:numId")] = readNum(node, a)
	}
	return n
}

func readAbstract(node *xmltree.Node) *abstractNum {
	a := &abstractNum{
		id:        node.Attr("w:abstractNumId"),
		styleLink: node.Child("w:numStyleLink").Attr("w:val"),
		ownStyle:  node.Child("w:styleLink").Attr("w:val"),
	}
	for _, lvl := range node.All("w:lvl") {
		if i := atoi(lvl.Attr("w:ilvl"), -1); i >= 0 && i < len(a.levels) {
			a.levels[i] = readLevel(lvl)
		}
	}
	return a
}

func readLevel(lvl *xmltree.Node) levelDef {
	def := levelDef{
		set:     true,
		start:   atoi(lvl.Child("w:start").Attr("w:val"), 0),
		format:  numberFormat(lvl),
		text:    lvl.Child("w:lvlText").Attr("w:val"),
		restart: atoi(lvl.Child("w:lvlRestart").Attr("w:val"), -1),
		style:   lvl.Child("w:pStyle").Attr("w:val"),
		indent:  readIndent(lvl.Child("w:pPr")),
	}
	if legal := lvl.Child("w:isLgl"); legal != nil {
		def.legal = on(legal.Attr("w:val"))
	}
	return def
}

// numberFormat reads w:numFmt, also where newer forms stand in an AlternateContent.
func numberFormat(lvl *xmltree.Node) string {
	node := lvl.Child("w:numFmt")
	if node == nil {
		node = lvl.Find("w:numFmt")
	}
	if value := node.Attr("w:val"); value == "custom" {
		return node.Attr("w:format")
	} else if value != "" {
		return value
	}
	return "decimal"
}

func readNum(node *xmltree.Node, a *abstractNum) *num {
	n := &num{abstract: a}
	for i := range n.restarts {
		n.restarts[i] = -1
	}
	for _, override := range node.All("w:lvlOverride") {
		i := atoi(override.Attr("w:ilvl"), -1)
		if i < 0 || i >= len(n.levels) {
			continue
		}
		if lvl := override.Child("w:lvl"); lvl != nil {
			def := readLevel(lvl)
			n.levels[i] = &def
		}
		if value, ok := override.Child("w:startOverride").Lookup("w:val"); ok {
			n.restarts[i] = atoi(value, 1)
		}
	}
	return n
}

func (n *num) level(i int) *levelDef {
	if n.levels[i] != nil {
		return n.levels[i]
	}
	return &n.abstract.levels[i]
}

// levelOfStyle is the level that is bound to a paragraph style, or -1.
func (n *num) levelOfStyle(style string) int {
	for i := range 9 {
		if style != "" && n.level(i).style == style {
			return i
		}
	}
	return -1
}
