package jsonfmt_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/jsonfmt"
)

func parseYAML(text string) (*doc.Document, error) {
	in := &format.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text)), Progress: func(int, int) {}}
	return jsonfmt.YAML().Parse(context.Background(), in)
}

func TestDeepYAMLIsFlattened(t *testing.T) {
	for _, depth := range []int{400, 499, 500, 501, 3000} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			var text strings.Builder
			for i := range depth {
				fmt.Fprintf(&text, "{name%d: ", i)
			}
			text.WriteString("[innermost, last]" + strings.Repeat("}", depth))
			d, err := parseYAML(text.String())
			if err != nil {
				t.Fatal(err)
			}
			var shown strings.Builder
			doc.Walk(d.Blocks, func(b *doc.Block) bool {
				shown.WriteString(doc.PlainText(b.Inlines) + "\n")
				return true
			})
			for i := range depth {
				if name := fmt.Sprintf("name%d", i); !strings.Contains(shown.String(), name) {
					t.Fatalf("%s is lost", name)
				}
			}
			if !strings.Contains(shown.String(), "innermost") || !strings.Contains(shown.String(), "last") {
				t.Error("the innermost values are lost")
			}
			warned := len(d.Warnings) == 1 && d.Warnings[0].Class == "nesting_flattened"
			if warned != (depth >= 500) {
				t.Errorf("warnings = %v", d.Warnings)
			}
		})
	}
}

func TestYAMLThatHoldsItself(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a list in itself", "a: &a [x, *a]\n"},
		{"two that hold each other", "a: &a {b: &b {c: *a, d: *b}}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseYAML(tt.text)
			if fault.KindOf(err) != fault.LimitRatio {
				t.Errorf("err = %v, want a fault of kind %s", err, fault.LimitRatio)
			}
		})
	}
}
