package rtf_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/rtf"
)

const corpus = "../../../../tests/corpus/rtf/"

// nowhere counts pictures and keeps nothing.
type nowhere struct{ images [][]byte }

func (n *nowhere) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	n.images = append(n.images, bytes.Clone(data))
	return doc.Image{ID: "image-1", MediaType: mediaType}, nil
}

func (n *nowhere) Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error) {
	return doc.Attachment{Name: name}, nil
}

func input(data string, options format.Options) (*format.Input, *nowhere) {
	files := &nowhere{}
	return &format.Input{ReaderAt: strings.NewReader(data), Size: int64(len(data)), Options: options, Files: files, Progress: func(int, int) {}}, files
}

func parse(t *testing.T, data string, options format.Options) *doc.Document {
	t.Helper()
	in, _ := input(data, options)
	d, err := rtf.Parse(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(corpus + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRevisions(t *testing.T) {
	for view, want := range map[string]string{"accepted": "The price is 120 EUR.", "original": "The price is 100 EUR.", "marked": "The price is 100120 EUR."} {
		d := parse(t, read(t, "notes-fields-changes.rtf"), format.Options{Revisions: view})
		if got := d.Blocks[1].PlainText(); got != want {
			t.Errorf("%s: %q, want %q", view, got, want)
		}
	}
}

func TestBesideTheBody(t *testing.T) {
	d := parse(t, read(t, "notes-fields-changes.rtf"), format.Options{})
	want := []doc.Annotation{
		{Kind: "deletion", Author: "Ann", Text: "100"}, {Kind: "insertion", Author: "Ann", Text: "120"},
		{Kind: "comment", Author: "Ann", Text: "check", Range: "remark"},
	}
	if diff := cmp.Diff(want, d.Annotations); diff != "" {
		t.Error(diff)
	}
	if len(d.Furniture) != 1 || d.Furniture[0].PlainText() != "Running head" {
		t.Errorf("Furniture = %+v", d.Furniture)
	}
}

func TestMetadata(t *testing.T) {
	m := parse(t, read(t, "code-pages-and-unicode.rtf"), format.Options{}).Metadata
	if diff := cmp.Diff(doc.Metadata{Title: "Code pages", Authors: []string{"Ann"}, Created: "2026-01-02T03:04:00"}, m); diff != "" {
		t.Error(diff)
	}
}

func TestPictures(t *testing.T) {
	tests := map[string]string{
		"hexadecimal":       `{\rtf1 {\pict\pngblip\picw1 61 6263}\par}`,
		"binary":            "{\\rtf1 {\\pict\\pngblip\\bin3 abc}\\par}",
		"new and old form":  `{\rtf1 {\*\shppict{\pict\pngblip 616263}}{\nonshppict{\pict\wmetafile8 ffff}}\par}`,
		"in a shape":        `{\rtf1 {\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\pngblip 616263}}}}{\shprslt{\pict\wmetafile8 ffff}}}\par}`,
		"with its own text": `{\rtf1 {\pict{\*\picprop{\sp{\sn wzName}{\sv name}}}\pngblip 616263}\par}`,
	}
	for name, data := range tests {
		in, files := input(data, format.Options{})
		d, err := rtf.Parse(context.Background(), in)
		if err != nil {
			t.Fatal(name, err)
		}
		if len(files.images) != 1 || string(files.images[0]) != "abc" || len(d.Blocks) != 1 || d.Blocks[0].Kind != doc.Figure {
			t.Errorf("%s: pictures %q, blocks %+v", name, files.images, d.Blocks)
		}
	}
}

// What a picture shows is told in its own properties, or in those of the shape around it, before or after the picture.
func TestAlternativeText(t *testing.T) {
	const pict = `{\pict\pngblip 616263}`
	tests := map[string]string{
		"own property":       `{\rtf1 a {\pict{\*\picprop{\sp{\sn wzDescription}{\sv A red\'a0dot}}}\pngblip 616263}\par}`,
		"shape, text before": `{\rtf1 a {\shp{\*\shpinst{\sp{\sn wzDescription}{\sv A red dot}}{\sp{\sn pib}{\sv ` + pict + `}}}}\par}`,
		"shape, text after":  `{\rtf1 a {\shp{\*\shpinst{\sp{\sn pib}{\sv ` + pict + `}}{\sp{\sn wzDescription}{\sv A red dot}}}}\par}`,
	}
	for name, data := range tests {
		last := parse(t, data, format.Options{}).Blocks[0].Inlines
		if got := last[len(last)-1]; got.Kind != doc.Picture || got.Text != "A red dot" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	d := parse(t, `{\rtf1 {\shp{\*\shpinst{\sp{\sn wzDescription}{\sv A line}}}}b `+pict+`\par}`, format.Options{})
	if got := d.Blocks[0].Inlines[1].Text; got != "" {
		t.Errorf("another shape's description %q was taken", got)
	}
}

// RTF stores a bitmap without the header that makes it a file.
func TestBitmapGetsItsFileHeader(t *testing.T) {
	header := "28000000" + "02000000" + "01000000" + "0100" + "0800" + "00000000" + strings.Repeat("0", 40)
	in, files := input(`{\rtf1 {\pict\dibitmap0 `+header+`}\par}`, format.Options{})
	if _, err := rtf.Parse(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	got := files.images[0]
	if size, start := len(got), 14+40+4*256; string(got[:2]) != "BM" || size != 14+40 || int(got[10])|int(got[11])<<8 != start {
		t.Errorf("% x", got)
	}
}

func TestFaults(t *testing.T) {
	for data, want := range map[string]fault.Kind{"": fault.Empty, "no rich text": fault.Corrupt} {
		in, _ := input(data, format.Options{})
		if _, err := rtf.Parse(context.Background(), in); fault.KindOf(err) != want {
			t.Errorf("Parse(%q) = %v, want %v", data, err, want)
		}
	}
}

func TestDeepGroups(t *testing.T) {
	data := `{\rtf1 ` + strings.Repeat("{", 100_000) + "deep" + strings.Repeat("}", 100_000) + `\par}`
	d := parse(t, data, format.Options{})
	if got := d.Blocks[0].PlainText(); got != "deep" {
		t.Errorf("text = %q", got)
	}
}

// TestDeepStories: text in more notes or text boxes than are followed was in no output, without a word.
func TestDeepStories(t *testing.T) {
	for _, open := range []string{`{\footnote `, `{\shp{\*\shpinst{\shptxt `, `{\*\annotation `, `{\footer `} {
		for _, levels := range []int{3, 50, 51, 80} {
			data := `{\rtf1 top ` + strings.Repeat(open, levels) + "innermost" + strings.Repeat("}", strings.Count(open, "{")*levels) + ` end\par}`
			d := parse(t, data, format.Options{})
			all := append(append([]doc.Block{}, d.Blocks...), d.Furniture...)
			for _, n := range d.Notes {
				all = append(all, n.Blocks...)
			}
			var got strings.Builder
			doc.Walk(all, func(b *doc.Block) bool {
				got.WriteString(b.PlainText() + " ")
				return true
			})
			for _, a := range d.Annotations {
				got.WriteString(a.Text + " ")
			}
			flattened := slices.ContainsFunc(d.Warnings, func(w doc.Warning) bool { return w.Class == "nesting_flattened" })
			if !strings.Contains(got.String(), "innermost") || flattened != (levels > 50) {
				t.Errorf("%s %d levels: text %q, warnings %v", open, levels, got.String(), d.Warnings)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob(corpus + "*.rtf")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, data string) {
		in, _ := input(data, format.Options{Revisions: "marked"})
		d, err := rtf.Parse(context.Background(), in)
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", d != nil, err)
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("no kind: %v", err)
		}
	})
}
