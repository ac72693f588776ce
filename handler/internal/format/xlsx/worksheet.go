package xlsx

import (
	"context"
	"fmt"
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/format"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// worksheet is one sheet being read.
type worksheet struct {
	book  *workbook
	info  *sheetInfo
	d     *doc.Document
	in    *format.Input
	sheet *grid.Sheet
	lines *grid.Lines // instead of the sheet's cells, when they are too many
	maker cellMaker
	links []linkRange

	drawings      []string // relationship ids
	tables        []string
	objects       []string
	furniture     map[string]string // headers and footers by element name
	commentsFound int
}

type linkRange struct {
	grid.Rect
	target string
}

// maxRanges bounds merged ranges and links of one sheet.
const maxRanges = 500_000

// readWorksheet reads a worksheet part into a grid.Sheet.
func readWorksheet(ctx context.Context, book *workbook, info *sheetInfo, page int, d *doc.Document, in *format.Input) (*worksheet, error) {
	w := &worksheet{book: book, info: info, d: d, in: in, sheet: &grid.Sheet{Name: info.name, Page: page, PrintTitles: info.printTitles}}
	w.maker = cellMaker{book: book, shared: sharedFormulas{}}
	s, err := book.pkg.Scan(info.part)
	if err != nil {
		return nil, fmt.Errorf("open sheet %q: %w", info.name, err)
	}
	defer s.Close()
	for s.Next() {
		if s.Kind() != xmltree.Start {
			continue
		}
		if s.Name() == "sheetData" {
			if err := w.readCells(ctx, s.Scanner); err != nil {
				return nil, err
			}
			continue
		}
		w.element(s.Scanner)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if damage := s.Damage(); damage.Truncated {
		d.Warn("truncated", fmt.Sprintf("The sheet %q ends early; what was there was read.", info.name), w.place(""))
	}
	return w, w.finish()
}

func (w *worksheet) place(cells string) doc.Place {
	return doc.Place{Page: w.sheet.Page, Sheet: w.info.name, Cells: cells}
}

func (w *worksheet) readCells(ctx context.Context, s *xmltree.Scanner) error {
	reader := cellReader{s: s, tick: func() { w.in.Progress(w.sheet.Page, len(w.book.sheets)) }}
	w.sheet.Cells = make([]grid.Cell, 0, w.likelyCells())
	hidden := func(row int) { w.sheet.HiddenRows.Add(row, row) }
	return reader.readRows(ctx, hidden, func(raw *Raw) error {
		if cell, ok := w.maker.make(raw); ok {
			w.add(&cell)
		}
		return nil
	})
}

// likelyCells is about how many cells the sheet has, at most: growing a large list on the way would need twice its memory.
func (w *worksheet) likelyCells() int {
	const shortest = 30 // bytes of a cell with its value
	return int(max(0, min(w.book.pkg.Size(w.info.part)/shortest, int64(w.book.cellsLeft))))
}

// add keeps a cell for finding tables, or only its text once there are more than memory holds.
func (w *worksheet) add(cell *grid.Cell) {
	if w.lines == nil && len(w.sheet.Cells) >= w.book.cellsLeft {
		w.sheet.HiddenColumns.Normalize()
		w.lines = grid.NewLines(w.sheet, w.in.Options.Hidden == "include")
		for i := range w.sheet.Cells {
			w.lines.Add(&w.sheet.Cells[i])
		}
		w.sheet.Cells = nil
	}
	if w.lines != nil {
		w.lines.Add(cell)
		return
	}
	w.sheet.Cells = append(w.sheet.Cells, *cell)
}

// blocks gives the sheet's content, and takes its cells off what memory holds.
func (w *worksheet) blocks() []doc.Block {
	if w.lines != nil {
		return w.lines.Blocks(w.d)
	}
	w.book.cellsLeft -= len(w.sheet.Cells)
	return w.sheet.Blocks(w.d, w.in.Options.Hidden == "include")
}

// element reads what stands around the cells.
func (w *worksheet) element(s *xmltree.Scanner) {
	switch s.Name() {
	case "col":
		w.column(s)
	case "pane":
		if state := s.Attr("state"); state == "frozen" || state == "frozenSplit" {
			n, _ := strconv.ParseFloat(s.Attr("ySplit"), 64)
			w.sheet.Frozen = int(min(max(n, 0), grid.MaxRows))
		}
	case "mergeCell":
		if r, ok := grid.ParseRect(s.Attr("ref")); ok && len(w.sheet.Merges) < maxRanges {
			w.sheet.Merges = append(w.sheet.Merges, r)
		}
	case "hyperlink":
		w.link(s)
	case "autoFilter":
		if r, ok := grid.ParseRect(s.Attr("ref")); ok {
			w.sheet.Filter = &r
		}
	case "drawing":
		w.drawings = append(w.drawings, s.Attr("r:id"))
	case "oleObject":
		w.objects = append(w.objects, s.Attr("r:id"))
	case "tablePart":
		w.tables = append(w.tables, s.Attr("r:id"))
	case "oddHeader", "oddFooter", "firstHeader", "firstFooter", "evenHeader", "evenFooter":
		name := s.Name()
		if w.furniture == nil {
			w.furniture = map[string]string{}
		}
		w.furniture[name] = s.Element().AllText()
	case "extLst", "conditionalFormatting", "dataValidations", "rowBreaks", "colBreaks":
		s.Skip()
	}
}

// column notes hidden columns; those without width are as good as hidden.
func (w *worksheet) column(s *xmltree.Scanner) {
	from, err1 := strconv.Atoi(s.Attr("min"))
	to, err2 := strconv.Atoi(s.Attr("max"))
	if err1 != nil || err2 != nil || from < 1 || to < from {
		return
	}
	if isTrue(s.Attr("hidden"), false) || s.Attr("width") == "0" {
		w.sheet.HiddenColumns.Add(from-1, min(to, grid.MaxColumns)-1)
	}
}

func (w *worksheet) link(s *xmltree.Scanner) {
	r, ok := grid.ParseRect(s.Attr("ref"))
	if !ok || len(w.links) >= maxRanges {
		return
	}
	target := w.book.pkg.Rels(w.info.part)[s.Attr("r:id")].Target
	if target == "" {
		return // a link to another cell of the workbook
	}
	if location := s.Attr("location"); location != "" {
		target += "#" + location
	}
	if !drawingml.SafeLink(target) {
		w.maker.unsafeLink++
		return
	}
	w.links = append(w.links, linkRange{r, target})
}

// finish puts what was read after the cells into the cells, and reports.
func (w *worksheet) finish() error {
	w.applyLinks()
	w.readTables()
	w.readComments()
	w.readFurniture()
	for _, id := range w.drawings {
		if err := w.readDrawing(w.book.pkg.Rels(w.info.part)[id].Target); err != nil {
			return err
		}
	}
	w.attachObjects()
	w.report()
	return nil
}

func (w *worksheet) applyLinks() {
	if len(w.links) == 0 {
		return
	}
	single := map[[2]int]string{}
	var wide []linkRange
	for _, l := range w.links {
		if l.Height() == 1 && l.Width() == 1 {
			single[[2]int{l.Top, l.Left}] = l.target
		} else if len(wide) < 1000 {
			wide = append(wide, l)
		}
	}
	for i := range w.sheet.Cells {
		c := &w.sheet.Cells[i]
		target := single[[2]int{int(c.Row), int(c.Column)}]
		for j := 0; target == "" && j < len(wide); j++ {
			if wide[j].Contains(int(c.Row), int(c.Column)) {
				target = wide[j].target
			}
		}
		if target != "" {
			extraOf(c).Link = target
		}
	}
}

func extraOf(c *grid.Cell) *grid.Extra {
	if c.Extra == nil {
		c.Extra = &grid.Extra{}
	}
	return c.Extra
}

func (w *worksheet) report() {
	m := &w.maker
	place := w.place("")
	warn := func(n int, class doc.Class, format string) {
		if n > 0 {
			w.d.Warn(class, fmt.Sprintf(format, n, w.info.name), place)
		}
	}
	warn(m.uncached, "formula_uncached", "%d formulas on the sheet %q have no stored result; the formulas are shown.")
	warn(m.badString, "missing_part", "%d cells on the sheet %q refer to texts that the workbook does not have.")
	warn(m.unsafeLink, "unsafe_link", "%d links on the sheet %q have an unsafe target; their texts were kept.")
}
