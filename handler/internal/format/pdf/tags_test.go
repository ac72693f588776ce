package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/pdftest"

	"github.com/google/go-cmp/cmp"
)

// tagged builds a page of marked content with the tree of its tags.
type tagged struct {
	f       *pdftest.File
	content pdftest.Content
	root    int
	owners  []int // element of each marked content id
}

func newTagged() *tagged {
	t := &tagged{f: pdftest.New()}
	t.root = t.f.Object("")
	return t
}

// element adds an element with children, or with one piece of text when text is given.
func (t *tagged) element(kind, attributes string, children ...int) int {
	n := t.f.Object("")
	var kids strings.Builder
	for _, c := range children {
		fmt.Fprintf(&kids, "%d 0 R ", c)
	}
	t.f.Set(n, fmt.Sprintf("<< /Type /StructElem /S /%s /P %d 0 R %s /K [%s] >>", kind, t.root, attributes, kids.String()))
	return n
}

// text adds an element with one piece of text.
func (t *tagged) text(kind, attributes, font string, size, x, y float64, text string) int {
	n := t.f.Object("")
	id := len(t.owners)
	t.owners = append(t.owners, n)
	t.content.Raw(fmt.Sprintf("/%s << /MCID %d >> BDC", kind, id)).Text(font, size, x, y, text).Raw("EMC")
	t.f.Set(n, fmt.Sprintf("<< /Type /StructElem /S /%s /P %d 0 R %s /Pg PAGE 0 R /K %d >>", kind, t.root, attributes, id))
	return n
}

// bytes is the file with these elements at the top of its tree.
func (t *tagged) bytes(top ...int) []byte {
	page := t.f.PageWith(t.content.String(), "", "/StructParents 0")
	var owners, kids strings.Builder
	for _, n := range t.owners {
		fmt.Fprintf(&owners, "%d 0 R ", n)
	}
	for _, n := range top {
		fmt.Fprintf(&kids, "%d 0 R ", n)
	}
	t.f.Set(t.root, fmt.Sprintf("<< /Type /StructTreeRoot /K [%s] /ParentTree << /Nums [0 [%s]] >> >>", kids.String(), owners.String()))
	t.f.Catalog(fmt.Sprintf("/MarkInfo << /Marked true >> /StructTreeRoot %d 0 R", t.root))
	data := string(t.f.Bytes())
	return []byte(strings.ReplaceAll(data, "PAGE 0 R", fmt.Sprintf("%4d 0 R", page)))
}

// adopt makes an element the parent of its children: parents are followed upwards from the content.
func (t *tagged) adopt(parent int, children ...int) int {
	for _, c := range children {
		t.f.Replace(c, fmt.Sprintf("/P %d 0 R", t.root), fmt.Sprintf("/P %d 0 R", parent))
	}
	return parent
}

func (t *tagged) group(kind, attributes string, children ...int) int {
	return t.adopt(t.element(kind, attributes, children...), children...)
}

// TestTaggedTable: a table without rules, in which the tags know header cells, spans and an empty cell.
func TestTaggedTable(t *testing.T) {
	w := newTagged()
	const size = 10
	cell := func(kind, attributes string, x, y float64, text string) int {
		return w.text(kind, attributes, "F1", size, x, y, text)
	}
	head := w.group("TR", "",
		cell("TH", "/A << /O /Table /RowSpan 2 >>", 72, 694, "Station"), cell("TH", "/A << /O /Table /ColSpan 2 >>", 230, 700, "Depth in metres"))
	second := w.group("TR", "", cell("TH", "", 200, 688, "low"), cell("TH", "", 300, 688, "high"))
	pier := w.group("TR", "", cell("TD", "", 72, 670, "Old pier, which"), cell("TD", "", 200, 670, "4.5"), cell("TD", "", 300, 670, "8.1"))
	bar := w.group("TR", "", cell("TD", "", 72, 650, "Bar"), w.element("TD", ""), cell("TD", "", 300, 650, "6.0"))
	table := w.group("Table", "", head, second, pier, bar)
	d := parse(t, w.bytes(table))
	want := "| [1x2]Station | [2x1]Depth in metres |\n| low | high |\n| Old pier, which | 4.5 | 8.1 |\n| Bar |  | 6.0 |"
	if diff := cmp.Diff(want, outline(d.Blocks)); diff != "" {
		t.Fatal(diff)
	}
	if got := d.Blocks[0].Table.HeaderRows; got != 2 {
		t.Errorf("%d header rows, want 2", got)
	}
}

// TestTaggedTableThatIsNone: tags that call paragraphs above each other the cells of one row are not believed.
func TestTaggedTableThatIsNone(t *testing.T) {
	w := newTagged()
	var rows []int
	for i := range 3 {
		y := 700 - 100*float64(i)
		rows = append(rows, w.group("TR", "",
			w.text("TD", "", "F3", 10, 72, y, "The gauge stood at the old pier until the storm of that long winter."),
			w.text("TD", "", "F3", 10, 72, y-30, "Nobody had the means to build another one in its place for years.")))
	}
	d := parse(t, w.bytes(w.group("Table", "", rows...)))
	if got := outline(d.Blocks); strings.Contains(got, "|") || strings.Count(got, "p: ") != 6 {
		t.Errorf("got\n%s", got)
	}
}

// TestTagsThatCallEverythingAHeadingAreNotBelieved: then looks decide.
func TestTagsThatCallEverythingAHeadingAreNotBelieved(t *testing.T) {
	w := newTagged()
	top := []int{w.text("P", "", "F2", 16, 72, 740, "The harbour")}
	for i := range 4 {
		top = append(top, w.text("H1", "", "F3", 10, 72, 700-40*float64(i), "The gauge stood at the old pier until the storm of that long winter, as is known."))
	}
	got := outline(parse(t, w.bytes(top...)).Blocks)
	if !strings.HasPrefix(got, "h1: The harbour\np: ") || strings.Count(got, "h1") != 1 {
		t.Errorf("got\n%s", got)
	}
}

// TestTaggedArtifactsAreFurniture: also on a document's only page, where nothing repeats.
func TestTaggedArtifactsAreFurniture(t *testing.T) {
	w := newTagged()
	w.content.Raw("/Artifact << /Type /Pagination >> BDC").Text("F1", 8, 72, 770, "Journal of Tides").Raw("EMC")
	d := parse(t, w.bytes(w.text("P", "", "F3", 10, 72, 700, "The gauge stood at the old pier until the storm of that long winter.")))
	if got := outline(d.Blocks); strings.Contains(got, "Journal") || !strings.Contains(outline(d.Furniture), "Journal of Tides") {
		t.Errorf("body\n%s\nfurniture\n%s", got, outline(d.Furniture))
	}
}
