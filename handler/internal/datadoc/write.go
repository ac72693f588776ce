package datadoc

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
)

// Blocks gives the readable form of the values of a file: of one, or of several as a list.
func Blocks(ctx context.Context, values []Value) []doc.Block {
	w := writer{ctx: ctx}
	if len(values) == 1 {
		return w.blocks(values[0], "", 1)
	}
	return w.blocks(Value{Kind: List, Items: values}, "", 1)
}

// writer makes blocks of values.
type writer struct{ ctx context.Context }

// Limits of the readable form: deeper data is shown as nested lists.
const headingLevels = 4

// blocks gives the readable form of a Value under a name.
func (w *writer) blocks(v Value, name string, level int) []doc.Block {
	if w.ctx.Err() != nil {
		return nil
	}
	switch {
	case v.IsScalar():
		return scalarBlocks(v)
	case v.Kind == List && isTable(v):
		return []doc.Block{{Kind: doc.Table, Table: w.table(v)}}
	case v.Kind == List && isMatrix(v):
		return []doc.Block{{Kind: doc.Table, Table: matrix(v)}}
	case v.Kind == List:
		return w.list(v, name, level)
	case level > headingLevels:
		return w.nested(v)
	}
	return w.object(v, level)
}

// object writes what fits in a line as named values, then everything else under headings, both in order. The values come first
// because a heading cannot be closed: behind the section of another value they would read as a part of it.
func (w *writer) object(v Value, level int) []doc.Block {
	var sections []doc.Block
	facts := doc.Block{Kind: doc.List}
	for i, item := range v.Items {
		if item.IsScalar() && !strings.Contains(item.Text, "\n") || isShortList(item) || len(item.Items) == 0 && item.Kind == Object {
			facts.Children = append(facts.Children, named(v.Names[i], inline(item)))
			continue
		}
		sections = append(sections, heading(level, v.Names[i]))
		sections = append(sections, w.blocks(item, v.Names[i], level+1)...)
	}
	if len(facts.Children) == 0 {
		return sections
	}
	return append([]doc.Block{facts}, sections...)
}

// heading is the name of a value above what it holds.
func heading(level int, name string) doc.Block {
	h := doc.H(min(level, 6), name)
	h.Role = doc.RoleName
	return h
}

// list writes scalars as items, and records that are no table one after the other.
func (w *writer) list(v Value, name string, level int) []doc.Block {
	if slices.IndexFunc(v.Items, func(item Value) bool { return !item.IsScalar() }) < 0 {
		list := doc.Block{Kind: doc.List}
		for _, item := range v.Items {
			list.Children = append(list.Children, doc.Block{Kind: doc.Item, Children: scalarBlocks(item)})
		}
		return []doc.Block{list}
	}
	if level > headingLevels {
		return w.nested(v)
	}
	var blocks []doc.Block
	for i, item := range v.Items {
		title := titleOf(item)
		if title == "" {
			title = strings.TrimSpace(name + " " + strconv.Itoa(i+1))
		}
		blocks = append(blocks, heading(level, title))
		blocks = append(blocks, w.blocks(item, name, level+1)...)
	}
	return blocks
}

// titleOf is what a record calls itself.
func titleOf(v Value) string {
	for _, key := range []string{"title", "name", "label", "id"} {
		for i, name := range v.Names {
			if strings.EqualFold(name, key) && v.Items[i].Kind == Scalar && len(v.Items[i].Text) < 120 && v.Items[i].Text != "" {
				return v.Items[i].Text
			}
		}
	}
	return ""
}

// nested writes data as lists in lists.
func (w *writer) nested(v Value) []doc.Block {
	list := doc.Block{Kind: doc.List}
	for i, item := range v.Items {
		name := ""
		if v.Kind == Object {
			name = v.Names[i]
		}
		if item.IsScalar() {
			list.Children = append(list.Children, named(name, inline(item)))
			continue
		}
		entry := named(name, "")
		entry.Children = append(entry.Children, w.nested(item)...)
		list.Children = append(list.Children, entry)
	}
	if len(list.Children) == 0 {
		return nil
	}
	return []doc.Block{list}
}

// named is an item "name: text".
func named(name, text string) doc.Block {
	var line []doc.Inline
	if name != "" {
		line = append(line, doc.Inline{Kind: doc.Text, Text: name + ":", Marks: doc.Strong})
	}
	if text != "" {
		if name != "" {
			line = append(line, doc.T(" "))
		}
		line = append(line, doc.T(text))
	}
	return doc.Block{Kind: doc.Item, Children: []doc.Block{{Kind: doc.Paragraph, Role: doc.RoleFact, Inlines: line}}}
}

func scalarBlocks(v Value) []doc.Block {
	text := strings.TrimSpace(v.Text)
	if text == "" {
		return nil
	}
	var blocks []doc.Block
	for _, stanza := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		b := doc.Block{Kind: doc.Paragraph}
		for i, line := range strings.Split(stanza, "\n") {
			if i > 0 {
				b.Inlines = append(b.Inlines, doc.Inline{Kind: doc.Break})
			}
			if line != "" {
				b.Inlines = append(b.Inlines, doc.T(line))
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func isShortList(v Value) bool {
	size := 0
	for _, item := range v.Items {
		size += len(item.Text) + 2
		if !item.IsScalar() || strings.Contains(item.Text, "\n") {
			return false
		}
	}
	return v.Kind == List && size <= 200
}

// inline is a scalar or a short list in one line.
func inline(v Value) string {
	if v.IsScalar() {
		return v.Text
	}
	var parts []string
	for _, item := range v.Items {
		parts = append(parts, item.Text)
	}
	return strings.Join(parts, ", ")
}

// Bounds of tables.
const (
	maxColumns = 60
	minFilled  = 0.4 // share of cells that have a value
)

// isTable tells a list of records whose fields are scalars, mostly the same ones.
func isTable(v Value) bool {
	if len(v.Items) < 2 {
		return false
	}
	filled, columns := 0, map[string]bool{}
	for _, item := range v.Items {
		if item.Kind != Object || len(item.Items) == 0 {
			return false
		}
		for i, field := range item.Items {
			if !field.IsScalar() && !isShortList(field) {
				return false
			}
			columns[item.Names[i]] = true
			filled++
		}
		if len(columns) > maxColumns {
			return false
		}
	}
	return float64(filled) >= minFilled*float64(len(columns)*len(v.Items))
}

func (w *writer) table(v Value) *doc.Grid {
	var names []string
	at := map[string]int{}
	g := &doc.Grid{Rows: len(v.Items) + 1, HeaderRows: 1}
	for _, item := range v.Items {
		for _, name := range item.Names {
			if _, known := at[name]; !known {
				at[name] = len(names)
				names = append(names, name)
			}
		}
	}
	g.Columns = len(names)
	for column, name := range names {
		g.Cells = append(g.Cells, doc.Cell{Column: column, Header: true, Blocks: []doc.Block{doc.P(name)}})
	}
	for row, item := range v.Items {
		cells := make([]*doc.Cell, len(names))
		for i, field := range item.Items {
			if blocks := scalarBlocks(Value{Text: inline(field)}); len(blocks) > 0 {
				cells[at[item.Names[i]]] = &doc.Cell{Row: row + 1, Column: at[item.Names[i]], Blocks: blocks}
			}
		}
		for _, cell := range cells {
			if cell != nil {
				g.Cells = append(g.Cells, *cell)
			}
		}
	}
	return g
}
