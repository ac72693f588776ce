package markdown

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
)

// takesOtherBullet tells whether a list takes the other bullet: each of several lists with bullets, one directly after the other,
// takes another one than the list before, so that they stay apart.
func takesOtherBullet(blocks []doc.Block, i int) bool {
	before := 0
	for before < i && hasBullets(&blocks[i-1-before]) {
		before++
	}
	return before%2 == 1
}

// hasBullets tells whether a block is a list whose last item is written with a bullet: for want of a number that Markdown can count.
func hasBullets(b *doc.Block) bool {
	if b.Kind != doc.List || len(b.Children) == 0 {
		return false
	}
	marker, _ := itemMarker(&b.Children[len(b.Children)-1], "-", b.Ordered, 1)
	return marker == "-"
}

// list writes a list.
func (r *renderer) list(b *doc.Block, otherBullet bool) {
	bullet := "-"
	if otherBullet {
		bullet = "*"
	}
	loose := isLoose(b)
	count := max(b.Start, 0)
	if b.Start == 0 {
		count = 1
	}
	wrote := false
	for i := range b.Children {
		item := &b.Children[i]
		if wrote {
			r.newline()
			if loose {
				r.newline()
			}
		}
		wrote = true
		marker, label := bullet, strings.TrimSpace(item.Number)
		if b.Ordered || label != "" {
			marker, label = itemMarker(item, bullet, b.Ordered, count)
		}
		r.item(item, marker, label, loose)
		count++
	}
}

// itemMarker gives the marker and, when the printed label is not one that Markdown can count, the label to write as text.
func itemMarker(item *doc.Block, bullet string, ordered bool, count int) (marker, label string) {
	label = strings.TrimSpace(item.Number)
	if label == "" {
		if ordered {
			return strconv.Itoa(count) + ".", ""
		}
		return bullet, ""
	}
	digits := strings.TrimRight(label, ".)")
	if n, err := strconv.Atoi(digits); err == nil && n >= 0 && len(digits) <= 9 && len(label)-len(digits) <= 1 {
		if strings.HasSuffix(label, ")") {
			return digits + ")", ""
		}
		return digits + ".", ""
	}
	if isBullet(label) {
		return bullet, ""
	}
	return bullet, label
}

// isBullet tells whether a printed label is a bullet of some shape, such as "•" or "–".
func isBullet(label string) bool {
	switch label {
	case "-", "–", "—", "*", "•", "·", "◦", "o", "▪", "■", "□", "‣", "⁃", "●", "○", "➢", "✓", "":
		return true
	}
	return false
}

func (r *renderer) item(item *doc.Block, marker, label string, loose bool) {
	n := r.open(BlockNode, item)
	r.raw(marker)
	pushed := r.push(strings.Repeat(" ", len(marker)+1))
	if item.Checked != nil {
		r.raw(" " + checkBox(*item.Checked))
	}
	if label != "" {
		r.raw(" ")
		r.literal(label)
	}
	if r.linked[item.Anchor] {
		r.raw(" ")
		r.anchor(item)
	}
	r.itemBlocks(item, loose)
	r.pop(pushed)
	r.close(n)
}

func checkBox(checked bool) string {
	if checked {
		return "[x]"
	}
	return "[ ]"
}

func (r *renderer) itemBlocks(item *doc.Block, loose bool) {
	first := true
	for i := range item.Children {
		child := &item.Children[i]
		if !r.shows(child) {
			continue
		}
		switch {
		case first:
			r.raw(" ")
			r.fresh = true // a "#" or "1." behind a marker is markup as well
		case loose || !isTightAfter(&item.Children[i-1], child):
			r.gap()
			if wouldJoin(&item.Children[i-1], child) {
				r.raw("<!-- -->")
				r.gap()
			}
		default:
			r.newline()
		}
		r.block(child, takesOtherBullet(item.Children, i))
		first = false
	}
}

// isLoose tells whether a list needs empty lines between its items: some item holds more than text and nested lists.
func isLoose(list *doc.Block) bool {
	for i := range list.Children {
		children := list.Children[i].Children
		for j := 1; j < len(children); j++ {
			if !isTightAfter(&children[j-1], &children[j]) {
				return true
			}
		}
	}
	return false
}

func isTightAfter(before, b *doc.Block) bool {
	return before.Kind == doc.Paragraph && b.Kind == doc.List
}

// wouldJoin tells whether Markdown would read two neighbours as one list although they are two.
func wouldJoin(before, b *doc.Block) bool {
	if before.Kind != doc.List || b.Kind != doc.List || !before.Ordered || !b.Ordered || len(before.Children) == 0 || len(b.Children) == 0 {
		return false
	}
	if !isCounted(&before.Children[len(before.Children)-1]) || !isCounted(&b.Children[0]) {
		return false // items with labels have bullets, which take turns
	}
	last, first := before.Children[len(before.Children)-1].Number, b.Children[0].Number
	start := max(1, before.Start) + len(before.Children)
	if n, err := strconv.Atoi(strings.TrimRight(last, ".)")); err == nil {
		start = n + 1
	}
	want := max(1, b.Start)
	if n, err := strconv.Atoi(strings.TrimRight(first, ".)")); err == nil {
		want = n
	}
	return want != start
}

// isCounted tells an item that Markdown counts from one whose number is written out behind a bullet.
func isCounted(item *doc.Block) bool {
	number := strings.TrimSpace(item.Number)
	_, err := strconv.Atoi(strings.TrimRight(number, ".)"))
	return number == "" || err == nil
}
