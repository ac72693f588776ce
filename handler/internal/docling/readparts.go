package docling

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
)

// inlines gives a text with its looks and its link.
func (r *reader) inlines(t *text) []doc.Inline {
	words := first(t.Text, t.Orig)
	if words == "" {
		return nil
	}
	in := doc.T(words)
	if f := t.Formatting; f != nil {
		for _, look := range []struct {
			on   bool
			mark doc.Marks
		}{
			{f.Bold, doc.Strong}, {f.Italic, doc.Emphasis}, {f.Underline, doc.Underline}, {f.Strikethrough, doc.Strike},
			{f.Script == "sub", doc.Subscript}, {f.Script == "super", doc.Superscript},
		} {
			if look.on {
				in.Marks |= look.mark
			}
		}
	}
	if t.Hyperlink != nil && *t.Hyperlink != "" {
		if r.o.Link != nil && r.o.Link(*t.Hyperlink) {
			in.Link = *t.Hyperlink
		} else {
			r.d.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.")
		}
	}
	return []doc.Inline{in}
}

// pages lists the pages in order.
func (r *reader) pages() {
	for _, p := range r.in.Pages {
		if p.No > 0 {
			r.d.Pages = append(r.d.Pages, doc.Page{Number: p.No, Kind: "page", Width: max(0, p.Size.Width), Height: max(0, p.Size.Height)})
		}
	}
	slices.SortFunc(r.d.Pages, func(a, b doc.Page) int { return cmp.Compare(a.Number, b.Number) })
	r.d.Pages = slices.CompactFunc(r.d.Pages, func(a, b doc.Page) bool { return a.Number == b.Number })
}

// places turns provenance into places, from the top left of the page. The character spans of docling count what it has read, and
// are only right for the whole text.
func (r *reader) places(list []prov) []doc.Place {
	var places []doc.Place
	for _, p := range list {
		if p.Page <= 0 {
			continue
		}
		place := doc.Place{Page: p.Page}
		b := doc.Box{X0: p.Box.Left, Y0: p.Box.Top, X1: p.Box.Right, Y1: p.Box.Bottom}
		if p.Box.Origin == "BOTTOMLEFT" {
			height := r.height(p.Page)
			b.Y0, b.Y1 = height-p.Box.Top, height-p.Box.Bottom
		}
		if b.X1 > b.X0 && b.Y1 > b.Y0 {
			place.Box = &b
		}
		places = append(places, place)
	}
	return places
}

func (r *reader) height(number int) float64 {
	i, found := slices.BinarySearchFunc(r.d.Pages, number, func(p doc.Page, n int) int { return cmp.Compare(p.Number, n) })
	if !found {
		return 0
	}
	return r.d.Pages[i].Height
}

// caption joins the texts that a table or picture names as its caption.
func (r *reader) caption(refs []ref) (caption []doc.Inline) {
	for _, c := range refs {
		number, isText := strings.CutPrefix(c.Ref, "#/texts/")
		i, err := strconv.Atoi(number)
		if !isText || err != nil || i < 0 || i >= len(r.in.Texts) || r.in.Texts[i] == nil {
			continue
		}
		if len(caption) > 0 {
			caption = append(caption, doc.T(" "))
		}
		caption = append(caption, r.inlines(r.in.Texts[i])...)
	}
	return caption
}

func (r *reader) picture(into *[]doc.Block, p *picture, depth int) error {
	b := doc.Block{Kind: doc.Figure, Caption: r.caption(p.Captions), Places: r.places(p.Prov)}
	if p.Image != nil && r.o.Image != nil {
		var err error
		if b.Image, err = r.o.Image(p.Image.URI, p.Image.MediaType); err != nil {
			return err
		}
	}
	if err := r.nested(&b.Children, into, p.Children, depth); err != nil {
		return err
	}
	if b.Image != "" || len(b.Caption) > 0 || len(b.Children) > 0 {
		*into = append(*into, b)
	}
	return nil
}

// maxCells bounds the positions of all tables together: docling lists what pages show.
const maxCells = 4_000_000

func (r *reader) table(into *[]doc.Block, t *table, depth int) error {
	grid := &doc.Grid{}
	var stray []doc.Block   // texts of cells that have no place
	header := map[int]int{} // columns of a row that are headers
	taken := map[[2]int]bool{}
	for _, c := range t.Data.Cells {
		if c.StartRow < 0 || c.StartColumn < 0 || c.EndRow <= c.StartRow || c.EndColumn <= c.StartColumn ||
			c.EndRow > maxCells || c.EndColumn > maxCells || !r.room(c) || !take(taken, c) {
			r.d.Warn("overlapping_cells", "A cell of a table has no place in it, or lies on another one; its text follows the table.")
			stray = append(stray, doc.P(c.Text))
			continue
		}
		cell := doc.Cell{Row: c.StartRow, Column: c.StartColumn, RowSpan: c.EndRow - c.StartRow, ColSpan: c.EndColumn - c.StartColumn, Header: c.Header || c.RowHeader}
		if c.Text != "" {
			cell.Blocks = []doc.Block{doc.P(c.Text)}
		}
		if c.Header {
			for row := c.StartRow; row < c.EndRow; row++ {
				header[row] += c.EndColumn - c.StartColumn
			}
		}
		grid.Cells = append(grid.Cells, cell)
		grid.Rows, grid.Columns = max(grid.Rows, c.EndRow), max(grid.Columns, c.EndColumn)
	}
	if len(grid.Cells) == 0 {
		*into = append(*into, stray...)
		return r.children(into, t.Children, depth)
	}
	slices.SortFunc(grid.Cells, func(a, b doc.Cell) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column)) })
	for grid.HeaderRows < grid.Rows && header[grid.HeaderRows] > 0 && header[grid.HeaderRows]*2 >= grid.Columns {
		grid.HeaderRows++
	}
	*into = append(*into, doc.Block{Kind: doc.Table, Table: grid, Caption: r.caption(t.Captions), Places: r.places(t.Prov)})
	*into = append(*into, stray...)
	return r.children(into, t.Children, depth)
}

// room tells whether the cell still fits into what all tables together may cover.
func (r *reader) room(c cell) bool {
	r.area += (c.EndRow - c.StartRow) * (c.EndColumn - c.StartColumn)
	return r.area <= maxCells && c.EndRow*c.EndColumn <= maxCells
}

// take marks the positions of a cell, or says that one is taken.
func take(taken map[[2]int]bool, c cell) bool {
	for row := c.StartRow; row < c.EndRow; row++ {
		for column := c.StartColumn; column < c.EndColumn; column++ {
			if taken[[2]int{row, column}] {
				return false
			}
		}
	}
	for row := c.StartRow; row < c.EndRow; row++ {
		for column := c.StartColumn; column < c.EndColumn; column++ {
			taken[[2]int{row, column}] = true
		}
	}
	return true
}
