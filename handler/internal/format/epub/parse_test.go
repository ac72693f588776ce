package epub_test

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
	"decant/handler/internal/format/epub"
	"decant/handler/internal/format/formattest"
)

const corpus = "../../../../tests/corpus/epub/"

func input(data []byte) *format.Input {
	return formattest.InputWith("a.epub", data, format.Options{})
}

func files(t testing.TB, name string) []txtar.File {
	t.Helper()
	a, err := txtar.ParseFile(corpus + name + ".epub.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return a.Files
}

func TestMetadataAndChapters(t *testing.T) {
	d, err := epub.Parse(context.Background(), input(formattest.Zip(t, files(t, "paths-and-spine-order")...)))
	if err != nil {
		t.Fatal(err)
	}
	m := d.Metadata
	m.Sources = nil
	want := doc.Metadata{Title: "A Book", Authors: []string{"Ann", "Bob"}, Language: "en", Confidence: 1, Identifiers: []doc.Identifier{{Scheme: "isbn", Value: "9780000000002", Source: "package document"}}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	var got []string
	for _, b := range d.Blocks {
		got = append(got, b.Label+" "+b.Places[0].Part)
	}
	if diff := cmp.Diff([]string{"Second file Text/ch 2.xhtml", "First file Text/ch1.xhtml", " Text/extra.xhtml"}, got); diff != "" {
		t.Error(diff)
	}
	if len(d.Warnings) != 1 || d.Warnings[0].Class != "missing_part" || !strings.Contains(d.Warnings[0].Message, "gone.xhtml") {
		t.Errorf("Warnings = %+v, want the missing chapter named", d.Warnings)
	}
}

func TestFaults(t *testing.T) {
	noSpine := []txtar.File{{Name: "book.opf", Data: []byte("<package><manifest/><spine/></package>")}}
	for name, tt := range map[string]struct {
		files []txtar.File
		want  fault.Kind
	}{
		"no package document": {[]txtar.File{{Name: "a.txt", Data: []byte("x")}}, fault.Corrupt},
		"nothing to read":     {noSpine, fault.Corrupt},
		"protected":           {files(t, "drm-protected"), fault.Encrypted},
	} {
		if _, err := epub.Parse(context.Background(), input(formattest.Zip(t, tt.files...))); fault.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func FuzzBook(f *testing.F) {
	names, _ := filepath.Glob(corpus + "*.txtar")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parts := txtar.Parse(data).Files
		for _, p := range parts {
			if strings.HasPrefix(p.Name, "/") || strings.HasSuffix(p.Name, "/") || p.Name == "" || len(p.Name) > 200 {
				return
			}
		}
		d, err := epub.Parse(context.Background(), input(formattest.Zip(t, parts...)))
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", d != nil, err)
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("no kind: %v", err)
		}
	})
}
