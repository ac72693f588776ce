package markup

import (
	"html"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// Look is a pair of marks, and the element that it stands for.
type Look struct {
	Pattern *lazyregexp.Regexp
	Replace string
}

// Inline is a text on its way to HTML. What must not be looked at again (code, formulas, links) is put aside and comes back at the
// end.
type Inline struct {
	text  string
	aside []string
}

// NewInline begins with a text as it is written.
func NewInline(text string) *Inline {
	return &Inline{text: strings.NewReplacer(begin, "", end, "").Replace(text)}
}

// begin and end stand around the number of what was put aside.
const begin, end = "\x00", "\x01"

// Keep puts HTML aside and gives what stands for it in the text.
func (n *Inline) Keep(html string) string {
	n.aside = append(n.aside, html)
	return begin + strconv.Itoa(len(n.aside)-1) + end
}

// Put puts what make makes of each match aside. The match and its groups are those of the matched text by itself.
func (n *Inline) Put(pattern *lazyregexp.Regexp, make func(m []string) string) {
	n.Change(pattern, func(m []string) string { return n.Keep(make(m)) })
}

// Change replaces each match by what make makes of it.
func (n *Inline) Change(pattern *lazyregexp.Regexp, make func(m []string) string) {
	n.text = pattern.ReplaceAllStringFunc(n.text, func(m string) string { return make(pattern.FindStringSubmatch(m)) })
}

// Escape makes the text HTML.
func (n *Inline) Escape() { n.text = html.EscapeString(n.text) }

// Look replaces marks by elements.
func (n *Inline) Look(looks ...Look) {
	for _, look := range looks {
		n.text = look.Pattern.ReplaceAllString(n.text, look.Replace)
	}
}

// HTML is the text with everything back in its place.
func (n *Inline) HTML() string {
	if n.aside == nil {
		return n.text
	}
	var b strings.Builder
	n.back(&b, n.text, len(n.aside))
	return b.String()
}

// back writes a text with what was put aside. That may hold what was put aside before it, so what has a number below limit.
func (n *Inline) back(b *strings.Builder, text string, limit int) {
	for {
		before, rest, found := strings.Cut(text, begin)
		b.WriteString(before)
		if !found {
			return
		}
		name, after, closed := strings.Cut(rest, end)
		number, err := strconv.Atoi(name)
		if !closed || err != nil || number >= limit {
			text = rest
			continue
		}
		n.back(b, n.aside[number], number)
		text = after
	}
}
