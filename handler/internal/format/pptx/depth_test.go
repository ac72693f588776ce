package pptx_test

import (
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

func warned(d *doc.Document, class doc.Class) bool {
	for _, w := range d.Warnings {
		if w.Class == class {
			return true
		}
	}
	return false
}

// TestDeepGroups: text in more groups than are followed was in no output, without a word. Where the tree of the slide ends, near
// the limit of depth, the text keeps none of its elements.
func TestDeepGroups(t *testing.T) {
	const text = `<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>innermost</a:t></a:r></a:p></p:txBody></p:sp>`
	for _, levels := range []int{3, 64, 65, 70, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 300} {
		tree := strings.Repeat("<p:grpSp>", levels) + text + strings.Repeat("</p:grpSp>", levels) + strings.ReplaceAll(text, "innermost", "beside")
		in := input(deck(t, []int{1}, map[int]string{1: tree}, nil), format.Options{})
		in.Limits.Depth = 100
		d, err := parseInput(in)
		if err != nil {
			t.Fatal(err)
		}
		got := sketch(d.Blocks, "")
		if strings.Count(got, "innermost") != 1 || strings.Count(got, "beside") != 1 {
			t.Errorf("%d levels: %s", levels, got)
		}
		if told := warned(d, "nesting_flattened"); told != (levels > 65) {
			t.Errorf("%d levels: told %v, warnings %v", levels, told, d.Warnings)
		}
	}
}

// TestTooManyShapes: the shapes beyond the bound were left out without a word.
func TestTooManyShapes(t *testing.T) {
	for shapes, cut := range map[int]bool{50_000: false, 50_001: true} {
		d := parse(t, deck(t, []int{1}, map[int]string{1: strings.Repeat("<p:sp/>", shapes)}, nil), format.Options{})
		if warned(d, "limit_reached") != cut {
			t.Errorf("%d shapes: warnings %v", shapes, d.Warnings)
		}
	}
}
