package xlsx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/xlsx"
)

// book makes a workbook of worksheets (their inner XML, by name in order) and further parts.
type book struct {
	sheets [][2]string // name and inner XML; a name may end in attributes: `Notes" state="hidden`
	styles string
	pr     string
	parts  map[string]string
}

const (
	mainNS = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relNS  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relURL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

func (b book) bytes(t testing.TB) []byte {
	t.Helper()
	parts := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels":         relNS + `<Relationship Id="r1" Type="` + relURL + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/styles.xml":       `<styleSheet ` + mainNS + `>` + b.styles + `</styleSheet>`,
	}
	var list, rels strings.Builder
	for i, s := range b.sheets {
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="s%d"/>`, s[0], i+1, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="s%d" Type="%sworksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relURL, i+1)
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = `<worksheet ` + mainNS + `>` + s[1] + `</worksheet>`
	}
	rels.WriteString(`<Relationship Id="st" Type="` + relURL + `styles" Target="styles.xml"/><Relationship Id="ss" Type="` + relURL + `sharedStrings" Target="sharedStrings.xml"/>`)
	parts["xl/workbook.xml"] = `<workbook ` + mainNS + `><workbookPr ` + b.pr + `/><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = relNS + rels.String() + `</Relationships>`
	for name, text := range b.parts {
		parts[name] = text
	}
	return formattest.ZipOf(t, parts)
}

func input(data []byte, options format.Options) *format.Input {
	return formattest.InputWith("a.xlsx", data, options)
}

func parse(t testing.TB, data []byte, options format.Options) *doc.Document {
	t.Helper()
	d, err := xlsx.Format().Parse(context.Background(), input(data, options))
	if err != nil {
		t.Fatal(err)
	}
	d.Finish()
	return d
}

// sketch writes blocks in a short form: one line a paragraph, one line a table row with its cells between bars.
func sketch(blocks []doc.Block) string {
	var b strings.Builder
	for i := range blocks {
		block := &blocks[i]
		switch block.Kind {
		case doc.Group:
			fmt.Fprintf(&b, "## %s\n%s", block.Label, sketch(block.Children))
		case doc.Table:
			rows := make([][]string, block.Table.Rows)
			for r := range rows {
				rows[r] = make([]string, block.Table.Columns)
			}
			for _, c := range block.Table.Cells {
				text := strings.ReplaceAll(c.PlainText(), "\n", "/")
				if c.Header {
					text = "*" + text
				}
				if c.Height() > 1 || c.Width() > 1 {
					text += fmt.Sprintf("{%dx%d}", c.Height(), c.Width())
				}
				rows[c.Row][c.Column] = text
			}
			fmt.Fprintf(&b, "[%s]\n", block.Places[0].Cells)
			for _, row := range rows {
				b.WriteString(strings.Join(row, "|") + "\n")
			}
		case doc.Figure:
			fmt.Fprintf(&b, "figure %s %s\n%s", block.Image, doc.PlainText(block.Caption), sketch(block.Children))
		default:
			b.WriteString(block.PlainText() + "\n")
		}
	}
	return b.String()
}

func str(ref, text string) string {
	return fmt.Sprintf(`<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, ref, text)
}

func num(ref, value string) string { return fmt.Sprintf(`<c r="%s"><v>%s</v></c>`, ref, value) }

func styled(ref, style, value string) string {
	return fmt.Sprintf(`<c r="%s" s="%s"><v>%s</v></c>`, ref, style, value)
}

func row(n int, cells ...string) string {
	return fmt.Sprintf(`<row r="%d">%s</row>`, n, strings.Join(cells, ""))
}

func data(rows ...string) string { return "<sheetData>" + strings.Join(rows, "") + "</sheetData>" }

