package pptx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/pptx"
)

const (
	ns     = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
	relNS  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relURL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// deck makes a presentation of slides (the inner XML of their shape trees) in the given order of part numbers.
func deck(t testing.TB, order []int, slides map[int]string, more map[string]string) []byte {
	t.Helper()
	parts := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>`,
		"_rels/.rels":         relNS + `<Relationship Id="r1" Type="` + relURL + `officeDocument" Target="ppt/presentation.xml"/></Relationships>`,
	}
	var list, rels strings.Builder
	for i, n := range order {
		fmt.Fprintf(&list, `<p:sldId id="%d" r:id="s%d"/>`, 256+i, n)
		fmt.Fprintf(&rels, `<Relationship Id="s%d" Type="%sslide" Target="slides/slide%d.xml"/>`, n, relURL, n)
		attributes, tree := "", slides[n]
		if rest, ok := strings.CutPrefix(tree, "HIDDEN"); ok {
			attributes, tree = ` show="0"`, rest
		}
		parts[fmt.Sprintf("ppt/slides/slide%d.xml", n)] = `<p:sld ` + ns + attributes + `><p:cSld><p:spTree>` + tree + `</p:spTree></p:cSld></p:sld>`
	}
	parts["ppt/presentation.xml"] = `<p:presentation ` + ns + `><p:sldIdLst>` + list.String() + `</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`
	parts["ppt/_rels/presentation.xml.rels"] = relNS + rels.String() + `</Relationships>`
	for name, text := range more {
		parts[name] = text
	}
	return formattest.ZipOf(t, parts)
}

func input(data []byte, options format.Options) *format.Input {
	return formattest.InputWith("a.pptx", data, options)
}

func parse(t testing.TB, data []byte, options format.Options) *doc.Document {
	t.Helper()
	d, err := parseInput(input(data, options))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func parseInput(in *format.Input) (*doc.Document, error) {
	d, err := pptx.Format().Parse(context.Background(), in)
	if err == nil {
		d.Finish()
	}
	return d, err
}

// sketch writes blocks in a short form, one line each, indented by nesting.
func sketch(blocks []doc.Block, indent string) string {
	var b strings.Builder
	for i := range blocks {
		block := &blocks[i]
		fmt.Fprintf(&b, "%s%s", indent, block.Kind)
		for _, s := range []string{block.Role, block.Number, block.PlainText(), block.Image, doc.PlainText(block.Caption)} {
			if s != "" {
				b.WriteString(" " + strings.ReplaceAll(s, "\n", "/"))
			}
		}
		if block.Table != nil {
			for _, c := range block.Table.Cells {
				fmt.Fprintf(&b, " [%d,%d %s]", c.Row, c.Column, c.PlainText())
			}
		}
		b.WriteString("\n" + sketch(block.Children, indent+"  "))
	}
	return b.String()
}

// box is a shape with a text at a place, in points.
func box(x, y, w, h int, text string) string {
	return fmt.Sprintf(`<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>%s</p:spPr>%s</p:sp>`, xfrm("a", x, y, w, h), body(para("", text)))
}

func xfrm(prefix string, x, y, w, h int) string {
	return fmt.Sprintf(`<%[1]s:xfrm><a:off x="%[2]d" y="%[3]d"/><a:ext cx="%[4]d" cy="%[5]d"/></%[1]s:xfrm>`, prefix, x*12700, y*12700, w*12700, h*12700)
}

func body(paragraphs ...string) string {
	return "<p:txBody><a:bodyPr/>" + strings.Join(paragraphs, "") + "</p:txBody>"
}

func para(properties, text string) string {
	return "<a:p>" + properties + "<a:r><a:t>" + text + "</a:t></a:r></a:p>"
}

func holder(kind, text string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr><p:ph ` + kind + `/></p:nvPr></p:nvSpPr><p:spPr/>` + text + `</p:sp>`
}

func group(x, y, w, h int, inner string) string {
	return fmt.Sprintf(`<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/><a:chOff x="0" y="0"/><a:chExt cx="%[3]d" cy="%[4]d"/></a:xfrm></p:grpSpPr>%[5]s</p:grpSp>`,
		x*12700, y*12700, w*12700, h*12700, inner)
}

func frame(x, y int, data string) string {
	return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="6" name="f"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>` + xfrm("p", x, y, 200, 50) + `<a:graphic><a:graphicData>` + data + `</a:graphicData></a:graphic></p:graphicFrame>`
}

func rels(lines ...string) string {
	var b strings.Builder
	for i := 0; i+2 < len(lines); i += 3 {
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="%s%s" Target="%s"/>`, lines[i], relURL, lines[i+1], lines[i+2])
	}
	return relNS + b.String() + "</Relationships>"
}

