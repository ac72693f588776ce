package fb2_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/fb2"
	"decant/handler/internal/format/formattest"
)

const corpus = "../../../../tests/corpus/fb2/"

func input(data []byte) *format.Input {
	return formattest.InputWith("a.fb2", data, format.Options{})
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(corpus + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestMetadataNotesPictures(t *testing.T) {
	d, err := fb2.Parse(context.Background(), input(read(t, "sections-notes-and-poems.fb2")))
	if err != nil {
		t.Fatal(err)
	}
	want := doc.Metadata{
		Title: "The Book", Authors: []string{"Anna Smith"}, Created: "1901-02-03", Language: "en", Confidence: 1, Keywords: []string{"prose"},
		Identifiers: []doc.Identifier{{Scheme: "isbn", Value: "9780000000002", Source: "publish-info"}},
	}
	if diff := cmp.Diff(want, d.Metadata); diff != "" {
		t.Error(diff)
	}
	if len(d.Images) != 1 || d.Images[0].Bytes == 0 || len(d.Notes) != 1 {
		t.Errorf("images %+v, notes %+v", d.Images, d.Notes)
	}
	classes := map[doc.Class]bool{}
	for _, w := range d.Warnings {
		classes[w.Class] = true
	}
	if !classes["missing_part"] || !classes["unsafe_link"] {
		t.Errorf("Warnings = %+v, want the missing picture and the unsafe link", d.Warnings)
	}
}

func TestZipped(t *testing.T) {
	d, err := fb2.Parse(context.Background(), input(formattest.Zip(t, txtar.File{Name: "book.fb2", Data: read(t, "sections-notes-and-poems.fb2")})))
	if err != nil || d.Metadata.Title != "The Book" {
		t.Errorf("Parse = %+v, %v", d, err)
	}
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		want fault.Kind
	}{
		"empty":              {nil, fault.Empty},
		"other XML":          {[]byte("<html/>"), fault.Corrupt},
		"a zip of something": {formattest.Zip(t, txtar.File{Name: "a.txt", Data: []byte("x")}), fault.Corrupt},
	} {
		if _, err := fb2.Parse(context.Background(), input(tt.data)); fault.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	names, _ := filepath.Glob(corpus + "*.fb2")
	for _, name := range names {
		f.Add(read(f, strings.TrimPrefix(name, corpus)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := fb2.Parse(context.Background(), input(data))
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", d != nil, err)
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("no kind: %v", err)
		}
	})
}
