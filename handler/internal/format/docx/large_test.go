package docx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"decant/handler/internal/format"
	"decant/handler/internal/format/docx"
)

// pages makes a document of about that many pages: paragraphs of several runs with looks, headings, lists and a table on each.
func pages(t testing.TB, n int) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	run := func(props, text string) {
		fmt.Fprintf(&b, `<w:r w:rsidR="00A77B3E"><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/>%s<w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">%s</w:t></w:r>`, props, text)
	}
	for page := range n {
		fmt.Fprintf(&b, `<w:p w:rsidR="00A77B3E" w14:paraId="%08X"><w:pPr><w:outlineLvl w:val="1"/></w:pPr>`, page)
		run("", fmt.Sprintf("Chapter %d", page))
		b.WriteString(`</w:p>`)
		for range 25 {
			b.WriteString(`<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E"><w:pPr><w:spacing w:after="120"/><w:jc w:val="both"/></w:pPr>`)
			run("", "The quick brown fox jumps over the lazy dog and comes ")
			run("<w:b/>", "back to the place where it ")
			run("", "was before, without having seen anything that would be worth a word in a report.")
			b.WriteString(`</w:p>`)
		}
		b.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>`)
		for row := range 5 {
			b.WriteString(`<w:tr>`)
			for column := range 4 {
				fmt.Fprintf(&b, `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>cell %d.%d</w:t></w:r></w:p></w:tc>`, row, column)
			}
			b.WriteString(`</w:tr>`)
		}
		b.WriteString(`</w:tbl>`)
	}
	b.WriteString(`</w:body></w:document>`)
	return archive(t, &txtar.Archive{Files: []txtar.File{{Name: "word/document.xml", Data: []byte(b.String())}}})
}

// BenchmarkPages reads a document of 2,000 pages.
func BenchmarkPages(b *testing.B) {
	data := pages(b, 2000)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := docx.Parse(context.Background(), input(data, format.Options{})); err != nil {
			b.Fatal(err)
		}
	}
}
