package jsonfmt

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
)

// writer makes blocks of values.
type writer struct {
	ctx context.Context
	d   *doc.Document
}

// documents writes the values of a file: one, or several as a list.
func (w *writer) documents(values []value) {
	if len(values) == 1 {
		w.d.Blocks = w.blocks(values[0], "", 1)
		return
	}
	w.d.Blocks = w.blocks(value{kind: list, items: values}, "", 1)
}

// Limits of the readable form: deeper data is shown as nested lists.
const headingLevels = 4

// blocks gives the readable form of a value under a name.
func (w *writer) blocks(v value, name string, level int) []doc.Block {
	if w.ctx.Err() != nil {
		return nil
	}
	switch {
	case v.isScalar():
		return scalarBlocks(v)
	case v.kind == list && isTable(v):
		return []doc.Block{{Kind: doc.Table, Table: w.table(v)}}
	case v.kind == list:
		return w.list(v, name, level)
	case level > headingLevels:
		return w.nested(v)
	}
	return w.object(v, level)
}

// object writes scalars as named values, then everything else under headings, in order.
func (w *writer) object(v value, level int) []doc.Block {
	var blocks []doc.Block
	var facts doc.Block
	flush := func() {
		if len(facts.Children) > 0 {
			blocks = append(blocks, facts)
		}
		facts = doc.Block{Kind: doc.List}
	}
	flush()
	for i, item := range v.items {
		if item.isScalar() && !strings.Contains(item.text, "\n") || isShortList(item) {
			facts.Children = append(facts.Children, named(v.names[i], inline(item)))
			continue
		}
		flush()
		blocks = append(blocks, doc.H(min(level, 6), v.names[i]))
		blocks = append(blocks, w.blocks(item, v.names[i], level+1)...)
	}
	flush()
	return blocks
}

// list writes scalars as items, and records that are no table one after the other.
func (w *writer) list(v value, name string, level int) []doc.Block {
	if slices.IndexFunc(v.items, func(item value) bool { return !item.isScalar() }) < 0 {
		list := doc.Block{Kind: doc.List}
		for _, item := range v.items {
			list.Children = append(list.Children, doc.Block{Kind: doc.Item, Children: scalarBlocks(item)})
		}
		return []doc.Block{list}
	}
	if level > headingLevels {
		return w.nested(v)
	}
	var blocks []doc.Block
	for i, item := range v.items {
		title := titleOf(item)
		if title == "" {
			title = strings.TrimSpace(name + " " + strconv.Itoa(i+1))
		}
		blocks = append(blocks, doc.H(min(level, 6), title))
		blocks = append(blocks, w.blocks(item, name, level+1)...)
	}
	return blocks
}

// titleOf is what a record calls itself.
func titleOf(v value) string {
	for _, key := range []string{"title", "name", "label", "id"} {
		for i, name := range v.names {
			if strings.EqualFold(name, key) && v.items[i].kind == scalar && len(v.items[i].text) < 120 && v.items[i].text != "" {
				return v.items[i].text
			}
		}
	}
	return ""
}

// nested writes data as lists in lists.
func (w *writer) nested(v value) []doc.Block {
	list := doc.Block{Kind: doc.List}
	for i, item := range v.items {
		name := ""
		if v.kind == object {
			name = v.names[i]
		}
		if item.isScalar() {
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
	return doc.Block{Kind: doc.Item, Children: []doc.Block{{Kind: doc.Paragraph, Inlines: line}}}
}

func scalarBlocks(v value) []doc.Block {
	text := strings.TrimSpace(v.text)
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

func isShortList(v value) bool {
	size := 0
	for _, item := range v.items {
		size += len(item.text) + 2
		if !item.isScalar() || strings.Contains(item.text, "\n") {
			return false
		}
	}
	return v.kind == list && size <= 200
}

// inline is a scalar or a short list in one line.
func inline(v value) string {
	if v.isScalar() {
		return v.text
	}
	var parts []string
	for _, item := range v.items {
		parts = append(parts, item.text)
	}
	return strings.Join(parts, ", ")
}

// Bounds of tables.
const (
	maxColumns = 60
	minFilled  = 0.4 // share of cells that have a value
)

// isTable tells a list of records whose fields are scalars, mostly the same ones.
func isTable(v value) bool {
	if len(v.items) < 2 {
		return false
	}
	filled, columns := 0, map[string]bool{}
	for _, item := range v.items {
		if item.kind != object || len(item.items) == 0 {
			return false
		}
		for i, field := range item.items {
			if !field.isScalar() && !isShortList(field) {
				return false
			}
			columns[item.names[i]] = true
			filled++
		}
		if len(columns) > maxColumns {
			return false
		}
	}
	return float64(filled) >= minFilled*float64(len(columns)*len(v.items))
}

func (w *writer) table(v value) *doc.Grid {
	var names []string
	at := map[string]int{}
	g := &doc.Grid{Rows: len(v.items) + 1, HeaderRows: 1}
	for _, item := range v.items {
		for _, name := range item.names {
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
	for row, item := range v.items {
		cells := make([]*doc.Cell, len(names))
		for i, field := range item.items {
			if blocks := scalarBlocks(value{text: inline(field)}); len(blocks) > 0 {
				cells[at[item.names[i]]] = &doc.Cell{Row: row + 1, Column: at[item.names[i]], Blocks: blocks}
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
