package xmlfmt

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// spreadsheet is Excel's XML of 2003, which many programs still export as ".xls".
func spreadsheet() vocabulary {
	return vocabulary{
		name: "spreadsheetml", plain: names("workbook=div", "font=span", "b=b", "i=i", "u=u", "s=s", "sub=sub", "sup=sup"), metadata: spreadsheetMetadata,
		special: map[string]func(*rewriter, *html.Node, *html.Node){
			"worksheet": (*rewriter).sheet, "table": (*rewriter).sheetTable, "data": (*rewriter).inner, "comment": (*rewriter).sheetComment,
		},
		drop: set("styles documentproperties officedocumentsettings excelworkbook worksheetoptions names autofilter datavalidation conditionalformatting customdocumentproperties phonetictext"),
	}
}

func spreadsheetMetadata(m *doc.Metadata, root *html.Node) {
	properties := child(root, "documentproperties")
	m.Sources = map[string]string{}
	for field, to := range map[string]*string{"title": &m.Title, "subject": &m.Subject, "created": &m.Created} {
		if *to = textOf(child(properties, field)); *to != "" {
			m.Sources[field] = "spreadsheetml"
		}
	}
	if author := textOf(child(properties, "author")); author != "" {
		m.Authors = []string{author}
	}
}

func (r *rewriter) sheet(n, to *html.Node) {
	section := element("section")
	if name := attr(n, "name"); name != "" {
		heading := element("h2")
		heading.AppendChild(text(name))
		section.AppendChild(heading)
	}
	r.inner(n, section)
	to.AppendChild(section)
}

// maxSkipped is how many empty cells or rows an index may leave out and still be followed.
const maxSkipped = 200

func (r *rewriter) sheetTable(n, to *html.Node) {
	table := element("table", "role", "table")
	for _, row := range children(n) {
		if row.Data != "row" {
			continue
		}
		tr := element("tr")
		column := 0
		for _, cell := range children(row) {
			if cell.Data != "cell" {
				continue
			}
			for index := number(cell, "index") - 1; column < index && index-column < maxSkipped; column++ {
				tr.AppendChild(element("td"))
			}
			td := element("td")
			across := number(cell, "mergeacross")
			if across > 0 {
				td.Attr = append(td.Attr, html.Attribute{Key: "colspan", Val: fmt.Sprint(across + 1)})
			}
			if down := number(cell, "mergedown"); down > 0 {
				td.Attr = append(td.Attr, html.Attribute{Key: "rowspan", Val: fmt.Sprint(down + 1)})
			}
			r.sheetCell(cell, td)
			tr.AppendChild(td)
			column += across + 1
		}
		if tr.FirstChild != nil {
			table.AppendChild(tr)
		}
	}
	to.AppendChild(table)
}

// sheetCell writes a value as a person sees it: dates without a midnight, truth values in words, a link as one.
func (r *rewriter) sheetCell(cell, td *html.Node) {
	to := td
	if target := attr(cell, "href"); target != "" {
		to = element("a", "href", target)
		td.AppendChild(to)
	}
	for _, c := range children(cell) {
		if c.Data != "data" {
			r.node(c, td)
			continue
		}
		value := textOf(c)
		switch attr(c, "type") {
		case "DateTime":
			value = strings.TrimSuffix(strings.TrimSuffix(value, ".000"), "T00:00:00")
			to.AppendChild(text(strings.Replace(value, "T", " ", 1)))
		case "Boolean":
			to.AppendChild(text(map[string]string{"1": "TRUE", "0": "FALSE"}[value]))
		default:
			r.inner(c, to)
		}
	}
}

func (r *rewriter) sheetComment(n, to *html.Node) {
	note := element("i")
	note.AppendChild(text(" (" + strings.TrimSpace(attr(n, "author")+": "+textOf(n)) + ")"))
	to.AppendChild(note)
}

func number(n *html.Node, name string) int {
	value, err := strconv.Atoi(attr(n, name))
	if err != nil || value < 0 || value > 16384 {
		return 0
	}
	return value
}
