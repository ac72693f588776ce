package markdown_test

import (
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// TestDeepBlocks: what was nested too deeply inside the cell of a table was in no Markdown.
func TestDeepBlocks(t *testing.T) {
	inCell := func(inner ...doc.Block) doc.Block {
		return doc.Block{Kind: doc.Table, Table: &doc.Grid{Rows: 1, Columns: 1, Cells: []doc.Cell{{Blocks: append([]doc.Block{doc.P("beside")}, inner...)}}}}
	}
	around := map[string]func(...doc.Block) doc.Block{
		"tables": inCell,
		"lists":  func(inner ...doc.Block) doc.Block { return bullets(item(inner...)) },
		"quotes": func(inner ...doc.Block) doc.Block { return doc.Block{Kind: doc.Quote, Children: inner} },
	}
	for name, wrap := range around {
		for _, levels := range []int{3, 97, 98, 99, 100, 101, 150} {
			b := wrap(doc.P("first <1>"), doc.P("second"), doc.Block{Kind: doc.Code, Text: "code"}, doc.Block{Kind: doc.Formula, Text: "formula"})
			for range levels {
				b = wrap(b)
			}
			text := markdown.Render(document(inCell(b)), markdown.Options{}).Text
			for _, want := range []string{"first", "second", "code", "formula"} {
				if strings.Count(text, want) < 1 {
					t.Errorf("%d %s: %q is missing", levels, name, want)
				}
			}
			if strings.Contains(text, "firstsecond") || strings.Contains(text, "secondcode") || strings.Contains(text, "<1>") {
				t.Errorf("%d %s: %s", levels, name, text[max(0, len(text)-400):])
			}
		}
	}
}
