package convert_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/convert"
	"decant/handler/internal/doc"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

// TestLargeTableIsTheSameJSON holds that a large table, which is written cell by cell, reads back as encoding/json writes it: it
// decodes into the model, encodes again, and is byte for byte the same.
func TestLargeTableIsTheSameJSON(t *testing.T) {
	var page strings.Builder
	page.WriteString("<table><tr><th>a<th>b<th>c")
	for i := range 400 {
		fmt.Fprintf(&page, "<tr><td>%d<td>\"q\\\" &lt;b&gt; &amp; é\u2028 <b>bold</b><td rowspan=%d><a href='https://example.com/?a=1&b=2'>x", i, 1+i%2)
		if i%3 == 0 {
			page.WriteString("<tr><td><ul><li>x<li>y</ul><td>plain \"quoted\"<td>\"cells\":null")
		}
	}
	isSameJSON(t, "a.html", page.String())
}

// TestLargeTableOfOddCharacters is the same for characters that JSON escapes, or does not.
func TestLargeTableOfOddCharacters(t *testing.T) {
	text := "a,b\n"
	for c := rune(1); c < 0x300; c++ {
		if c != '\n' && c != '\r' && c != ',' && c != '"' {
			text += fmt.Sprintf("x%cy,\"%c \"\"\u2028 \U0001F600\u2029 \ufffd\"\n", c, c)
		}
	}
	isSameJSON(t, "a.csv", text)
}

func isSameJSON(t *testing.T, name, text string) {
	t.Helper()
	input := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(input, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source := job.Source{Path: name, Size: -1}
	out := t.TempDir()
	if _, err := convert.New(all.Formats(all.Options{}), "test").Convert(t.Context(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: out}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(out, job.JSONFile))
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Blocks []json.RawMessage }
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	var table doc.Block
	if err := json.Unmarshal(document.Blocks[0], &table); err != nil || table.Table == nil || len(table.Table.Cells) < 500 {
		t.Fatalf("no large table: %v", err)
	}
	again, err := json.Marshal(&table)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(again), string(document.Blocks[0])); diff != "" {
		t.Errorf("(-encoding/json +ours):\n%.3000s", diff)
	}
}
