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
	truncated     bool
}

type linkRange struct {
	grid.Rect
	target string
}

// maxRanges bounds merged ranges and links of one sheet.
const maxRanges = 500_000

// readWorksheet reads a worksheet part into a grid.Sheet.
func readWorksheet(ctx context.Context, book *workbook, info *sheetInfo, page int, d *doc.Document, in *format.Input) (*worksheet, error) {
	w := newWorksheet(book, info, page, d, in)
	err := w.scan(func(s *xmltree.Scanner) error { return w.readCells(ctx, s) }, w.element)
	if err != nil {
		return nil, err
	}
	w.applyLinks()
	if err := w.readAround(); err != nil {
		return nil, err
	}
	w.report()
	return w, nil
}

func newWorksheet(book *workbook, info *sheetInfo, page int, d *doc.Document, in *format.Input) *worksheet {
	w := &worksheet{book: book, info: info, d: d, in: in, sheet: &grid.Sheet{Name: info.name, Page: page, PrintTitles: info.printTitles}}
	w.maker = cellMaker{book: book, shared: sharedFormulas{}}
	return w
}

// scan goes over the part: cells gets the scanner at the rows, element at every other element.
func (w *worksheet) scan(cells func(*xmltree.Scanner) error, element func(*xmltree.Scanner)) error {
	s, err := w.book.pkg.Scan(w.info.part)
	if err != nil {
		return fmt.Errorf("open sheet %q: %w", w.info.name, err)
	}
	defer s.Close()
	for s.Next() {
		if s.Kind() != xmltree.Start {
			continue
		}
		if s.Name() != "sheetData" {
			element(s.Scanner)
			continue
		}
		if err := cells(s.Scanner); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	w.truncated = s.Damage().Truncated
	return nil
}

func (w *worksheet) place(cells string) doc.Place {
	return doc.Place{Page: w.sheet.Page, Sheet: w.info.name, Cells: cells}
}

func (w *worksheet) readCells(ctx context.Context, s *xmltree.Scanner) error {
	w.sheet.Cells = make([]grid.Cell, 0, w.likelyCells())
	return w.eachCell(ctx, s, func(c *grid.Cell) error {
		w.add(c)
		return nil
	})
}

// eachCell visits the cells that are not empty, row by row, and notes hidden rows. The cell lives until visit returns.
func (w *worksheet) eachCell(ctx context.Context, s *xmltree.Scanner, visit func(*grid.Cell) error) error {
	reader := cellReader{s: s, tick: func() { w.in.Progress(w.sheet.Page, len(w.book.sheets)) }}
	hidden := func(row int) { w.sheet.HiddenRows.Add(row, row) }
	return reader.readRows(ctx, hidden, func(raw *Raw) error {
		if cell, ok := w.maker.make(raw); ok {
			return visit(&cell)
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

// readAround reads what other parts have for the sheet.
func (w *worksheet) readAround() error {
	w.readTables()
	w.readComments()
	w.readFurniture()
	for _, id := range w.drawings {
		if err := w.readDrawing(w.book.pkg.Rels(w.info.part)[id].Target); err != nil {
			return err
		}
	}
	w.attachObjects()
	return nil
}

func (w *worksheet) applyLinks() {
	find := w.linkFinder()
	for i := range w.sheet.Cells {
		find(&w.sheet.Cells[i])
	}
}

// linkFinder gives what sets a cell's link.
func (w *worksheet) linkFinder() func(*grid.Cell) {
	if len(w.links) == 0 {
		return func(*grid.Cell) {}
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
	return func(c *grid.Cell) {
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
	if w.truncated {
		w.d.Warn("truncated", fmt.Sprintf("The sheet %q ends early; what was there was read.", w.info.name), place)
	}
	warn := func(n int, class doc.Class, format string) {
		if n > 0 {
			w.d.Warn(class, fmt.Sprintf(format, n, w.info.name), place)
		}
	}
	warn(m.uncached, "formula_uncached", "%d formulas on the sheet %q have no stored result; the formulas are shown.")
	warn(m.badString, "missing_part", "%d cells on the sheet %q refer to texts that the workbook does not have.")
	warn(m.unsafeLink, "unsafe_link", "%d links on the sheet %q have an unsafe target; their texts were kept.")
}
