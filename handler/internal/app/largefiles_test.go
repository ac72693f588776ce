package app

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
)

func writeLargePage(w *bufio.Writer) {
	fmt.Fprintln(w, "<!DOCTYPE html><title>Large</title><h1>A large page</h1>")
	for i, n := 0, 0; n < 50<<20; i++ {
		k, _ := fmt.Fprintf(w, "<h2>Chapter %d</h2>\n<p>This is <b>paragraph</b> one of chapter %d, with a <a href=\"https://example.com/%d\">link</a> and more words so that it fills a line or two.</p>\n"+
			"<ul><li>first point %d</li><li>second <i>point</i></li></ul>\n<table><tr><th>Name</th><th>Value</th></tr><tr><td>alpha %d</td><td>%d</td></tr><tr><td>beta</td><td>%d</td></tr></table>\n", i, i, i, i, i, i*3, i*7)
		n += k
	}
}

// writeParts zips parts; the last one is written by fill.
func writeParts(w io.Writer, parts [][2]string, last string, fill func(io.Writer)) {
	z := zip.NewWriter(w)
	for _, p := range parts {
		if out, err := z.Create(p[0]); err == nil {
			_, _ = io.WriteString(out, p[1]) // a broken file fails the test
		}
	}
	if out, err := z.Create(last); err == nil {
		b := bufio.NewWriterSize(out, 1<<20)
		fill(b)
		_ = b.Flush()
	}
	_ = z.Close()
}

const officeRels = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`

func writeLargeDocx(w *bufio.Writer) {
	writeParts(w, [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + officeRels + `/officeDocument" Target="word/document.xml"/></Relationships>`},
	}, "word/document.xml", func(w io.Writer) {
		fmt.Fprint(w, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
		for page := range 2000 {
			fmt.Fprintf(w, `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Chapter %d</w:t></w:r></w:p>`, page)
			for i := range 8 {
				fmt.Fprint(w, `<w:p>`)
				for k := range 6 {
					fmt.Fprintf(w, `<w:r><w:t xml:space="preserve">Sentence %d of paragraph %d on page %d has some words in it. </w:t></w:r>`, k, i, page)
				}
				fmt.Fprint(w, `</w:p>`)
			}
			fmt.Fprint(w, `<w:tbl>`)
			for r := range 5 {
				fmt.Fprintf(w, `<w:tr><w:tc><w:p><w:r><w:t>row %d</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>%d</w:t></w:r></w:p></w:tc></w:tr>`, r, r*page)
			}
			fmt.Fprint(w, `</w:tbl><w:p><w:r><w:br w:type="page"/></w:r></w:p>`)
		}
		fmt.Fprint(w, `</w:body></w:document>`)
	})
}

func writeLargeWorkbook(w *bufio.Writer) {
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + officeRels + `"`
	writeParts(w, [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + officeRels + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + officeRels + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + main + `><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`},
	}, "xl/worksheets/sheet1.xml", func(w io.Writer) {
		fmt.Fprintf(w, `<worksheet %s><sheetData>`, main)
		for r := 1; r <= 100_000; r++ {
			fmt.Fprintf(w, `<row r="%d">`, r)
			for c := range 10 {
				if c == 0 || r == 1 {
					fmt.Fprintf(w, `<c r="%c%d" t="inlineStr"><is><t>Text %d %d</t></is></c>`, 'A'+c, r, r, c)
				} else {
					fmt.Fprintf(w, `<c r="%c%d"><v>%d.5</v></c>`, 'A'+c, r, r*c)
				}
			}
			fmt.Fprint(w, `</row>`)
		}
		fmt.Fprint(w, `</sheetData></worksheet>`)
	})
}
