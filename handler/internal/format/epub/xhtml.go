package epub

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

func isXML(page string) bool {
	head := page[:min(len(page), 1024)]
	return strings.Contains(head, "<?xml") || strings.Contains(head, "http://www.w3.org/1999/xhtml")
}

var emptyElement = lazyregexp.New(`<([A-Za-z][A-Za-z0-9:-]*)((?:\s+[^<>"'/=\s]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*/>`)

// void are the elements that HTML knows to be empty; the slash of any other one is ignored by it, which would make
// <title/> or <a id="x"/> swallow what follows.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true,
	"param": true, "source": true, "track": true, "wbr": true, "image": true, "path": true, "rect": true, "circle": true, "line": true, "use": true}

// closeEmpty writes empty elements as XHTML has them in the way that HTML understands.
func closeEmpty(page string) string {
	return emptyElement.ReplaceAllStringFunc(page, func(tag string) string {
		match := emptyElement.FindStringSubmatch(tag)
		if void[strings.ToLower(match[1])] {
			return tag
		}
		return "<" + match[1] + match[2] + "></" + match[1] + ">"
	})
}
