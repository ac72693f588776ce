package app

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/config"
	"decant/handler/internal/doc"
	"decant/handler/internal/format/all"
)

var update = flag.Bool("update", false, "rewrite the generated tables")

const repository = "../../../"

// TestGeneratedTables holds the tables in the documentation to the code: run with -update to rewrite them.
func TestGeneratedTables(t *testing.T) {
	tests := []struct{ file, marker, want string }{
		{"README.md", "formats", formatsTable()},
		{"README.md", "settings", settingsTable()},
		{"docs/warnings.md", "warnings", warningsTable()},
	}
	for _, tt := range tests {
		t.Run(tt.marker, func(t *testing.T) {
			text, err := os.ReadFile(repository + tt.file)
			if err != nil {
				t.Fatal(err)
			}
			begin, end := "<!-- "+tt.marker+" -->\n", "<!-- /"+tt.marker+" -->"
			head, rest, ok := strings.Cut(string(text), begin)
			got, tail, ok2 := strings.Cut(rest, end)
			if !ok || !ok2 {
				t.Fatalf("%s has no markers %q", tt.file, tt.marker)
			}
			if got == tt.want {
				return
			}
			if !*update {
				t.Fatalf("%s: the table %q is not true any more (-file +code), run `make golden`:\n%s", tt.file, tt.marker, cmp.Diff(got, tt.want))
			}
			if err := os.WriteFile(repository+tt.file, []byte(head+begin+tt.want+end+tail), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func formatsTable() string {
	var b strings.Builder
	b.WriteString("| format | files | what is read |\n|---|---|---|\n")
	for _, f := range all.Formats(all.Options{}) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Title, strings.Join(f.Extensions, " "), f.Description)
	}
	return b.String()
}

func settingsTable() string {
	var b strings.Builder
	b.WriteString("| variable | default | unit | what it sets |\n|---|---|---|---|\n")
	for _, v := range config.Variables {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Default, v.Unit, v.Help)
	}
	return b.String()
}

func warningsTable() string {
	var b strings.Builder
	b.WriteString("| class | effect | meaning |\n|---|---|---|\n")
	for _, c := range doc.Classes {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Class, c.Effect, c.Words)
	}
	return b.String()
}
