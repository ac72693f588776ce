package asciidoc

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

// conditions follows the lines ifdef, ifndef, ifeval and endif. Only what the document itself sets is known: an attribute that a
// tool would set from outside counts as not set, and what ifeval asks counts as true, so that nothing is lost.
type conditions struct {
	set  map[string]bool
	open []bool // whether each open condition holds
}

var condition = lazyregexp.New(`^(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]$`)

// keeps tells whether a line belongs to the document. A condition on one line leaves its text.
func (c *conditions) keeps(line *string) bool {
	m := condition.FindStringSubmatch(*line)
	if m == nil {
		if c.holds() {
			c.note(*line)
			return true
		}
		return false
	}
	if m[1] == "endif" {
		c.open = c.open[:max(0, len(c.open)-1)]
		return false
	}
	yes := m[1] == "ifeval" || c.known(m[2]) == (m[1] == "ifdef")
	if m[3] != "" && m[1] != "ifeval" {
		*line = m[3]
		return yes && c.holds()
	}
	c.open = append(c.open, yes)
	return false
}

func (c *conditions) holds() bool {
	for _, yes := range c.open {
		if !yes {
			return false
		}
	}
	return true
}

// known tells whether one ("a,b") or all ("a+b") of the attributes are set.
func (c *conditions) known(names string) bool {
	if strings.Contains(names, "+") {
		for _, name := range strings.Split(names, "+") {
			if !c.set[name] {
				return false
			}
		}
		return true
	}
	for _, name := range strings.Split(names, ",") {
		if c.set[name] {
			return true
		}
	}
	return false
}

func (c *conditions) note(line string) {
	m := attributeLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if c.set == nil {
		c.set = map[string]bool{}
	}
	c.set[strings.Trim(m[1], "!")] = !strings.Contains(m[1], "!")
}
