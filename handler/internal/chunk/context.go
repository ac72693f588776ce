package chunk

import (
	"cmp"
	"strings"

	"decant/handler/internal/markdown"
)

// context is what stands in a chunk's text before its body.
type context struct {
	text      string
	tokens    int
	shortened bool // the heading path is not complete
	dropped   bool // the table's header rows are not in it
}

type contextKey struct {
	path, table int32
	valid       bool
}

// contextOf is the context of a chunk whose body starts with x: the headings that x stands under, and when x continues a table,
// the table's caption and header rows. It takes half of the limit at most: the path gives way first, then the header.
func (p *packer) contextOf(x *piece) context {
	if p.options.Strategy == "fixed" {
		return context{}
	}
	key := contextKey{x.path, -1, true}
	if x.kind == rowPiece && x.start > p.md.Nodes[x.table].Start {
		key.table = x.table
	}
	if key != p.cachedK {
		p.cachedK, p.cached = key, p.makeContext(key)
	}
	return p.cached
}

func (p *packer) makeContext(key contextKey) context {
	budget := p.options.MaxTokens / 2
	if key.table < 0 {
		text, shortened := p.path(key.path, budget)
		return p.context(text, shortened, false)
	}
	h := p.head(key.table)
	for _, head := range []string{h.caption + h.header, h.header} {
		full := p.fullPath(key.path)
		if p.meter.raw(full+head) <= budget {
			return p.context(full+head, false, head == h.header && h.caption != "")
		}
		path, _ := p.path(key.path, budget-p.meter.raw(head)-1)
		if path != "" && p.meter.raw(path+head) <= budget {
			return p.context(path+head, true, false)
		}
		if key.path < 0 && p.meter.raw(head) <= budget {
			return p.context(head, false, false)
		}
	}
	path, shortened := p.path(key.path, budget-p.meter.raw(h.bare)-1)
	return p.context(path+h.bare, shortened, h.header != h.bare)
}

func (p *packer) context(text string, shortened, dropped bool) context {
	return context{text: text, tokens: p.meter.raw(text), shortened: shortened, dropped: dropped}
}

// headings lists the headings from the top down to at.
func (p *packer) headings(at int32) []int32 {
	var list []int32
	for ; at >= 0; at = p.outline[at].up {
		list = append(list, at)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

func (p *packer) fullPath(at int32) string { return p.pathText(p.headings(at)) }

func (p *packer) pathText(list []int32) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, i := range list {
		b.WriteString(p.text[p.outline[i].start:p.outline[i].end])
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.String()
}

// path is the heading path within a budget: headings are left out from the top; the last one is cut if it must be.
func (p *packer) path(at int32, budget int) (text string, shortened bool) {
	list := p.headings(at)
	for i := range list {
		if text = p.pathText(list[i:]); len(text) <= maxTokenBytes*p.meter.over && p.meter.raw(text) <= budget {
			return text, i > 0
		}
	}
	if len(list) == 0 {
		return "", false
	}
	h := p.outline[list[len(list)-1]]
	const more = "…\n\n"
	end, found := cutText(p.text, h.start, h.end, false, h.start, h.start+budget*4, func(end int) bool { return p.meter.raw(p.text[h.start:end]+more) <= budget })
	if found == noBorder || strings.Trim(p.text[h.start:end], "# ") == "" {
		return "", true
	}
	return p.text[h.start:end] + more, true
}

// tableHead is what may stand before the rows of a table.
type tableHead struct {
	caption string
	header  string // with the markup around it
	bare    string // the least that makes rows a table
}

// head makes the head of a table once.
func (p *packer) head(table int32) *tableHead {
	w := p.writer(table)
	if w.head == nil {
		w.head = p.makeHead(w)
	}
	return w.head
}

func (p *packer) makeHead(w *tableWriter) *tableHead {
	t, h := &p.md.Nodes[w.node], &tableHead{}
	for i := w.node + 1; i < t.Last; i = p.md.Nodes[i].Last {
		switch n := &p.md.Nodes[i]; n.Kind {
		case markdown.CaptionNode:
			h.caption = p.text[n.Start:n.End] + "\n\n"
		case markdown.HeaderNode:
			h.header = p.text[n.Start:n.End] + "\n"
		}
	}
	switch {
	case p.options.TableFormat == "rows":
		h.header = ""
	case p.options.TableFormat == "html" || w.hasSpans():
		h.header, h.bare = w.html().Head(), "<table>\n"
	case t.HTML:
		h.bare = "<table>\n"
		h.header = cmp.Or(h.header, h.bare)
	case h.header == "":
		h.header = emptyHeader(w.grid.Columns)
	}
	return h
}

// emptyHeader makes rows of a table without header rows a table.
func emptyHeader(columns int) string {
	return "|" + strings.Repeat("  |", columns) + "\n|" + strings.Repeat(" --- |", columns) + "\n"
}

// suffix is what closes a table behind one of its rows.
func (p *packer) suffix(x *piece) string {
	if x.kind != rowPiece || x.atEnd || x.partial || !p.md.Nodes[x.table].HTML || p.isGenerated(x) {
		return ""
	}
	if p.md.Nodes[x.table].Block.Table.HeaderRows > 0 {
		return "\n</tbody>\n</table>"
	}
	return "\n</table>"
}
