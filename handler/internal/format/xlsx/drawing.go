package xlsx

import (
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/fault"
	"decant/handler/internal/grid"
	"decant/handler/internal/xmltree"
)

// readDrawing reads a drawing part (20.5): each anchor holds a picture, chart, text box or diagram that lies on the sheet at a cell.
func (w *worksheet) readDrawing(part string) error {
	root, err := w.book.tree(part)
	if err != nil || root == nil {
		w.d.Warn("missing_part", "A drawing of a sheet is missing in the file or damaged.", w.place(""))
		return onlyLimits(err)
	}
	for _, anchor := range root.Children {
		w.readAnchor(anchor, part)
	}
	return nil
}

// onlyLimits lets the faults through that end a conversion: a bomb, an exhausted budget.
func onlyLimits(err error) error {
	switch fault.KindOf(err) {
	case fault.LimitOutput, fault.LimitRatio, fault.Encrypted:
		return err
	}
	return nil
}

func (w *worksheet) readAnchor(anchor *xmltree.Node, part string) {
	area := anchorArea(anchor)
	reader := &drawingml.Reader{
		Package: w.book.pkg, Part: part, Doc: w.d, Files: w.in.Files,
		Place: func(*doc.Box) doc.Place { return w.place(area.String()) },
	}
	for _, shape := range drawingml.Shapes(anchor, w.d) {
		blocks := reader.Blocks(shape)
		switch {
		case len(blocks) == 0:
		case shape.Hidden:
			w.d.Warn("hidden_element", "Hidden shapes on a sheet were kept apart.", w.place(area.String()))
			w.d.Hidden = append(w.d.Hidden, doc.Hidden{Reason: "hidden_element", Name: shape.Name, Blocks: blocks})
		default:
			w.sheet.Floats = append(w.sheet.Floats, grid.Float{Row: area.Top, Column: area.Left, Blocks: blocks})
		}
	}
}

// anchorArea is the cells that an anchor spans; an absolute one counts as A1.
func anchorArea(anchor *xmltree.Node) grid.Rect {
	corner := func(n *xmltree.Node) (row, column int) {
		row, _ = strconv.Atoi(drawingml.Child(n, "row").AllText())
		column, _ = strconv.Atoi(drawingml.Child(n, "col").AllText())
		return min(max(row, 0), grid.MaxRows-1), min(max(column, 0), grid.MaxColumns-1)
	}
	var r grid.Rect
	r.Top, r.Left = corner(drawingml.Child(anchor, "from"))
	r.Bottom, r.Right = r.Top, r.Left
	if to := drawingml.Child(anchor, "to"); to != nil {
		bottom, right := corner(to)
		r.Bottom, r.Right = max(bottom, r.Top), max(right, r.Left)
	}
	return r
}

// attachObjects takes the files out that are embedded in a sheet.
func (w *worksheet) attachObjects() {
	reader := &drawingml.Reader{Package: w.book.pkg, Part: w.info.part, Doc: w.d, Files: w.in.Files, Place: func(*doc.Box) doc.Place { return w.place("") }}
	seen := map[string]bool{}
	for _, id := range w.objects {
		rel, ok := w.book.pkg.Rels(w.info.part)[id]
		if ok && !rel.External && rel.Target != "" && !seen[rel.Target] {
			seen[rel.Target] = true
			reader.Attach(rel.Target)
		}
	}
}
