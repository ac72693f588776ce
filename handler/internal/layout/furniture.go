package layout

import (
	"strings"
	"unicode"

	"decant/handler/internal/lazyregexp"
)

// Roles of furniture blocks.
const (
	RoleHeader     = "header"
	RoleFooter     = "footer"
	RolePageNumber = "page_number"
	RoleMargin     = "margin" // text along the side of pages, watermarks
)

// edgeShare is how much of a page's height, at the top and at the bottom, may hold running headers and footers.
const edgeShare = 0.13

// furnitureKey is what repeats: the place and the text with its figures blanked.
type furnitureKey struct {
	role string
	text string
}

// markFurniture finds what repeats at the edges of pages. A document of one page has no repetition, so nothing is taken.
func markFurniture(blocks []block, pages map[int]pageInfo) {
	seen := map[furnitureKey]map[int]int{} // page → block
	for i := range blocks {
		b := &blocks[i]
		if key, ok := furnitureKeyOf(b, pages[b.page]); ok {
			if seen[key] == nil {
				seen[key] = map[int]int{}
			}
			seen[key][b.page] = i
		}
	}
	need := 3
	if len(pages) < 5 {
		need = 2
	}
	for key, on := range seen {
		if len(on) < 2 || len(on) < need && !everyOther(on, pages) {
			continue
		}
		if !sameHeight(blocks, on, pages) {
			continue
		}
		for _, i := range on {
			blocks[i].furniture = key.role
		}
	}
	keepUnits(blocks)
}

// everyOther tells whether furniture stands on all even or all odd pages of a document.
func everyOther(on map[int]int, pages map[int]pageInfo) bool {
	side, all := -1, 0
	for page := range on {
		if side >= 0 && page%2 != side {
			return false
		}
		side = page % 2
	}
	for page := range pages {
		if page%2 == side {
			all++
		}
	}
	return len(on) == all
}

// keepUnits gives back what repeats below a text of the page's own, such as "[In thousands]" below the caption of each table:
// a running header has nothing but furniture above it, and a footer nothing else below it.
func keepUnits(blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		if b.furniture != RoleHeader && b.furniture != RoleFooter {
			continue
		}
		for k := pageStart(blocks, i); k < len(blocks) && blocks[k].page == b.page; k++ {
			o := &blocks[k]
			outer := o.box.Y1 <= b.box.Y0
			if b.furniture == RoleFooter {
				outer = o.box.Y0 >= b.box.Y1
			}
			if outer && o.furniture == "" && !o.isFloat() && overlapX(o.box, b.box) > 0 && (opensCaption(o.lines[0]) || wordCountOf(o) >= 10) {
				b.furniture = ""
				break
			}
		}
	}
}

// pageStart is the first block of the page that block i stands on.
func pageStart(blocks []block, i int) int {
	for i > 0 && blocks[i-1].page == blocks[i].page {
		i--
	}
	return i
}

func wordCountOf(b *block) int {
	n := 0
	for _, l := range b.lines {
		n += wordCount(l)
	}
	return n
}

// pageNumber is a page number alone, with the words around it in several languages; figures are "#" by then.
var pageNumber = lazyregexp.New(`^[-–—|\s]*(?:page|p\.|pg\.?|seite|page|página|стр\.?|第)?\s*(?:#|[ivxlc]{1,7}|[a-z]-#)\s*(?:页)?(?:\s*(?:of|/|von|de|sur|из)\s*#)?[-–—|\s]*$`)

func furnitureKeyOf(b *block, page pageInfo) (furnitureKey, bool) {
	if b.table != nil || b.figure != nil || len(b.lines) == 0 || len(b.lines) > 3 || page.height == 0 {
		return furnitureKey{}, false
	}
	text := blanked(b.text())
	role := ""
	switch {
	case b.rotated:
		role = RoleMargin
	case b.box.Y1 <= page.height*edgeShare:
		role = RoleHeader
	case b.box.Y0 >= page.height*(1-edgeShare):
		role = RoleFooter
	default:
		return furnitureKey{}, false
	}
	if !b.rotated && pageNumber.MatchString(text) {
		return furnitureKey{role: RolePageNumber, text: role}, true
	}
	return furnitureKey{role: role, text: text}, text != ""
}

// blanked is a text in lower case with each number as "#".
func blanked(s string) string {
	var b strings.Builder
	digit := false
	for _, r := range strings.ToLower(s) {
		if unicode.IsDigit(r) {
			if !digit {
				b.WriteByte('#')
			}
			digit = true
			continue
		}
		digit = false
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// sameHeight tells whether the blocks stand at about the same height on most of their pages, as furniture does.
func sameHeight(blocks []block, on map[int]int, pages map[int]pageInfo) bool {
	heights := map[int]int{}
	most := 0
	for page, i := range on {
		slot := int(blocks[i].box.Y0 / pages[page].height * 50)
		for _, s := range []int{slot - 1, slot, slot + 1} {
			heights[s]++
			most = max(most, heights[s])
		}
	}
	return most*2 >= len(on)
}
