package xlsx

import (
	"context"
	"strconv"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/grid"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// workbook is what all sheets share.
type workbook struct {
	pkg       *ooxml.Package
	part      string
	epoch1904 bool
	sheets    []sheetInfo
	strings   *sharedStrings
	styles    styles
	persons   map[string]string // authors of threaded comments, by id
	cellsLeft int               // how many more cells may become tables
}

// memoryShare is the part of the memory that the cells of tables may take; what renders them needs the rest.
const memoryShare = 4

// cellBudget is how many cells of a workbook may become tables.
func cellBudget(memory int64) int {
	if memory <= 0 {
		memory = 1 << 30
	}
	return int(memory / memoryShare / grid.CellBytes)
}

// sheetInfo is a sheet in the workbook's list (18.2.19).
type sheetInfo struct {
	name        string
	part        string // "" when the part is missing
	kind        string // worksheet, chartsheet, dialogsheet, macrosheet
	hidden      bool
	printTitles *grid.Rect
}

// openWorkbook reads what all sheets share.
func openWorkbook(ctx context.Context, in *format.Input) (*workbook, error) {
	p, err := ooxml.Open(in)
	if err != nil {
		return nil, err
	}
	b := &workbook{pkg: p, part: p.Main(), cellsLeft: cellBudget(in.Limits.Memory)}
	root, err := b.tree(b.part)
	if err != nil || root.Child("sheets") == nil {
		return nil, fault.New(fault.Corrupt, "The workbook's list of sheets is missing or damaged. Open and save it again in Excel, or upload it again.", err)
	}
	b.readList(root)
	rels := p.Rels(b.part)
	b.styles = readStyles(p, rels.First("styles"))
	if b.strings, err = readStrings(ctx, p, rels.First("sharedStrings"), func() { in.Progress(0, len(b.sheets)) }); err != nil {
		return nil, err
	}
	b.readPersons(rels.First("person"))
	return b, nil
}

func (b *workbook) tree(part string) (*xmltree.Node, error) {
	if part == "" {
		return nil, nil
	}
	return b.pkg.Tree(part)
}

func (b *workbook) readList(root *xmltree.Node) {
	b.epoch1904 = isTrue(root.Child("workbookPr").Attr("date1904"), false)
	rels := b.pkg.Rels(b.part)
	for _, node := range root.Child("sheets").All("sheet") {
		info := sheetInfo{name: node.Attr("name"), kind: "worksheet"}
		info.hidden = node.Attr("state") == "hidden" || node.Attr("state") == "veryHidden"
		if rel, ok := rels[node.Attr("r:id")]; ok && b.pkg.Has(rel.Target) {
			info.part, info.kind = rel.Target, strings.ToLower(rel.Type)
		}
		b.sheets = append(b.sheets, info)
	}
	for _, node := range root.Child("definedNames").All("definedName") {
		b.definedName(node)
	}
}

// definedName keeps the print titles of a sheet: _xlnm.Print_Titles is "Sheet!$A:$A,Sheet!$1:$2" (18.2.5).
func (b *workbook) definedName(node *xmltree.Node) {
	sheet, err := strconv.Atoi(node.Attr("localSheetId"))
	if err != nil || sheet < 0 || sheet >= len(b.sheets) || node.Attr("name") != "_xlnm.Print_Titles" {
		return
	}
	for _, area := range strings.Split(node.AllText(), ",") {
		r, ok := grid.ParseRect(area[strings.LastIndexByte(area, '!')+1:])
		if ok && r.Width() == grid.MaxColumns {
			b.sheets[sheet].printTitles = &r
		}
	}
}
