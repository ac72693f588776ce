package chunk_test

import (
	"flag"
	"fmt"
	"path"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
	"decant/handler/internal/token"

	"github.com/rivo/uniseg"
)

// thorough makes the tests of this package take minutes instead of seconds.
var thorough = flag.Bool("thorough", false, "more generated documents and edits")

// seeds is how many documents are generated for each combination of options.
func seeds() uint64 {
	if *thorough {
		return 6
	}
	return 1
}

// TestPromise holds generated documents to the promise of the package, for all strategies, at every limit, with several tokenizers.
func TestPromise(t *testing.T) {
	count := uint64(0)
	for _, name := range []string{"o200k_base", "cl100k_base", "characters", "words",
		"../token/testdata/hf/wordpiece.json", "../token/testdata/hf/unigram.json", "../token/testdata/hf/fallback.json"} {
		for _, limit := range []int{16, 32, 64, 128, 512, 2048} {
			for _, strategy := range []string{"hybrid", "hierarchical", "page", "section", "fixed"} {
				t.Run(fmt.Sprintf("%s/%d/%s", path.Base(name), limit, strategy), func(t *testing.T) {
					count++
					for seed := count; seed < count+seeds(); seed++ {
						d := generate(seed, 25)
						o := chunk.Options{MaxTokens: limit, Strategy: strategy, Counter: counter(t, name), DocumentID: "d1"}
						o.TableFormat = []string{"markdown", "html", "rows"}[seed%3]
						if seed%2 == 1 {
							o.Overlap = limit / 4
						}
						checkSplit(t, d, o, name)
					}
				})
			}
		}
	}
}

func counter(t testing.TB, name string) token.Counter {
	t.Helper()
	c, err := token.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func split(t testing.TB, d *doc.Document, o chunk.Options) (*markdown.Output, []chunk.Chunk) {
	t.Helper()
	md := markdown.Render(d, markdown.Options{})
	chunks, err := chunk.Split(d, md, o)
	if err != nil {
		t.Fatal(err)
	}
	return md, chunks
}

// checkSplit splits a document and checks everything that can be checked without knowing the document.
func checkSplit(t *testing.T, d *doc.Document, o chunk.Options, tokenizer string) (*markdown.Output, []chunk.Chunk) {
	t.Helper()
	md, chunks := split(t, d, o)
	recount := counter(t, tokenizer)
	covered, ids := 0, map[string]bool{}
	for i, c := range chunks {
		if n := recount.Count(c.Text); n != c.Tokens || n < 1 || n > o.MaxTokens {
			t.Errorf("chunk %d says %d tokens, has %d, limit %d: %q", i, c.Tokens, n, o.MaxTokens, c.Text)
		}
		if !c.Rendered && c.Text[c.Body.Start:c.Body.End] != md.Text[c.Range.Start:c.Range.End] {
			t.Errorf("chunk %d: body %q is not document.md's %q", i, c.Text[c.Body.Start:c.Body.End], md.Text[c.Range.Start:c.Range.End])
		}
		if c.Range.Start < covered {
			t.Errorf("chunk %d starts at %d, the one before ends at %d", i, c.Range.Start, covered)
		}
		if lost := between(md, covered, c.Range.Start); lost != "" {
			t.Errorf("lost before chunk %d: %q", i, lost)
		}
		covered = c.Range.End
		if c.Pages == nil && len(d.Pages) > 0 && !strings.HasPrefix(c.Text, "[^") {
			t.Errorf("chunk %d has no page: %q", i, c.Text)
		}
		if ids[c.ID] {
			t.Errorf("id %s twice", c.ID)
		}
		ids[c.ID] = true
		checkBorder(t, md.Text, c.Range.Start, o.MaxTokens)
		checkBorder(t, md.Text, c.Range.End, o.MaxTokens)
	}
	if lost := between(md, covered, len(md.Text)); lost != "" {
		t.Errorf("lost at the end: %q", lost)
	}
	return md, chunks
}

// between is the document's text in a range of the Markdown, markup and blanks left out.
func between(md *markdown.Output, from, to int) string {
	var b strings.Builder
	for _, s := range md.Spans {
		if s.Start < to && s.End > from {
			b.WriteString(md.Text[max(s.Start, from):min(s.End, to)])
		}
	}
	return strings.TrimSpace(b.String())
}

// checkBorder checks that a place is not inside a character, a grapheme cluster or a number. Clusters that are too large to fit may be cut.
func checkBorder(t *testing.T, text string, at, limit int) {
	t.Helper()
	if at <= 0 || at >= len(text) {
		return
	}
	if !utf8.RuneStart(text[at]) {
		t.Errorf("cut inside a character at %d", at)
		return
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	if unicode.IsDigit(before) && unicode.IsDigit(after) && limit >= 32 {
		t.Errorf("cut inside a number: %q", text[max(0, at-10):min(len(text), at+10)])
	}
	if limit < 64 {
		return
	}
	start := max(0, at-60)
	for !utf8.RuneStart(text[start]) {
		start++
	}
	rest, pos, state := text[start:], start, -1
	var cluster string
	for rest != "" && pos < at {
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		pos += len(cluster)
	}
	if pos != at && start == max(0, at-60) {
		t.Errorf("cut inside the grapheme cluster %q", cluster)
	}
}
