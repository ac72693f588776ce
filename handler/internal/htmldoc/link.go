package htmldoc

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/lazyregexp"
)

var scheme = lazyregexp.New(`^([a-zA-Z][a-zA-Z0-9+.-]*):`)

// unsafeSchemes run code or carry a page with code.
var unsafeSchemes = set("javascript vbscript livescript mocha data jar about blob view-source ms-its mhtml")

// SafeLink gives a link's target without characters that browsers ignore, and whether it may be followed.
func SafeLink(href string) (string, bool) {
	href = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r >= 0x200b && r <= 0x200f || r == 0xfeff {
			return -1
		}
		return r
	}, strings.TrimSpace(href))
	if m := scheme.FindStringSubmatch(href); m != nil && unsafeSchemes[strings.ToLower(m[1])] {
		return "", false
	}
	if escaped, err := url.PathUnescape(href); err == nil && escaped != href {
		if m := scheme.FindStringSubmatch(strings.TrimSpace(escaped)); m != nil && unsafeSchemes[strings.ToLower(m[1])] {
			return "", false
		}
	}
	return href, true
}

// target gives the address an <a> leads to, resolved and safe, or "".
func (b *builder) target(n *html.Node) string {
	href := attr(n, "href")
	if href == "" {
		return ""
	}
	if b.o.Link != nil {
		if href = b.o.Link(href); href == "" {
			return ""
		}
	}
	href, ok := SafeLink(href)
	if !ok {
		if b.quiet == 0 {
			b.d.Warn("unsafe_link", "A link with an unsafe target lost its target.")
		}
		return ""
	}
	return b.resolve(href)
}

// resolve makes a relative reference absolute where the base is known. Fragments stay fragments.
func (b *builder) resolve(reference string) string {
	if b.base == nil || !b.base.IsAbs() || strings.HasPrefix(reference, "#") {
		return reference
	}
	u, err := url.Parse(reference)
	if err != nil {
		return reference
	}
	return b.base.ResolveReference(u).String()
}
