// Package formattest runs parsers in tests: on bytes in memory, with files kept in memory, and with the checks that hold for every
// parser, so that each format's fuzz target is a few lines.
package formattest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Files keeps pictures and attachments in memory.
type Files struct {
	Images      []doc.Image
	Attachments map[string]string // content by name
	Limit       int64             // bytes of one attachment; 0 means 64 MiB
}

// Image keeps nothing but gives an id.
func (f *Files) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	id := fmt.Sprintf("image-%d", len(f.Images)+1)
	img := doc.Image{ID: id, File: "images/" + id, MediaType: mediaType, Bytes: int64(len(data)), Source: source, Alt: alt}
	f.Images = append(f.Images, img)
	return img, nil
}

// Attachment reads the content up to the limit.
func (f *Files) Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error) {
	if f.Attachments == nil {
		f.Attachments = map[string]string{}
	}
	limit := f.Limit
	if limit == 0 {
		limit = 64 << 20
	}
	data, err := io.ReadAll(io.LimitReader(content, limit+1))
	if err != nil {
		return doc.Attachment{}, fmt.Errorf("take out %q: %w", name, err)
	}
	if int64(len(data)) > limit {
		return doc.Attachment{}, fault.New(fault.LimitDisk, "", nil)
	}
	f.Attachments[name] = string(data)
	return doc.Attachment{Name: name, MediaType: mediaType, File: fmt.Sprintf("attachments/%d", len(f.Attachments)), Bytes: int64(len(data))}, nil
}

// Input makes an input of bytes, with the usual limits.
func Input(name string, data []byte) (*format.Input, *Files) {
	files := &Files{}
	return &format.Input{
		ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name, Files: files, Progress: func(int, int) {},
		Limits: format.Limits{Pages: 10_000, Members: 1_000, Depth: format.DefaultDepth, Unpack: 1 << 30, Memory: 1 << 30, Level: 4},
	}, files
}

// InputWith is Input with options, for tests that do not ask what became of the files.
func InputWith(name string, data []byte, options format.Options) *format.Input {
	in, _ := Input(name, data)
	in.Options = options
	return in
}

// Zip packs files in their order.
func Zip(t testing.TB, files ...txtar.File) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ZipOf packs files by their names, in the order of those.
func ZipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var list []txtar.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, txtar.File{Name: name, Data: []byte(files[name])})
	}
	return Zip(t, list...)
}

// Parse parses bytes and finishes the document as convert does.
func Parse(t testing.TB, f format.Format, name string, data []byte) (*doc.Document, *Files, error) {
	t.Helper()
	in, files := Input(name, data)
	d, err := f.Parse(context.Background(), in)
	if err == nil {
		d.Finish()
	}
	return d, files, err
}

// MustParse is Parse for input that has to be read.
func MustParse(t testing.TB, f format.Format, name, text string) (*doc.Document, *Files) {
	t.Helper()
	d, files, err := Parse(t, f, name, []byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", name, err)
	}
	return d, files
}

// Head is what detection sees of the bytes.
func Head(t testing.TB, name string, data []byte) *format.Head {
	t.Helper()
	h, err := format.ReadHead(bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Fuzz is the fuzz target of a parser: whatever the bytes, there is a document or a fault with a kind, in time, and what every
// document promises holds. The seeds are the format's corpus and the given ones.
func Fuzz(f *testing.F, format format.Format, name string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	files, _ := filepath.Glob("../../../../tests/corpus/" + string(format.Name) + "/*")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 64<<10 && !strings.HasSuffix(file, ".txtar") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 1<<20 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if format.Match != nil {
			format.Match(Head(t, name, data))
		}
		in, _ := Input(name, data)
		d, err := format.Parse(ctx, in)
		if ctx.Err() != nil {
			t.Fatal("takes longer than 20 seconds")
		}
		if err != nil {
			if kind := fault.KindOf(err); kind == fault.Internal || kind == fault.Crash {
				t.Fatalf("error without a kind: %v", err)
			}
			return
		}
		d.Finish()
		Check(t, d)
	})
}

// Check reports what no document may have: text that is not UTF-8, links that run code, cells that overlap, references to nothing.
func Check(t testing.TB, d *doc.Document) {
	t.Helper()
	visit := func(b *doc.Block) bool {
		for _, in := range append(b.Inlines, b.Caption...) {
			if !utf8.ValidString(in.Text) {
				t.Errorf("text is not UTF-8: %q", in.Text)
			}
			if u, err := url.Parse(strings.TrimSpace(in.Link)); err == nil && (u.Scheme == "javascript" || u.Scheme == "vbscript" || u.Scheme == "data") {
				t.Errorf("unsafe link %q", in.Link)
			}
			if in.Kind == doc.Picture && d.Image(in.Image) == nil {
				t.Errorf("picture %q is not in Images", in.Image)
			}
			if in.Kind == doc.NoteReference && d.Note(in.Note) == nil {
				t.Errorf("note %q is not in Notes", in.Note)
			}
		}
		if b.Kind == doc.Heading && b.Level < 1 {
			t.Errorf("heading %q has level %d", b.PlainText(), b.Level)
		}
		CheckGrid(t, b.Table)
		return true
	}
	doc.Walk(d.Blocks, visit)
	for _, h := range d.Hidden {
		doc.Walk(h.Blocks, visit)
	}
	for _, n := range d.Notes {
		doc.Walk(n.Blocks, visit)
	}
}

// CheckGrid reports what no table may have: cells that reach out of it or overlap. Nil is no table.
func CheckGrid(t testing.TB, g *doc.Grid) {
	t.Helper()
	if g == nil || g.Rows*g.Columns > 1_000_000 {
		return
	}
	taken := map[[2]int]bool{}
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Row+c.Height() > g.Rows || c.Column+c.Width() > g.Columns {
			t.Errorf("cell %d,%d reaches out of its table of %d x %d", c.Row, c.Column, g.Rows, g.Columns)
			return
		}
		for y := c.Row; y < c.Row+c.Height(); y++ {
			for x := c.Column; x < c.Column+c.Width(); x++ {
				if taken[[2]int{y, x}] {
					t.Errorf("position %d,%d is covered twice", y, x)
					return
				}
				taken[[2]int{y, x}] = true
			}
		}
	}
}
