package drawingml

import (
	"strconv"
	"strings"

	"decant/handler/internal/xmltree"
)

// Levels are paragraph properties by level, 0 to 8 (CT_TextListStyle, 21.1.2.4.12).
type Levels [9]*xmltree.Node

// ReadLevels reads a list style: a:lstStyle, p:bodyStyle, p:defaultTextStyle. Nil gives none.
func ReadLevels(n *xmltree.Node) Levels {
	var levels Levels
	if n == nil {
		return levels
	}
	for _, c := range n.Children {
		name := Local(c.Name)
		if len(name) == len("lvl1pPr") && strings.HasPrefix(name, "lvl") && name[3] >= '1' && name[3] <= '9' {
			levels[name[3]-'1'] = c
		}
	}
	return levels
}

// bullet is how a paragraph is marked.
type bullet struct {
	ordered bool
	char    string
	scheme  string // of an ordered one: arabicPeriod, alphaLcParenR, romanUcPeriod ...
	start   int
}

// bulletOf finds a paragraph's bullet: its own, or inherited from the list styles, nearest first. Nil means none.
func bulletOf(properties *xmltree.Node, level int, inherited []Levels) *bullet {
	chain := []*xmltree.Node{properties}
	for _, levels := range inherited {
		chain = append(chain, levels[level])
	}
	for _, n := range chain {
		if n == nil {
			continue
		}
		for _, c := range n.Children {
			switch Local(c.Name) {
			case "buNone":
				return nil
			case "buChar":
				return &bullet{char: c.Attr("char")}
			case "buBlip":
				return &bullet{}
			case "buAutoNum":
				start, _ := strconv.Atoi(c.Attr("startAt"))
				return &bullet{ordered: true, scheme: c.Attr("type"), start: max(start, 1)}
			}
		}
	}
	return nil
}

// label is the n-th number of a scheme as printed; "" for plain "1.", which Markdown's own count shows.
func (b *bullet) label(n int) string {
	kind, form := b.scheme, ""
	for _, suffix := range []string{"ParenBoth", "ParenR", "Period", "Plain", "Minus"} {
		if rest, ok := strings.CutSuffix(b.scheme, suffix); ok {
			kind, form = rest, suffix
			break
		}
	}
	text := strconv.Itoa(n)
	switch kind {
	case "alphaLc":
		text = letters(n)
	case "alphaUc":
		text = strings.ToUpper(letters(n))
	case "romanLc":
		text = strings.ToLower(roman(n))
	case "romanUc":
		text = roman(n)
	default:
		if form == "Period" || form == "" {
			return ""
		}
	}
	switch form {
	case "ParenBoth":
		return "(" + text + ")"
	case "ParenR":
		return text + ")"
	case "Period":
		return text + "."
	}
	return text
}

// letters counts a, b ... z, aa, bb, as Office does.
func letters(n int) string {
	return strings.Repeat(string(rune('a'+(n-1)%26)), min((n-1)/26+1, 20))
}

var romans = []struct {
	value int
	text  string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

func roman(n int) string {
	if n > 10_000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, r := range romans {
		for ; n >= r.value; n -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}
