package docx_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/markdown"
)

// withBody is a document of this body alone.
func withBody(t *testing.T, body string) []byte {
	t.Helper()
	const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	const partRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`
	const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style></w:styles>`
	const head = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:new="http://schemas.microsoft.com/office/word/2030/new" xmlns:odd="urn:example:odd"><w:body>`
	return formattest.Zip(t,
		txtar.File{Name: "[Content_Types].xml", Data: []byte(types)},
		txtar.File{Name: "_rels/.rels", Data: []byte(rels)},
		txtar.File{Name: "word/_rels/document.xml.rels", Data: []byte(partRels)},
		txtar.File{Name: "word/styles.xml", Data: []byte(styles)},
		txtar.File{Name: "word/document.xml", Data: []byte(head + body + `</w:body></w:document>`)},
	)
}

func run(text string) string { return `<w:r><w:t>` + text + `</w:t></w:r>` }

func paragraph(text string) string { return `<w:p>` + run(text) + `</w:p>` }

func TestAlternativesByNamespace(t *testing.T) {
	tests := []struct{ name, choice, fallback, want string }{
		{"a known namespace", `<mc:Choice Requires="wps">` + run("choice") + `</mc:Choice>`, run("fallback"), "choice\n"},
		{"a newer one of Office", `<mc:Choice Requires="new">` + run("choice") + `</mc:Choice>`, run("fallback"), "choice\n"},
		{"a foreign one", `<mc:Choice Requires="odd">` + run("choice") + `</mc:Choice>`, run("fallback"), "fallback\n"},
		{"a foreign one beside a known one", `<mc:Choice Requires="wps odd">` + run("choice") + `</mc:Choice>`, run("fallback"), "fallback\n"},
		{"a foreign one under a prefix of ours", `<mc:Choice xmlns:wps="urn:example:odd" Requires="wps">` + run("choice") + `</mc:Choice>`, run("fallback"), "fallback\n"},
		{"one that nobody declares", `<mc:Choice Requires="zz">` + run("choice") + `</mc:Choice>`, run("fallback"), "fallback\n"},
		{"the second choice is known", `<mc:Choice Requires="odd">` + run("choice") + `</mc:Choice><mc:Choice Requires="wps">` + run("second") + `</mc:Choice>`, run("fallback"), "second\n"},
		{"a foreign one and nothing to fall back on", `<mc:Choice Requires="odd">` + run("choice") + `</mc:Choice>`, "", "choice\n"},
	}
	for _, tt := range tests {
		inline := `<mc:AlternateContent>` + tt.choice + `<mc:Fallback>` + tt.fallback + `</mc:Fallback></mc:AlternateContent>`
		bodies := map[string]string{"in a paragraph": `<w:p>` + inline + `</w:p>`, "in a run": `<w:p><w:r>` + inline + `</w:r></w:p>`, "of blocks": strings.NewReplacer("<w:r>", "<w:p><w:r>", "</w:r>", "</w:r></w:p>").Replace(inline)}
		for where, body := range bodies {
			t.Run(tt.name+" "+where, func(t *testing.T) {
				d := parse(t, withBody(t, body), format.Options{})
				if diff := cmp.Diff(tt.want, markdown.Render(d, markdown.Options{}).Text); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestTitleAndDescriptionOfTables(t *testing.T) {
	const rows = `<w:tr><w:tc>` + `<w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>`
	const cell = `<w:tr><w:tc><w:p><w:r><w:t>a box</w:t></w:r></w:p></w:tc></w:tr>`
	const grid = "| a | b |\n| --- | --- |\n"
	caption := func(text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr>` + run(text) + `</w:p>`
	}
	table := func(texts, rows string) string { return `<w:tbl><w:tblPr>` + texts + `</w:tblPr>` + rows + `</w:tbl>` }
	const title, description = `<w:tblCaption w:val="The title"/>`, `<w:tblDescription w:val="What it shows."/>`
	tests := []struct{ name, body, want string }{
		{"a title", table(title, rows), "The title\n\n" + grid},
		{"a description", table(description, rows), "What it shows.\n\n" + grid},
		{"both", table(title+description, rows), "What it shows.\n\nThe title\n\n" + grid},
		{"the same twice", table(title+`<w:tblDescription w:val="The title"/>`, rows), "The title\n\n" + grid},
		{"a caption above", caption("Table 1: Seen") + table(title+description, rows), "What it shows.\n\nTable 1: Seen\n\n" + grid},
		{"a caption below", paragraph("x") + table(title, rows) + caption("Table 1: Seen"), "x\n\nTable 1: Seen\n\n" + grid},
		{"a box", table(title+description, cell), "The title\n\nWhat it shows.\n\na box\n"},
		{"blank ones", table(`<w:tblCaption w:val=" "/><w:tblDescription w:val=""/>`, rows), grid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, withBody(t, tt.body), format.Options{})
			if diff := cmp.Diff(tt.want, markdown.Render(d, markdown.Options{}).Text); diff != "" {
				t.Error(diff)
			}
		})
	}
}
