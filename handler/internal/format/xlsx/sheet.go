package xlsx

import (
	"context"
	"strconv"

	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// Raw is a cell as it stands in the worksheet (18.3.1.4). It lives until the visitor returns.
type Raw struct {
	Row, Column int    // from 0
	Type        string // the t attribute: n s str b e inlineStr d; "" means n
	Style       int    // the s attribute
	Value       []byte // of <v>, or the text of <is>
	HasValue    bool
	Formula     *Formula // nil when there is none

	runs []textRun // of <is>: which parts of Value have which looks
}

// Formula is a cell's formula as it stands in the worksheet (18.3.1.40).
type Formula struct {
	Text   string
	Shared string // the si attribute of a shared formula; "" for others
}

// cellReader reads the rows of a worksheet.
type cellReader struct {
	s       *xmltree.Scanner
	raw     Raw
	formula Formula
	value   []byte
	runs    []textRun
	rows    int    // rows that were read
	tick    func() // called now and then, to say that work goes on; may be nil
}

// readRows reads the content of a sheetData element, whose start tag the scanner stands on. hiddenRow is told of each hidden row.
func (r *cellReader) readRows(ctx context.Context, hiddenRow func(int), visit func(*Raw) error) error {
	depth, row := r.s.Depth(), -1
	for r.s.Next() {
		switch {
		case r.s.Kind() == xmltree.End && r.s.Depth() < depth:
			return nil
		case r.s.Kind() != xmltree.Start || r.s.Name() != "row":
			continue
		}
		row++
		if n, err := strconv.Atoi(r.s.Attr("r")); err == nil && n >= 1 && n <= grid.MaxRows {
			row = n - 1
		}
		if isHiddenRow(r.s) {
			hiddenRow(row)
		}
		if r.rows++; r.rows%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.tick != nil {
				r.tick()
			}
		}
		if err := r.readRow(row, visit); err != nil {
			return err
		}
	}
	return r.s.Err()
}

func isHiddenRow(s *xmltree.Scanner) bool {
	return isTrue(s.Attr("hidden"), false) || s.Attr("ht") == "0" && isTrue(s.Attr("customHeight"), false)
}

func (r *cellReader) readRow(row int, visit func(*Raw) error) error {
	depth, column := r.s.Depth(), -1
	for r.s.Next() {
		switch {
		case r.s.Kind() == xmltree.End && r.s.Depth() < depth:
			return nil
		case r.s.Kind() != xmltree.Start || r.s.Name() != "c":
			continue
		}
		column++
		r.raw = Raw{Row: row, Column: column}
		for _, a := range r.s.Attrs() {
			switch a.Name {
			case "r":
				if at, c, ok := grid.ParseCell(a.Value); ok {
					r.raw.Row, r.raw.Column, column = at, c, c
				}
			case "t":
				r.raw.Type = a.Value
			case "s":
				r.raw.Style, _ = strconv.Atoi(a.Value)
			}
		}
		r.readCell()
		if r.raw.HasValue || r.raw.Formula != nil {
			if err := visit(&r.raw); err != nil {
				return err
			}
		}
	}
	return r.s.Err()
}

// readCell reads the content of a c element.
func (r *cellReader) readCell() {
	depth := r.s.Depth()
	r.value = r.value[:0]
	var target byte // which child's text is being read
	for r.s.Next() {
		switch r.s.Kind() {
		case xmltree.Start:
			target = r.startChild()
		case xmltree.End:
			if r.s.Depth() < depth {
				r.raw.Value = r.value
				return
			}
			target = 0
		case xmltree.Text:
			switch {
			case target == 'v' && len(r.value) < maxCellText:
				r.value = append(r.value, r.s.Text()...)
			case target == 'f' && len(r.formula.Text) < maxCellText:
				r.formula.Text += string(r.s.Text())
			}
		}
	}
	r.raw.Value = r.value
}

// startChild begins a child of a cell and says which text follows.
func (r *cellReader) startChild() byte {
	switch r.s.Name() {
	case "v":
		r.raw.HasValue = true
		return 'v'
	case "f":
		r.formula = Formula{Shared: r.s.Attr("si")}
		r.raw.Formula = &r.formula
		return 'f'
	case "is":
		r.raw.HasValue = true
		r.value = appendRichText(r.value[:0], r.s, &r.runs)
		r.raw.runs = r.runs
	default:
		r.s.Skip()
	}
	return 0
}
