package markdown_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/markdown"
	render "decant/handler/internal/markdown"
)

// forms are differences that mean nothing in Markdown: white space inside of lines and between blocks, which bullet a list has and what
// parts two lists, and a space in an address.
var forms = []struct {
	pattern *regexp.Regexp
	replace string
}{
	{regexp.MustCompile(`(?m)([^\s])[ \t]+`), "$1 "},
	{regexp.MustCompile(`(?m)^\s*[ \t]([^ \t-])`), " $1"},
	{regexp.MustCompile(`(?m)^(\s*)[*-] `), "$1- "},
	{regexp.MustCompile(`<!-- -->`), ""},
	{regexp.MustCompile(`\n\s*\n`), "\n"},
	{regexp.MustCompile(`\(<(\S+) (\S+)>\)`), "($1%20$2)"},
}

func sameForm(text string) string {
	for _, f := range forms {
		text = f.pattern.ReplaceAllString(text, f.replace)
	}
	return text
}

// TestOwnMarkdownReadsBack holds that decant's own Markdown, read again and written again, does not change: every golden file of the corpus.
func TestOwnMarkdownReadsBack(t *testing.T) {
	files, err := filepath.Glob("../../../../tests/corpus/*/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), "fault: ") || filepath.Base(filepath.Dir(file)) == "markdown" && !strings.HasSuffix(file, ".golden.md") {
			continue
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "../../../../tests/corpus/"), func(t *testing.T) {
			d, _ := formattest.MustParse(t, markdown.Format(), "a.md", string(text))
			again := render.Render(d, render.Options{}).Text
			if diff := cmp.Diff(sameForm(string(text)), sameForm(again)); diff != "" {
				t.Errorf("(-first +second):\n%s", diff)
			}
		})
	}
}
