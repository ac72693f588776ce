package textfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/textfile"
)

func TestBlocks(t *testing.T) {
	prose := strings.Repeat("word ", 13)
	tests := []struct{ name, text, want string }{
		{"wrapped lines are joined", prose + "\n" + prose + "\n" + prose + "\nend\n\n" + prose + "\n" + prose + "\nlast", "paragraph paragraph"},
		{"bullets", "- a\n- b\n  more\n", "list"},
		{"counted from three", "3. a\n4. b\n", "list"},
		{"numbers that do not count are no list", "1. a\n7. b\n", "paragraph"},
		{"columns", "Name     Amount\nPens         12\n", "code"},
		{"a drawing", "+---+\n| x |\n+---+\n", "code"},
		{"a lone line with a gap", "Name     Amount\n", "paragraph"},
	}
	for _, tt := range tests {
		var kinds []string
		for _, b := range textfile.Blocks(tt.text) {
			kinds = append(kinds, string(b.Kind))
		}
		if got := strings.Join(kinds, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	first := textfile.Blocks(tests[0].text)[0]
	if strings.Contains(first.PlainText(), "word\nword") {
		t.Errorf("wrapped lines stay broken: %q", first.PlainText())
	}
}

func TestLines(t *testing.T) {
	var got []string
	for line := range textfile.Lines("a\r\nb\rc\n\nd") {
		got = append(got, line.Text)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "", "d"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLeanKeepsEverything cuts between characters when a line is longer than a block.
func TestLeanKeepsEverything(t *testing.T) {
	for name, text := range map[string]string{"lines": strings.Repeat("some line\n", 50_000), "one line": strings.Repeat("é", 200_000)} {
		in, _ := formattest.Input("a.txt", nil)
		d := &doc.Document{}
		if err := textfile.Lean(t.Context(), in, d, text, ""); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, b := range d.Blocks {
			all.WriteString(b.Text)
		}
		if got := strings.ReplaceAll(all.String(), "\n", ""); got != strings.ReplaceAll(text, "\n", "") {
			t.Errorf("%s: text was lost or cut inside a character", name)
		}
	}
}

func TestTooLargeIsSaid(t *testing.T) {
	in, _ := formattest.Input("a.txt", []byte(strings.Repeat("x", 1000)))
	in.Limits.Memory = 2000
	if _, err := textfile.Read(in, &doc.Document{}); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("got %v, want too_large", err)
	}
}
