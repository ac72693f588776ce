package convert_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/chunk"
	"decant/handler/internal/convert"
	"decant/handler/internal/doc"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

// TestPartsMakeTheSameResults holds that a page that is converted part by part, because memory is short, has the same Markdown as
// one that is converted whole, that its chunks are the bytes they say they are, under the headings they stand under, and that
// document.json has the same blocks.
func TestPartsMakeTheSameResults(t *testing.T) {
	var page strings.Builder
	page.WriteString("<title>A long book</title><h1>The book</h1><p>See the end.")
	for i := range 6000 {
		if i%1500 == 0 {
			fmt.Fprintf(&page, "<h2>Volume %d</h2>", i/1500)
		}
		fmt.Fprintf(&page, "<p>Paragraph %d has <b>some</b> more words, so that the page is large: %s\n", i, strings.Repeat("and more ", 60))
	}
	page.WriteString("<h2 id=last>The last</h2><table><tr><th>a<th>b<tr><td>1<td>2</table>")
	input := filepath.Join(t.TempDir(), "book.html")
	if err := os.WriteFile(input, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, parts := results(t, input, 4<<30), results(t, input, 40<<20)

	if diff := cmp.Diff(whole.md, parts.md); diff != "" {
		t.Errorf("Markdown (-whole +parts):\n%.3000s", diff)
	}
	if len(whole.document.Blocks) != len(parts.document.Blocks) || parts.document.Metadata.Title != "A long book" || parts.document.Metadata.Language != "en" {
		t.Errorf("%d blocks, want %d; metadata %+v", len(parts.document.Blocks), len(whole.document.Blocks), parts.document.Metadata)
	}
	ids := map[string]bool{}
	doc.Walk(parts.document.Blocks, func(b *doc.Block) bool {
		if b.ID == "" || ids[b.ID] {
			t.Fatalf("block id %q is missing or used twice", b.ID)
		}
		ids[b.ID] = true
		return true
	})
	volume := ""
	for i, c := range parts.chunks {
		if c.Index != i {
			t.Fatalf("chunk %d says that it is %d", i, c.Index)
		}
		body := parts.md[c.Range.Start:c.Range.End]
		if got := c.Text[c.Body.Start:c.Body.End]; got != body {
			t.Fatalf("chunk %d is %.80q, its range is %.80q", i, got, body)
		}
		if at := strings.LastIndex(parts.md[:c.Range.End], "\n## Volume"); at >= 0 && !strings.Contains(body, "# ") {
			volume, _, _ = strings.Cut(parts.md[at+4:], "\n")
			if want := []string{"The book", volume}; !cmp.Equal(want, c.Headings) {
				t.Fatalf("chunk %d stands under %q, want %q", i, c.Headings, want)
			}
		}
		for _, id := range c.Blocks {
			if !ids[id] {
				t.Fatalf("chunk %d names the block %q, which is not there", i, id)
			}
		}
	}
	if volume != "Volume 3" {
		t.Errorf("the last volume is %q", volume)
	}
}

type made struct {
	md       string
	document doc.Document
	chunks   []chunk.Chunk
}

func results(t *testing.T, input string, memory int64) (m made) {
	t.Helper()
	source := job.Source{Path: filepath.Base(input), Size: -1}
	request := job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: t.TempDir()}
	request.Job.Limits.Memory = memory
	if _, err := convert.New(all.Formats(all.Options{}), "test").Convert(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(request.OutDir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	m.md = string(read(job.MarkdownFile))
	if err := json.Unmarshal(read(job.JSONFile), &m.document); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(read(job.ChunksFile)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c chunk.Chunk
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		m.chunks = append(m.chunks, c)
	}
	return m
}