func caseDeck(t testing.TB) []byte {
	tbl := `<a:tbl><a:tblPr/><a:tr h="1"><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>`
	tree := `<p:sp><p:nvSpPr><p:cNvPr id="8" name="f"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>` + body(para("", "float")) + `</p:sp>` +
		holder(`type="title"`, body(para("", "Plan"))) +
		group(50, 100, 300, 100, box(0, 0, 100, 40, "BOX")+group(0, 50, 100, 40, box(0, 0, 100, 40, "SECOND"))) +
		frame(50, 250, tbl) +
		frame(50, 350, `<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="d1"/>`)
	diagram := `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ` + ns + `><dgm:ptLst>
<dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>One</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>Two</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>
<dgm:cxnLst><dgm:cxn modelId="3" srcId="0" destId="1" srcOrd="0"/><dgm:cxn modelId="4" srcId="0" destId="2" srcOrd="1"/></dgm:cxnLst></dgm:dataModel>`
	notes := `<p:notes ` + ns + `><p:cSld><p:spTree>` + holder(`type="sldImg"`, "") + holder(`type="body" idx="1"`, body(para("", "say hello"))) + holder(`type="sldNum" idx="5"`, body(para("", "1"))) + `</p:spTree></p:cSld></p:notes>`
	return deck(t, []int{2, 1}, map[int]string{1: tree, 2: "HIDDEN" + box(0, 0, 100, 50, "hidden slide")}, map[string]string{
		"ppt/slides/_rels/slide1.xml.rels": rels("d1", "diagramData", "../diagrams/data1.xml", "n1", "notesSlide", "../notesSlides/notesSlide1.xml"),
		"ppt/diagrams/data1.xml":           diagram,
		"ppt/notesSlides/notesSlide1.xml":  notes,
	})
}

func TestGroupsTablesDiagramsNotesAndFloatingShapes(t *testing.T) {
	d := parse(t, caseDeck(t), format.Options{})
	want := `group slide
  heading Plan
  paragraph BOX
  paragraph SECOND
  table [0,0 a] [0,1 b]
  list
    item
      paragraph One
    item
      paragraph Two
  paragraph float
  group notes
    paragraph say hello
`
	if diff := cmp.Diff(want, sketch(d.Blocks, "")); diff != "" {
		t.Error(diff)
	}
	if len(d.Pages) != 2 || !d.Pages[0].Hidden || d.Pages[1].Hidden || d.Pages[1].Width != 720 {
		t.Errorf("pages %+v: want the hidden one first, by the presentation's order", d.Pages)
	}
	if len(d.Hidden) != 1 || d.Hidden[0].Reason != "hidden_slide" || !strings.Contains(sketch(d.Hidden[0].Blocks, ""), "hidden slide") {
		t.Errorf("hidden %+v", d.Hidden)
	}
	second := d.Blocks[0].Children[2]
	if diff := cmp.Diff([]doc.Place{{Page: 2, Slide: 2, Box: &doc.Box{X0: 50, Y0: 150, X1: 150, Y1: 190}}}, second.Places); diff != "" {
		t.Error("place of a shape in a group in a group:", diff)
	}
}

func TestHiddenSlideIsShownOnRequest(t *testing.T) {
	d := parse(t, caseDeck(t), format.Options{Hidden: "include"})
	if got := sketch(d.Blocks, ""); !strings.HasPrefix(got, "group slide\n  paragraph hidden slide\n") {
		t.Error(got)
	}
}
