package htmldoc

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// Word, and mail that was written with it, has no <li>: an item is a paragraph with its bullet or number as text, in a span that other
// programs are to ignore, and its list and level in the style.
var (
	wordLevel   = lazyregexp.New(`mso-list:\s*(l\d+)\s+level(\d)(?:\s+(lfo\d+))?`)
	wordLabel   = lazyregexp.New(`^[\s\x{a0}]*(\(?[\p{L}\p{N}.]{1,8}[.)]|[·•§oØüv–-]|[\x{f000}-\x{f0ff}])[\s\x{a0}]*\x{a0}[\s\x{a0}]*`)
	marginLeft  = lazyregexp.New(`margin-left:\s*(\d*\.?\d+)(in|pt|cm)`)
	hangsOut    = lazyregexp.New(`text-indent:\s*-`)
	plainNumber = regexp.MustCompile(`^\d{1,4}[.)]$`)
)

// wordList is the list of Word's that the last block is.
type wordList struct {
	at      int    // its index in the blocks, plus one
	id      string // of the list, as Word counts
	ordered bool
}

// paragraph is a <p>: text, an item of a list of Word's, or its title.
func (f *flow) paragraph(n *html.Node, l look) {
	class := attr(n, "class")
	if !strings.Contains(class, "Mso") && !strings.Contains(attr(n, "style"), "mso-list") {
		f.container(n, l)
		return
	}
	if strings.HasPrefix(class, "MsoTitle") {
		f.heading(n, l)
		return
	}
	level, id, ok := wordItem(n)
	if !ok {
		f.container(n, l)
		return
	}
	label := takeLabel(n)
	if label == "" {
		f.container(n, l)
		return
	}
	f.flush()
	f.wordItem(n, l, level, id, label)
}

// wordItem tells an item of a list, with its level from 1 and its list.
func wordItem(n *html.Node) (level int, id string, ok bool) {
	style := strings.ToLower(attr(n, "style"))
	if match := wordLevel.FindStringSubmatch(style); match != nil {
		level, _ = strconv.Atoi(match[2])
		return max(level, 1), match[1] + match[3], true
	}
	if !strings.HasPrefix(attr(n, "class"), "MsoListParagraph") || !hangsOut.MatchString(style) {
		return 0, "", false
	}
	level = 1
	if match := marginLeft.FindStringSubmatch(style); match != nil { // half an inch a level
		margin, _ := strconv.ParseFloat(match[1], 64)
		level = int(margin/map[string]float64{"in": 0.5, "pt": 36, "cm": 1.27}[match[2]] + 0.5)
	}
	return min(max(level, 1), 9), "", true
}

// takeLabel takes the printed bullet or number off an item and gives it.
func takeLabel(n *html.Node) string {
	for d := range n.Descendants() {
		if isElement(d, "span") && strings.Contains(spaces.Replace(strings.ToLower(attr(d, "style"))), "mso-list:ignore") {
			label := strings.Trim(textOf(d), " \u00a0")
			d.Parent.RemoveChild(d)
			return label
		}
	}
	match := wordLabel.FindStringSubmatch(rawTextOf(n))
	if match == nil {
		return ""
	}
	cutText(n, len(match[0]))
	return match[1]
}

// cutText takes so many bytes of text off the start.
func cutText(n *html.Node, bytes int) {
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		taken := min(bytes, len(d.Data))
		d.Data = d.Data[taken:]
		if bytes -= taken; bytes == 0 {
			return
		}
	}
}

// wordItem adds an item to the list that goes on, or starts one.
func (f *flow) wordItem(n *html.Node, l look, level int, id, label string) {
	inner := flow{b: f.b}
	inner.children(n, l)
	inner.flush()
	f.take(&inner)
	item := doc.Block{Kind: doc.Item, Children: inner.blocks}
	ordered := strings.ContainsAny(label, ".)") && len(label) > 1
	list := doc.Block{Kind: doc.List, Ordered: ordered, Children: []doc.Block{item}}
	number := 0
	switch {
	case !ordered:
	case plainNumber.MatchString(label):
		if number, _ = strconv.Atoi(strings.Trim(label, ".)")); number > 1 {
			list.Start = number
		}
	default:
		list.Children[0].Number = label
	}
	for range level - 1 {
		list = doc.Block{Kind: doc.List, Children: []doc.Block{{Kind: doc.Item, Role: roleIndent, Children: []doc.Block{list}}}}
	}
	last := len(f.blocks) - 1
	goesOn := f.word.at == last+1 && last >= 0 && f.blocks[last].Kind == doc.List
	if level == 1 {
		goesOn = goesOn && f.word.id == id && f.word.ordered == ordered && (id != "" || number != 1)
	}
	if goesOn {
		joinLists(&f.blocks[last], &list)
		withoutIndents(f.blocks[last:])
		f.name(&f.blocks[last])
		return
	}
	blocks := unwrapped(list)
	withoutIndents(blocks)
	for _, b := range blocks {
		f.emit(b)
	}
	f.word = wordList{at: len(f.blocks), id: id, ordered: ordered}
}
