package odt_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/odt"
)

const corpus = "../../../../tests/corpus/odt/"

func input(data []byte, options format.Options) *format.Input {
	return formattest.InputWith("a.odt", data, options)
}

func parseCorpus(t *testing.T, name string, options format.Options) *doc.Document {
	t.Helper()
	a, err := txtar.ParseFile(corpus + name + ".odt.txtar")
	if err != nil {
		t.Fatal(err)
	}
	d, err := odt.Parse(context.Background(), input(formattest.Zip(t, a.Files...), options))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRevisions(t *testing.T) {
	for view, want := range map[string]string{"accepted": "The price is 120 EUR.", "original": "The price is 100 EUR.", "marked": "The price is 100120 EUR."} {
		d := parseCorpus(t, "notes-changes-comments", format.Options{Revisions: view})
		if got := d.Blocks[1].PlainText(); got != want {
			t.Errorf("%s: %q, want %q", view, got, want)
		}
	}
}

func TestAnnotationsAndHidden(t *testing.T) {
	d := parseCorpus(t, "notes-changes-comments", format.Options{})
	want := []doc.Annotation{
		{Kind: "comment", Author: "Ann", Text: "check", Range: "price"},
		{Kind: "deletion", Author: "Ann", Date: "2026-01-02T03:04:05", Text: "100"},
		{Kind: "insertion", Author: "Ann", Date: "2026-01-02T03:04:05"},
	}
	if diff := cmp.Diff(want, d.Annotations); diff != "" {
		t.Error(diff)
	}
	if len(d.Hidden) != 1 || d.Hidden[0].Blocks[0].PlainText() != "secret" {
		t.Errorf("Hidden = %+v, want the hidden section", d.Hidden)
	}
}

func TestMetadata(t *testing.T) {
	m := parseCorpus(t, "white-space-looks-frames", format.Options{}).Metadata
	if m.Title != "The Title" || m.Created != "2026-01-02T03:04:05" || cmp.Diff([]string{"Ann"}, m.Authors) != "" {
		t.Errorf("Metadata = %+v", m)
	}
}

// TestFlat reads the same content as one XML file without a package.
func TestFlat(t *testing.T) {
	flat := `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text">
<office:body><office:text><text:h text:outline-level="2">Flat</text:h><text:p>text</text:p></office:text></office:body></office:document>`
	d, err := odt.Parse(context.Background(), input([]byte(flat), format.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]doc.Block{doc.H(2, "Flat"), doc.P("text")}, d.Blocks); diff != "" {
		t.Error(diff)
	}
}

func TestFaults(t *testing.T) {
	for name, data := range map[string][]byte{"no content": formattest.Zip(t, txtar.File{Name: "a", Data: []byte("x")}), "not XML": []byte("hello"), "a spreadsheet": formattest.Zip(t, txtar.File{Name: "content.xml", Data: []byte("<x/>")})} {
		if _, err := odt.Parse(context.Background(), input(data, format.Options{})); fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%s: %v, want %v", name, err, fault.Corrupt)
		}
	}
}

func FuzzContent(f *testing.F) {
	files, _ := filepath.Glob(corpus + "*.txtar")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range a.Files {
			if part.Name == "content.xml" {
				f.Add(part.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := odt.Parse(context.Background(), input(formattest.Zip(t, txtar.File{Name: "content.xml", Data: content}), format.Options{Revisions: "original"}))
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", d != nil, err)
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("no kind: %v", err)
		}
	})
}
