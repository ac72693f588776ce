package odf

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// counters hold the numbers of lists that later lists may go on with, and those of headings.
type counters struct {
	byStyle  map[string]*sequence // the last list with a style
	byID     map[string]*sequence // by xml:id
	heads    [maxLevels]int
	now      *sequence
	families int
}

// sequence is what the items of a list are counted with. Lists of one family go on with each other.
type sequence struct {
	counts [maxLevels]int
	family int
}

func newCounters() *counters {
	return &counters{byStyle: map[string]*sequence{}, byID: map[string]*sequence{}, now: &sequence{}}
}

// begin starts the counts of a list: those of the list that it goes on with (text:continue-list, text:continue-numbering), or new ones.
func (c *counters) begin(n *xmltree.Node, style string) {
	c.families++
	c.now = &sequence{family: c.families}
	earlier := c.byID[n.Attr("text:continue-list")]
	if earlier == nil && n.Attr("text:continue-numbering") == "true" {
		earlier = c.byStyle[style]
	}
	if earlier != nil {
		*c.now = *earlier
	}
}

// end keeps the counts of a list for those that go on with it.
func (c *counters) end(n *xmltree.Node, style string) {
	c.byStyle[style] = c.now
	if id := first(n.Attr("xml:id"), n.Attr("id")); id != "" {
		c.byID[id] = c.now
	}
}

// heading counts a heading on one level and gives its label.
func (c *counters) heading(outline *listStyle, level int, n *xmltree.Node) string {
	if !outline.levels[level].ordered {
		return ""
	}
	if n.Attr("text:restart-numbering") == "true" || c.heads[level] == 0 {
		c.heads[level] = number(n.Attr("text:start-value"), outline.levels[level].start)
	} else {
		c.heads[level]++
	}
	for below := level + 1; below < maxLevels; below++ {
		c.heads[below] = 0
	}
	return outline.label(level, &c.heads)
}

// count advances a level, restarts those below it and gives the label.
func (c *counters) count(n *xmltree.Node, style *listStyle, level int) string {
	start := 1
	if style != nil {
		start = style.levels[level].start
	}
	switch value := number(n.Attr("text:start-value"), -1); {
	case value >= 0:
		c.now.counts[level] = value
	case c.now.counts[level] == 0:
		c.now.counts[level] = start
	default:
		c.now.counts[level]++
	}
	for below := level + 1; below < maxLevels; below++ {
		c.now.counts[below] = 0
	}
	if style == nil {
		return ""
	}
	return style.label(level, &c.now.counts)
}

func numberHeading(blocks []doc.Block, label string) {
	for i := range blocks {
		if blocks[i].Kind == doc.Heading {
			if blocks[i].Number == "" {
				blocks[i].Number = label
			}
			return
		}
	}
}
