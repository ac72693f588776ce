package textfile

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

var (
	bullet  = lazyregexp.New(`^(\s*)([-*•‣▪●○–])\s+(\S.*)$`)
	counted = lazyregexp.New(`^(\s*)(\d{1,4})[.)]\s+(\S.*)$`)
)

// listItem is one item with the lines that continue it.
type listItem struct {
	number int // 0 for a bullet
	lines  []Line
}

// asList reads a stanza as a flat list: at least two items, all with the same kind of mark at the same indent,
// numbers counting up by one; further lines of an item are indented more than its mark.
func asList(lines []Line, width int) (doc.Block, bool) {
	var items []listItem
	mark, margin := "", -1
	for _, line := range lines {
		number, sign, left, rest := itemStart(line.Text)
		switch {
		case sign != "" && (margin < 0 || left == margin && sign == mark):
			mark, margin = sign, left
			line.Text = rest
			items = append(items, listItem{number, []Line{line}})
		case len(items) > 0 && sign == "" && indentOf(line.Text) > margin:
			last := &items[len(items)-1]
			last.lines = append(last.lines, line)
		default:
			return doc.Block{}, false
		}
	}
	if len(items) < 2 || !countsUp(items) {
		return doc.Block{}, false
	}
	list := doc.Block{Kind: doc.List, Ordered: items[0].number > 0, Places: place(lines)}
	if items[0].number > 1 {
		list.Start = items[0].number
	}
	for _, item := range items {
		list.Children = append(list.Children, doc.Block{
			Kind: doc.Item, Children: []doc.Block{paragraph(item.lines, width)}, Places: place(item.lines),
		})
	}
	return list, true
}

func itemStart(line string) (number int, sign string, left int, rest string) {
	if m := bullet.FindStringSubmatch(line); m != nil {
		return 0, m[2], len(m[1]), m[3]
	}
	if m := counted.FindStringSubmatch(line); m != nil {
		n, err := strconv.Atoi(m[2])
		if err == nil && n > 0 {
			return n, "1", len(m[1]), m[3]
		}
	}
	return 0, "", 0, ""
}

func countsUp(items []listItem) bool {
	for i, item := range items {
		if item.number != 0 && item.number != items[0].number+i {
			return false
		}
	}
	return true
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
