package drawingml_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// shape is a named shape at a place, in points.
func shape(name string, x, y, w, h float64) drawingml.Shape {
	return drawingml.Shape{Name: name, Box: &doc.Box{X0: x, Y0: y, X1: x + w, Y1: y + h}}
}

func TestReadingOrder(t *testing.T) {
	tests := []struct {
		name   string
		shapes []drawingml.Shape
		want   string
	}{
		{"from the top", []drawingml.Shape{shape("b", 0, 100, 50, 20), shape("a", 0, 0, 50, 20)}, "a b"},
		{"a row from the left, tops not quite equal", []drawingml.Shape{shape("b", 100, 0, 50, 40), shape("a", 0, 3, 50, 40), shape("c", 200, 5, 50, 40)}, "a b c"},
		{"columns beside a tall shape", []drawingml.Shape{shape("tall", 0, 0, 50, 200), shape("r2", 100, 110, 50, 80), shape("r1", 100, 0, 50, 100)}, "tall r1 r2"},
		{"a line over both columns", []drawingml.Shape{shape("foot", 0, 300, 300, 20), shape("r", 160, 100, 140, 150), shape("l", 0, 105, 140, 150), shape("head", 0, 0, 300, 50)}, "head l r foot"},
		{"shapes on top of each other", []drawingml.Shape{shape("in", 10, 10, 50, 50), shape("out", 0, 0, 200, 200)}, "out in"},
		{"without a place, last", []drawingml.Shape{{Name: "lost"}, shape("a", 0, 0, 5, 5), {Name: "lost2"}}, "a lost lost2"},
		{"lines without height", []drawingml.Shape{shape("rule", 0, 50, 100, 0), shape("b", 0, 60, 100, 20), shape("a", 0, 0, 100, 40)}, "a rule b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, s := range drawingml.ReadingOrder(test.shapes) {
				got = append(got, s.Name)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A group has coordinates of its own, scaled and moved; so has a group in it.
func TestBoxesInsideGroups(t *testing.T) {
	const tree = `<p:spTree xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<p:grpSp><p:grpSpPr><a:xfrm><a:off x="127000" y="0"/><a:ext cx="254000" cy="254000"/><a:chOff x="12700" y="12700"/><a:chExt cx="127000" cy="127000"/></a:xfrm></p:grpSpPr>
<p:sp><p:nvSpPr><p:cNvPr id="1" name="in"/></p:nvSpPr><p:spPr><a:xfrm><a:off x="25400" y="38100"/><a:ext cx="12700" cy="12700"/></a:xfrm></p:spPr></p:sp></p:grpSp></p:spTree>`
	root, _, err := xmltree.Parse(strings.NewReader(tree), xmltree.Options{Namespaces: ooxml.Namespaces})
	if err != nil {
		t.Fatal(err)
	}
	shapes := drawingml.Shapes(root, nil)
	if len(shapes) != 1 || len(shapes[0].Children) != 1 {
		t.Fatalf("shapes %+v", shapes)
	}
	// 1 point right and 2 points down inside, doubled, and moved by 10 points to the right.
	if diff := cmp.Diff(&doc.Box{X0: 12, Y0: 4, X1: 14, Y1: 6}, shapes[0].Children[0].Box); diff != "" {
		t.Error(diff)
	}
}

func TestSafeLink(t *testing.T) {
	for target, want := range map[string]bool{"http://a": true, "mailto:a@b": true, "#x": true, " JavaScript:a()": false, "vbscript:x": false, "data:text/html,x": false} {
		if got := drawingml.SafeLink(target); got != want {
			t.Errorf("SafeLink(%q) = %v", target, got)
		}
	}
}
