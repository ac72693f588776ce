package docling

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/doc"
)

// Write writes a document under the given name.
func Write(w io.Writer, d *doc.Document, name string) error {
	b := &builder{out: document{
		Schema: "DoclingDocument", Version: "1.3.0", Name: name,
		Groups: []*group{}, Texts: []*text{}, Pictures: []*picture{}, Tables: []*table{},
		KeyValues: []struct{}{}, Forms: []struct{}{}, Pages: map[string]page{},
	}}
	b.out.Body = root("#/body", "body")
	b.out.Furniture = root("#/furniture", "furniture")
	b.layer = "body"
	b.blocks(&b.out.Body.item, d.Blocks)
	for i := range d.Notes {
		b.label = "footnote"
		b.blocks(&b.out.Body.item, d.Notes[i].Blocks)
		b.label = ""
	}
	b.layer = "furniture"
	b.blocks(&b.out.Body.item, d.Furniture)
	for _, p := range d.Pages {
		b.out.Pages[strconv.Itoa(p.Number)] = page{size{p.Width, p.Height}, p.Number}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&b.out); err != nil {
		return fmt.Errorf("write docling document: %w", err)
	}
	return nil
}

func root(self, layer string) *group {
	return &group{item{Self: self, Children: []ref{}, Layer: layer, Label: "unspecified"}, "_root_"}
}

type builder struct {
	out   document
	layer string
	label string // of plain texts, when not "text"
	depth int
}

// maxDepth bounds nesting; what is deeper becomes flat.
const maxDepth = 100

func (b *builder) item(parent *item, kind string, n int, label string) item {
	self := "#/" + kind + "/" + strconv.Itoa(n)
	parent.Children = append(parent.Children, ref{self})
	return item{Self: self, Parent: &ref{parent.Self}, Children: []ref{}, Layer: b.layer, Label: label}
}

func (b *builder) blocks(parent *item, blocks []doc.Block) {
	b.depth++
	defer func() { b.depth-- }()
	for i := range blocks {
		b.block(parent, &blocks[i])
	}
}

// groupLabels are the labels of groups by role.
var groupLabels = map[string]string{
	doc.RoleSlide: "slide", doc.RoleSheet: "sheet", doc.RoleChapter: "chapter", doc.RoleForm: "form_area", doc.RoleSection: "section",
	doc.RoleNotes: "comment_section",
}

func (b *builder) block(parent *item, x *doc.Block) {
	switch x.Kind {
	case doc.Heading:
		b.text(parent, x, "section_header", x.Inlines).Level = max(1, x.Level)
	case doc.Paragraph, doc.Term:
		label := "text"
		if b.label != "" {
			label = b.label
		}
		b.text(parent, x, label, x.Inlines)
	case doc.Code:
		t := b.text(parent, x, "code", []doc.Inline{doc.T(x.Text)})
		t.Captions, t.Language = &[]ref{}, "unknown"
	case doc.Formula:
		b.text(parent, x, "formula", []doc.Inline{doc.T(x.Text)})
	case doc.List:
		b.list(parent, x)
	case doc.Table:
		b.table(parent, x)
	case doc.Figure:
		b.picture(parent, x)
	case doc.Rule:
	default:
		b.group(parent, x)
	}
}

func (b *builder) group(parent *item, x *doc.Block) {
	if b.depth > maxDepth {
		b.blocks(parent, x.Children)
		return
	}
	label := groupLabels[x.Role]
	if label == "" {
		label = "unspecified"
	}
	name := x.Label
	if name == "" {
		name = "group"
	}
	g := &group{Name: name}
	g.item = b.item(parent, "groups", len(b.out.Groups), label)
	b.out.Groups = append(b.out.Groups, g)
	b.blocks(&g.item, x.Children)
}

func (b *builder) list(parent *item, x *doc.Block) {
	g := &group{Name: "list"}
	g.item = b.item(parent, "groups", len(b.out.Groups), "list")
	b.out.Groups = append(b.out.Groups, g)
	for i := range x.Children {
		child := &x.Children[i]
		marker := child.Number
		if marker == "" && x.Ordered {
			marker = strconv.Itoa(max(1, x.Start)+i) + "."
		}
		ordered := x.Ordered
		own, rest := child, []doc.Block(nil)
		if len(child.Children) > 0 && child.Children[0].Kind == doc.Paragraph {
			own, rest = &child.Children[0], child.Children[1:]
		} else {
			rest = child.Children
		}
		t := b.text(&g.item, own, "list_item", own.Inlines)
		t.Enumerated, t.Marker = &ordered, marker
		if b.depth > maxDepth {
			b.blocks(&g.item, rest)
			continue
		}
		b.blocks(&t.item, rest)
	}
}

func (b *builder) text(parent *item, x *doc.Block, label string, inlines []doc.Inline) *text {
	plain := doc.PlainText(inlines)
	if x.Number != "" && x.Kind == doc.Heading && !strings.HasPrefix(plain, x.Number) {
		plain = x.Number + " " + plain
	}
	t := &text{Prov: provs(x, plain), Orig: plain, Text: plain}
	t.item = b.item(parent, "texts", len(b.out.Texts), label)
	b.out.Texts = append(b.out.Texts, t)
	return t
}

// provs are the places of a block; charspan counts characters.
func provs(x *doc.Block, plain string) []prov {
	list := []prov{}
	for _, pl := range x.Places {
		if pl.Page == 0 {
			continue
		}
		p := prov{Page: pl.Page, Span: [2]int{0, utf8.RuneCountInString(plain)}, Box: box{Origin: "TOPLEFT"}}
		if pl.To > pl.From && pl.To <= len(plain) {
			p.Span = [2]int{utf8.RuneCountInString(plain[:pl.From]), utf8.RuneCountInString(plain[:pl.To])}
		}
		if pl.Box != nil {
			p.Box = box{pl.Box.X0, pl.Box.Y0, pl.Box.X1, pl.Box.Y1, "TOPLEFT"}
		}
		list = append(list, p)
	}
	return list
}

func (b *builder) caption(parent *item, x *doc.Block) []ref {
	if len(x.Caption) == 0 {
		return []ref{}
	}
	t := b.text(parent, &doc.Block{}, "caption", x.Caption)
	return []ref{{t.Self}}
}

func (b *builder) picture(parent *item, x *doc.Block) {
	p := &picture{Prov: provs(x, "")}
	p.item = b.item(parent, "pictures", len(b.out.Pictures), "picture")
	b.out.Pictures = append(b.out.Pictures, p)
	p.Captions = b.caption(&p.item, x)
	b.blocks(&p.item, x.Children)
}

func (b *builder) table(parent *item, x *doc.Block) {
	t := &table{Prov: provs(x, ""), Data: tableData{Cells: []cell{}, Rows: x.Table.Rows, Columns: x.Table.Columns}}
	t.item = b.item(parent, "tables", len(b.out.Tables), "table")
	b.out.Tables = append(b.out.Tables, t)
	t.Captions = b.caption(&t.item, x)
	for i := range x.Table.Cells {
		c := &x.Table.Cells[i]
		if c.Hidden {
			continue
		}
		t.Data.Cells = append(t.Data.Cells, cell{
			RowSpan: c.Height(), ColSpan: c.Width(), StartRow: c.Row, EndRow: c.Row + c.Height(), StartColumn: c.Column, EndColumn: c.Column + c.Width(),
			Text: c.PlainText(), Header: c.Row < x.Table.HeaderRows, RowHeader: c.Header && c.Row >= x.Table.HeaderRows,
		})
	}
}
