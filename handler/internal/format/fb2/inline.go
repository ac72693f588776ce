package fb2

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

var marks = map[string]doc.Marks{"strong": doc.Strong, "emphasis": doc.Emphasis, "strikethrough": doc.Strike, "sub": doc.Subscript, "sup": doc.Superscript, "code": doc.Monospace}

// inlines reads mixed content.
func (r *reader) inlines(n *xmltree.Node, look doc.Marks, link string, out []doc.Inline) []doc.Inline {
	for _, c := range n.Children {
		switch c.Name {
		case "":
			text := fold(c.Text)
			if look.Has(doc.Monospace) {
				text = strings.NewReplacer("\n", " ", "\r", "").Replace(c.Text)
			}
			if text != "" {
				out = append(out, doc.Inline{Kind: doc.Text, Text: text, Marks: look, Link: link})
			}
		case "a":
			out = r.anchor(c, look, out)
		case "image":
			if id, ok := r.image(c); ok {
				out = append(out, doc.Inline{Kind: doc.Picture, Image: id, Text: c.Attr("alt"), Link: link})
			}
		default:
			out = r.inlines(c, look|marks[c.Name], link, out)
		}
	}
	return out
}

func (r *reader) anchor(n *xmltree.Node, look doc.Marks, out []doc.Inline) []doc.Inline {
	target := strings.TrimSpace(href(n))
	if section, internal := strings.CutPrefix(target, "#"); internal {
		if id, ok := r.note(section, words(n)); ok {
			return append(out, doc.Inline{Kind: doc.NoteReference, Note: id})
		}
	}
	lower := strings.ToLower(target)
	for _, unsafe := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(lower, unsafe) {
			r.doc.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.")
			target = ""
		}
	}
	return r.inlines(n, look, target, out)
}

// fold makes runs of white space one space.
func fold(text string) string {
	folded := strings.Join(strings.Fields(text), " ")
	if folded == "" {
		if text != "" {
			return " "
		}
		return ""
	}
	if strings.ContainsAny(text[:1], " \t\n\r") {
		folded = " " + folded
	}
	if strings.ContainsAny(text[len(text)-1:], " \t\n\r") {
		folded += " "
	}
	return folded
}

func trim(inlines []doc.Inline) []doc.Inline {
	for len(inlines) > 0 && inlines[0].Kind == doc.Text {
		if inlines[0].Text = strings.TrimLeft(inlines[0].Text, " "); inlines[0].Text != "" {
			break
		}
		inlines = inlines[1:]
	}
	for len(inlines) > 0 && inlines[len(inlines)-1].Kind == doc.Text {
		last := &inlines[len(inlines)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		inlines = inlines[:len(inlines)-1]
	}
	return inlines
}

const maxSpan = 1000

// table reads a table with its spans.
func (r *reader) table(n *xmltree.Node) []doc.Block {
	g := &doc.Grid{}
	busy := map[int]int{} // by column: the first row below a cell that spans rows
	heads := true
	for _, tr := range n.All("tr") {
		column, onlyHeads := 0, true
		for _, cell := range tr.Children {
			if cell.Name != "td" && cell.Name != "th" {
				continue
			}
			for busy[column] > g.Rows {
				column++
			}
			c := doc.Cell{Row: g.Rows, Column: column, Header: cell.Name == "th", RowSpan: span(cell.Attr("rowspan")), ColSpan: span(cell.Attr("colspan"))}
			c.Blocks = code(r.paragraph(cell, 0))
			if align := cell.Attr("align"); align == "center" || align == "right" {
				c.Align = align
			}
			onlyHeads = onlyHeads && c.Header
			for x := range c.Width() {
				busy[column+x] = g.Rows + c.Height()
			}
			column += c.Width()
			g.Cells = append(g.Cells, c)
		}
		if heads = heads && onlyHeads && column > 0; heads {
			g.HeaderRows++
		}
		g.Columns = max(g.Columns, column)
		g.Rows++
	}
	if len(g.Cells) == 0 {
		return nil
	}
	return []doc.Block{{Kind: doc.Table, Table: g}}
}

func span(value string) int {
	if n, err := strconv.Atoi(value); err == nil && n > 1 {
		return min(n, maxSpan)
	}
	return 0
}