// TestTitleRowAndEmptyColumn: a title row, an empty column; no "Unnamed", no "NaN".
func TestTitleRowAndEmptyColumn(t *testing.T) {
	d := parse(t, book{sheets: [][2]string{{"Q1", data(
		row(1, str("A1", "Sales report 2025")),
		row(3, str("A3", "Region"), str("C3", "Amount")),
		row(4, str("A4", "North"), num("C4", "1200")),
		row(5, str("A5", "South"), num("C5", "900")))}}}.bytes(t), format.Options{})
	want := "## Q1\nSales report 2025\n[A3:C5]\n*Region|*Amount\nNorth|1200\nSouth|900\n"
	if diff := cmp.Diff(want, sketch(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	table := d.Blocks[0].Children[1].Table
	if diff := cmp.Diff([]doc.Place{{Page: 1, Sheet: "Q1", Cells: "C4"}}, table.Cells[3].Places); diff != "" {
		t.Error("place of a cell:", diff)
	}
}

const valueStyles = `<numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="4"/><xf numFmtId="165"/></cellXfs>`

func valueSheet() string {
	return data(
		row(1, str("A1", "id"), str("B1", "flag"), str("C1", "when"), str("D1", "share"), str("E1", "code")),
		row(2, num("A2", "12"), `<c r="B2" t="b"><v>1</v></c>`, styled("C2", "1", "45366"), styled("D2", "3", "0.125"), str("E2", "NA")),
		row(3, `<c r="B3" t="b"><v>0</v></c>`, styled("D3", "4", "1234567.891"), str("E3", "NULL")),
		row(4, num("A4", "12345678901234567"), styled("C4", "2", "45366"), styled("D4", "5", "1.5")))
}

func TestValuesAsSeenAndRaw(t *testing.T) {
	d := parse(t, book{sheets: [][2]string{{"V", valueSheet()}}, styles: valueStyles}.bytes(t), format.Options{})
	want := "## V\n[A1:E4]\n*id|*flag|*when|*share|*code\n12|TRUE|2024-03-15|12.50%|NA\n|FALSE||1,234,567.89|NULL\n12345678901234567||2024-03-15|36:00:00|\n"
	if diff := cmp.Diff(want, sketch(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	values := map[string]doc.Value{}
	for _, c := range d.Blocks[0].Children[0].Table.Cells {
		values[c.Places[0].Cells] = *c.Value
	}
	for cell, want := range map[string]doc.Value{
		"A2": {Type: "number", Raw: "12"},
		"B2": {Type: "boolean", Raw: "1"},
		"C2": {Type: "date", Raw: "45366", ISO: "2024-03-15"},
		"D2": {Type: "number", Raw: "0.125"},
		"E2": {Type: "text"},
		"D4": {Type: "duration", Raw: "1.5", ISO: "PT36H"},
	} {
		if diff := cmp.Diff(want, values[cell]); diff != "" {
			t.Errorf("%s: %s", cell, diff)
		}
	}
}

func TestDatesFrom1904(t *testing.T) {
	d := parse(t, book{sheets: [][2]string{{"V", valueSheet()}}, styles: valueStyles, pr: `date1904="1"`}.bytes(t), format.Options{})
	if got := sketch(d.Blocks); !strings.Contains(got, "2028-03-16") || strings.Contains(got, "2024-03-15") {
		t.Errorf("dates not counted from 1904:\n%s", got)
	}
}

func TestLyingDimensionAndFarCell(t *testing.T) {
	lying := `<dimension ref="A1:XFD1048576"/>` + data(row(1, num("A1", "1")), row(2, num("B2", "2")))
	d := parse(t, book{sheets: [][2]string{{"a", lying}}}.bytes(t), format.Options{})
	if diff := cmp.Diff("## a\n[A1:B2]\n1|\n|2\n", sketch(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	far := data(row(1, num("A1", "1")), row(1048576, num("XFD1048576", "9")))
	d = parse(t, book{sheets: [][2]string{{"b", far}}}.bytes(t), format.Options{})
	if diff := cmp.Diff("## b\n1\n9\n", sketch(d.Blocks)); diff != "" {
		t.Error(diff)
	}
}

func hiddenBook(t *testing.T) []byte {
	return book{sheets: [][2]string{
		{"Data", `<cols><col min="3" max="3" hidden="1"/></cols>` + data(
			row(1, str("A1", "name"), str("B1", "n"), str("C1", "col secret")),
			row(2, str("A2", "x"), num("B2", "1")),
			`<row r="3" hidden="1">`+str("A3", "row secret")+`</row>`)},
		{`Notes" state="hidden`, data(row(1, str("A1", "secret 1")))},
		{`Calc" state="veryHidden`, data(row(1, str("A1", "secret 2")))},
	}}.bytes(t)
}

func TestHiddenThingsAreApart(t *testing.T) {
	d := parse(t, hiddenBook(t), format.Options{})
	if diff := cmp.Diff("## Data\n[A1:B2]\n*name|*n\nx|1\n", sketch(d.Blocks)); diff != "" {
		t.Error(diff)
	}
	var hidden, warnings []string
	for _, h := range d.Hidden {
		hidden = append(hidden, h.Reason+" "+h.Name+": "+strings.ReplaceAll(sketch(h.Blocks), "\n", " "))
	}
	for _, w := range d.Warnings {
		warnings = append(warnings, string(w.Class))
	}
	if diff := cmp.Diff([]string{"hidden_row Data: [A3] row secret ", "hidden_column Data: [C1] col secret ", "hidden_sheet Notes: ## Notes secret 1 ", "hidden_sheet Calc: ## Calc secret 2 "}, hidden); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"hidden_rows", "hidden_columns", "hidden_sheet", "hidden_sheet"}, warnings); diff != "" {
		t.Error(diff)
	}
	if !d.Hidden[0].Blocks[0].Table.Cells[0].Hidden {
		t.Error("the cell of a hidden row is not marked hidden")
	}
}

func TestHiddenThingsAreShownOnRequest(t *testing.T) {
	d := parse(t, hiddenBook(t), format.Options{Hidden: "include"})
	got := sketch(d.Blocks)
	for _, secret := range []string{"secret 1", "secret 2", "row secret", "col secret"} {
		if !strings.Contains(got, secret) {
			t.Errorf("%q is not shown:\n%s", secret, got)
		}
	}
	if len(d.Hidden) > 0 {
		t.Error("shown content is also kept as hidden")
	}
}

// Ten to the sixth is not a hundred and six.
func TestRichTextKeepsRaisedParts(t *testing.T) {
	const rich = `<r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><rPr><b val="0"/></rPr><t xml:space="preserve"> m</t></r>`
	d := parse(t, book{sheets: [][2]string{{"S", data(row(1, `<c r="A1" t="s"><v>0</v></c>`), row(3, `<c r="A3" t="inlineStr"><is>`+rich+`</is></c>`))}},
		parts: map[string]string{"xl/sharedStrings.xml": `<sst ` + mainNS + `><si>` + rich + `</si></sst>`}}.bytes(t), format.Options{})
	want := []doc.Inline{{Kind: doc.Text, Text: "10"}, {Kind: doc.Text, Text: "6", Marks: doc.Superscript}, {Kind: doc.Text, Text: " m"}}
	for i, b := range d.Blocks[0].Children {
		if diff := cmp.Diff(want, b.Inlines); diff != "" {
			t.Errorf("block %d: %s", i, diff)
		}
	}
	if len(d.Blocks[0].Children) != 2 {
		t.Error(sketch(d.Blocks))
	}
}
