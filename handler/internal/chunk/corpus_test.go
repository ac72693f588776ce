package chunk_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/all"
)

// TestPromiseOnCorpus holds the documents of tests/corpus and samples to the promise at every limit.
func TestPromiseOnCorpus(t *testing.T) {
	for _, dir := range []string{"../../../tests/corpus", "../../../samples"} {
		eachDocument(t, dir, func(t *testing.T, d *doc.Document) {
			for _, limit := range []int{16, 32, 64, 128, 512, 2048} {
				for _, strategy := range []string{"hybrid", "fixed"} {
					checkReal(t, d, chunk.Options{MaxTokens: limit, Strategy: strategy})
				}
			}
		})
	}
}

// TestPromiseOnRealDocuments does the same with documents from many programs, where they are at hand.
func TestPromiseOnRealDocuments(t *testing.T) {
	root := "../../../../shared/data"
	if _, err := os.Stat(root); err != nil {
		t.Skip("real documents are not at hand: " + root)
	}
	if testing.Short() {
		t.Skip("takes long")
	}
	eachDocument(t, root, func(t *testing.T, d *doc.Document) {
		for _, limit := range []int{64, 512} {
			checkReal(t, d, chunk.Options{MaxTokens: limit})
		}
	})
}

// eachDocument parses every document below a directory; files that are refused are left out.
func eachDocument(t *testing.T, dir string, check func(*testing.T, *doc.Document)) {
	formats := all.Formats(all.Options{})
	parsed := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && (entry.Name() == "gt" || entry.Name() == "pdf-odd") {
				return filepath.SkipDir
			}
			return nil
		}
		d := parse(t, formats, path)
		if d == nil {
			return nil
		}
		parsed++
		t.Run(strings.TrimPrefix(path, dir+"/"), func(t *testing.T) { check(t, d) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents below %s", parsed, dir)
}

func parse(t *testing.T, formats []format.Format, path string) *doc.Document {
	data, err := os.ReadFile(path)
	if err != nil || len(data) > 4<<20 {
		return nil
	}
	r := bytes.NewReader(data)
	head, err := format.ReadHead(r, r.Size(), filepath.Base(path))
	if err != nil {
		return nil
	}
	found, err := format.Detect(formats, head)
	if err != nil || found.Format.Name == "pdf" {
		return nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	d, err := found.Format.Parse(ctx, &format.Input{
		ReaderAt: r, Size: r.Size(), Name: filepath.Base(path), Files: &noFiles{}, Progress: func(int, int) {},
		Options: format.Options{Hidden: "exclude", Revisions: "accepted", Furniture: "drop", Comments: "exclude", HTML: "full", Images: "none", Attachments: "list"},
		Limits:  format.Limits{Pages: 10_000, Members: 1000, Depth: format.DefaultDepth, Unpack: 1 << 30, Memory: 1 << 30, Level: 4},
	})
	if err != nil {
		return nil
	}
	d.Finish()
	return d
}

// noFiles gives pictures and attachments names, and keeps nothing.
type noFiles struct{ n int }

func (f *noFiles) Image(_ []byte, mediaType, source, alt string) (doc.Image, error) {
	f.n++
	return doc.Image{ID: fmt.Sprintf("image-%d", f.n), MediaType: mediaType, Source: source, Alt: alt}, nil
}

func (f *noFiles) Attachment(name, _ string, content io.Reader) (doc.Attachment, error) {
	_, err := io.Copy(io.Discard, io.LimitReader(content, 1<<20))
	return doc.Attachment{Name: name}, err
}

// checkReal is checkSplit without what only holds for generated documents.
func checkReal(t *testing.T, d *doc.Document, o chunk.Options) {
	t.Helper()
	md, chunks := split(t, d, o)
	recount := counter(t, "o200k_base")
	contents := contentsIn(d)
	covered := 0
	for i, c := range chunks {
		if n := recount.Count(c.Text); n != c.Tokens || n < 1 || n > o.MaxTokens {
			t.Fatalf("chunk %d says %d tokens, has %d, limit %d: %q", i, c.Tokens, n, o.MaxTokens, c.Text)
		}
		if !c.Rendered && c.Text[c.Body.Start:c.Body.End] != md.Text[c.Range.Start:c.Range.End] {
			t.Fatalf("chunk %d: body %q is not document.md's %q", i, c.Text[c.Body.Start:c.Body.End], md.Text[c.Range.Start:c.Range.End])
		}
		if c.Range.Start < covered {
			t.Fatalf("chunk %d starts at %d, the one before ends at %d", i, c.Range.Start, covered)
		}
		if lost := between(md, covered, c.Range.Start); lost != "" && !contents {
			t.Fatalf("lost before chunk %d: %q", i, lost)
		}
		covered = c.Range.End
	}
	if lost := between(md, covered, len(md.Text)); lost != "" && !contents {
		t.Fatalf("lost at the end: %q", lost)
	}
}

// contentsIn tells whether there is a table of contents, which is not cut into chunks.
func contentsIn(d *doc.Document) bool {
	found := false
	doc.Walk(d.Blocks, func(b *doc.Block) bool { found = found || b.Kind == doc.TOC; return true })
	return found
}
