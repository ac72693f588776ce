package htmldoc

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

var (
	metaTag     = lazyregexp.New(`(?i)<meta[^>]*?charset\s*=\s*["']?\s*([a-z0-9_:.-]+)`)
	declaration = lazyregexp.New(`^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9_:.-]+)["']`)
)

// declaredWindow is how far a declaration may stand from the start, in bytes. Browsers look at 1,024; real pages need more.
const declaredWindow = 64 << 10

// Declared gives the encodings that a page names in its XML declaration and its meta elements, in this order, outside of comments.
func Declared(raw string) []string {
	head := raw[:min(len(raw), declaredWindow)]
	head = strings.TrimPrefix(head, "\xEF\xBB\xBF")
	var names []string
	if m := declaration.FindStringSubmatch(head); m != nil {
		names = append(names, m[1])
	}
	for _, m := range metaTag.FindAllStringSubmatchIndex(head, 4) {
		if strings.LastIndex(head[:m[0]], "<!--") <= strings.LastIndex(head[:m[0]], "-->") {
			names = append(names, head[m[2]:m[3]])
		}
	}
	return names
}
