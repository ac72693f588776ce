package layout

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// bullets are the signs that open an item. A dash or asterisk counts when it stands alone.
const bullets = "•‣▪▫■□●○◦◆◇►▶➢➤✓✔❖∙·⁃–—-*→»"

// dashes are the bullets that are other signs as well.
const dashes = "–—-*→»"

// itemNumber is a printed item number: "1.", "2)", "(3)", "a)", "(b)", "iv.", "A.".
var itemNumber = lazyregexp.New(`^(?:\(?(\d{1,3})[.)]|\(?([a-zA-Z])[.)]|\(?([ivxlIVXL]{2,6})[.)]|\((\d{1,3}|[a-z]|[ivxl]{1,6})\))$`)

// marker gives the bullet or number with which a line opens as an item, or "".
func marker(l Line) string {
	if len(l.Words) < 2 {
		return ""
	}
	first := l.Words[0].Text
	r, size := utf8.DecodeRuneInString(first)
	if strings.ContainsRune(bullets, r) || r >= 0xF000 && r <= 0xF0FF {
		if size == len(first) && (!l.Words[1].Glued || !strings.ContainsRune(dashes, r)) {
			return first
		}
	}
	if !l.Words[1].Glued && (itemNumber.MatchString(first) || isSymbol(l)) {
		return first
	}
	return ""
}

// isSymbol tells whether a line opens with one character of another font than the words after it, or with one that no text is known for:
// a bullet of a symbol font, whatever its code means elsewhere. It takes several such lines to make a list.
func isSymbol(l Line) bool {
	first, next := l.Words[0], l.Words[1]
	r, size := utf8.DecodeRuneInString(first.Text)
	if size != len(first.Text) || next.Box.X0-first.Box.X1 < 0.3*l.Size || isRightToLeft(l) {
		return false
	}
	return r == unicode.ReplacementChar || !unicode.IsDigit(r) && family(first.Style.Font) != family(next.Style.Font)
}

// family is a font's name up to the style: "Times" of "Times-Italic" and "Times,Bold".
func family(font string) string {
	if i := strings.IndexAny(font, "-,"); i > 0 {
		return font[:i]
	}
	return font
}

// partBullets makes words of their own of bullets that stand at the text without a gap, when several lines of a region begin so at one place.
func partBullets(lines []Line) {
	glued := func(l Line) rune {
		if len(l.Words) == 0 || isRightToLeft(l) {
			return 0
		}
		r, size := utf8.DecodeRuneInString(l.Words[0].Text)
		next, _ := utf8.DecodeRuneInString(l.Words[0].Text[size:])
		if !strings.ContainsRune(bullets, r) || strings.ContainsRune(dashes, r) || !unicode.IsLetter(next) {
			return 0
		}
		return r
	}
	var found []int
	for i, l := range lines {
		r := glued(l)
		if r == 0 {
			continue
		}
		for k, o := range lines {
			if k != i && glued(o) == r && abs(o.Box.X0-l.Box.X0) < 0.6*l.Size {
				found = append(found, i)
				break
			}
		}
	}
	for _, i := range found {
		lines[i] = partBullet(lines[i])
	}
}

func partBullet(l Line) Line {
	first := l.Words[0]
	_, size := utf8.DecodeRuneInString(first.Text)
	rest := first
	x := first.Box.X0 + width(first.Box)/float64(utf8.RuneCountInString(first.Text))
	rest.Text, rest.Box.X0, rest.Glued = first.Text[size:], x, false
	first.Text, first.Box.X1, first.Hyphen = first.Text[:size], x, false
	return newLine(append([]Word{first, rest}, l.Words[1:]...))
}

// itemKind says which kind of label it is, so that labels of one kind can be told from others: "•", "1", "a", "i".
func itemKind(label string) string {
	m := itemNumber.FindStringSubmatch(label)
	switch {
	case m == nil:
		return "•"
	case m[1] != "":
		return "1"
	case m[2] != "":
		return "a"
	case m[3] != "":
		return "i"
	}
	return "(" + strconv.Itoa(len(m[4]))
}

// opensItem tells whether line i opens an item: it has a bullet, or a number that other lines of the region have too.
func opensItem(lines []Line, i int) bool {
	label := marker(lines[i])
	if label == "" {
		return false
	}
	kind := itemKind(label)
	if kind == "•" {
		r, _ := utf8.DecodeRuneInString(label)
		if isSymbol(lines[i]) && !strings.ContainsRune(bullets, r) {
			return sameSymbol(lines, i)
		}
		return !strings.ContainsRune(dashes, r) || sibling(lines, i, kind)
	}
	return sibling(lines, i, kind)
}

// sameSymbol tells whether another line begins with the same character of the same font at the same place.
func sameSymbol(lines []Line, i int) bool {
	w := lines[i].Words[0]
	for k := range lines {
		if k == i || len(lines[k].Words) < 2 || abs(lines[k].Box.X0-lines[i].Box.X0) > 0.6*lines[i].Size {
			continue
		}
		if o := lines[k].Words[0]; o.Text == w.Text && o.Style.Font == w.Style.Font && isSymbol(lines[k]) {
			return true
		}
	}
	return false
}

// sibling tells whether another line begins with a label of the same kind at the same place.
func sibling(lines []Line, i int, kind string) bool {
	for k := range lines {
		if k == i || abs(lines[k].Box.X0-lines[i].Box.X0) > 0.6*lines[i].Size {
			continue
		}
		if label := marker(lines[k]); label != "" && itemKind(label) == kind {
			return true
		}
	}
	return false
}

// listOf builds nested lists of consecutive item blocks by their indents.
func (r *Result) listOf(items []block) []doc.Block {
	var out []doc.Block
	for len(items) > 0 {
		n := 1
		indent, kind := items[0].box.X0, itemKind(items[0].label)
		for n < len(items) && !(items[n].box.X0 < indent-deeper) {
			if !items[n].deeperThan(&items[0]) && itemKind(items[n].label) != kind {
				break
			}
			n++
		}
		out = append(out, r.list(items[:n]))
		items = items[n:]
	}
	return out
}

// deeper is how far an item must be indented, in points, to be below the one before.
const deeper = 5.0

// deeperThan tells whether an item is indented against another; across pages and columns indents do not compare.
func (b *block) deeperThan(o *block) bool { return b.box.X0 > o.box.X0+deeper && b.region == o.region }

func (r *Result) list(items []block) doc.Block {
	list := doc.Block{Kind: doc.List}
	ordered := itemKind(items[0].label) != "•"
	list.Ordered = ordered
	for i := 0; i < len(items); {
		item := doc.Block{Kind: doc.Item}
		if ordered {
			if number, err := strconv.Atoi(strings.Trim(items[i].label, ".()")); err == nil && strings.HasSuffix(items[i].label, ".") {
				if len(list.Children) == 0 {
					list.Start = number
				}
				if number != max(1, list.Start)+len(list.Children) {
					item.Number = items[i].label
				}
			} else {
				item.Number = items[i].label
			}
		}
		p := r.paragraph(&items[i])
		item.Children, item.Places = []doc.Block{p}, nil
		j := i + 1
		for j < len(items) && items[j].deeperThan(&items[0]) {
			j++
		}
		if j > i+1 {
			item.Children = append(item.Children, r.listOf(items[i+1:j])...)
		}
		list.Children = append(list.Children, item)
		i = j
	}
	if list.Start == 1 {
		list.Start = 0
	}
	return list
}
