package docx_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/docx"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/markdown"
)

const corpus = "../../../../tests/corpus/docx/"

// memory keeps pictures and attachments as names only.
type memory struct{ images, attachments []string }

func (m *memory) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	m.images = append(m.images, source)
	return doc.Image{ID: fmt.Sprintf("image-%d", len(m.images)), MediaType: mediaType, Source: source, Alt: alt, Bytes: int64(len(data))}, nil
}

func (m *memory) Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error) {
	n, err := io.Copy(io.Discard, content)
	m.attachments = append(m.attachments, name)
	return doc.Attachment{Name: name, MediaType: mediaType, Bytes: n}, err
}

func input(data []byte, options format.Options) *format.Input {
	return &format.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Options: options, Files: &memory{}, Progress: func(int, int) {}}
}

// archive zips the parts of a txtar file.
func archive(t testing.TB, a *txtar.Archive) []byte {
	t.Helper()
	return formattest.Zip(t, a.Files...)
}

func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	a, err := txtar.ParseFile(corpus + name + ".docx.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return archive(t, a)
}

func parse(t *testing.T, data []byte, options format.Options) *doc.Document {
	t.Helper()
	d, err := docx.Parse(context.Background(), input(data, options))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func warnings(d *doc.Document) map[string]string {
	found := map[string]string{}
	for _, w := range d.Warnings {
		found[string(w.Class)] = w.Message
	}
	return found
}

func TestRevisions(t *testing.T) {
	tests := []struct{ view, want string }{
		{"accepted", "The price is 120 EUR.\n\nAlphaBeta\n\nBetween.\n\nMoved.\n\n| a | b |\n| --- | --- |\n| c | d |\n"},
		{"original", "The price is 100 EUR.\n\nAlpha\n\nBeta\n\nMoved.\n\nBetween.\n\n| a | b |\n| --- | --- |\n| gone | gone |\n| c | d |\n"},
	}
	for _, tt := range tests {
		t.Run(tt.view, func(t *testing.T) {
			d := parse(t, corpusFile(t, "tracked-changes"), format.Options{Revisions: tt.view})
			if diff := cmp.Diff(tt.want, markdown.Render(d, markdown.Options{}).Text); diff != "" {
				t.Error(diff)
			}
			if got := warnings(d)["tracked_changes"]; !strings.Contains(got, "(1 insertion, 3 deletions, 1 move)") {
				t.Errorf("report = %q", got)
			}
			first := doc.Annotation{Kind: "deletion", Author: "Ann", Date: "2026-01-02T03:04:05Z", Text: "100"}
			if diff := cmp.Diff(first, d.Annotations[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
	d := parse(t, corpusFile(t, "tracked-changes"), format.Options{Revisions: "marked"})
	want := []doc.Inline{doc.T("The price is "), {Kind: doc.Text, Text: "100", Marks: doc.Deleted}, {Kind: doc.Text, Text: "120", Marks: doc.Inserted}, doc.T(" EUR.")}
	if diff := cmp.Diff(want, d.Blocks[0].Inlines); diff != "" {
		t.Error(diff)
	}
}

func TestNotesAndComments(t *testing.T) {
	d := parse(t, corpusFile(t, "notes-comments-wrappers"), format.Options{})
	want := []doc.Annotation{{Kind: "comment", Author: "Ann", Date: "2026-01-02T03:04:05Z", Text: "check", Range: "Fact"}}
	if diff := cmp.Diff(want, d.Annotations); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"1", "e1"}, []string{d.Notes[0].ID, d.Notes[1].ID}); diff != "" {
		t.Error(diff)
	}
	if got := warnings(d)["missing_part"]; !strings.Contains(got, "rId99") {
		t.Errorf("missing_part = %q, want rId99 named", got)
	}
}

func TestNumbersApartFromText(t *testing.T) {
	d := parse(t, corpusFile(t, "numbering-as-printed"), format.Options{})
	scope := d.Blocks[1]
	if scope.Number != "1.1" || scope.PlainText() != "Scope" || scope.Level != 2 {
		t.Errorf("second heading = number %q, text %q, level %d", scope.Number, scope.PlainText(), scope.Level)
	}
}

func TestHiddenText(t *testing.T) {
	for view, want := range map[string]string{"exclude": "Open the door now →α", "include": "Open the door secretnow →α"} {
		d := parse(t, corpusFile(t, "fields-and-contents"), format.Options{Hidden: view})
		if got := d.Blocks[len(d.Blocks)-1].PlainText(); got != want {
			t.Errorf("Hidden %s: %q, want %q", view, got, want)
		}
		if hidden := len(d.Hidden) > 0; hidden != (view == "exclude") {
			t.Errorf("Hidden %s: kept apart = %v", view, hidden)
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want fault.Kind
	}{
		{"no zip", []byte("PK\x03\x04"), fault.Corrupt},
		{"package without a document", archive(t, &txtar.Archive{Files: []txtar.File{{Name: "a.txt", Data: []byte("x")}}}), fault.Corrupt},
		{"main part of another kind", archive(t, &txtar.Archive{Files: []txtar.File{{Name: "word/document.xml", Data: []byte("<html/>")}}}), fault.Corrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := docx.Parse(context.Background(), input(tt.data, format.Options{})); fault.KindOf(err) != tt.want {
				t.Errorf("Parse = %v, want %v", err, tt.want)
			}
		})
	}
}

// TestCutOff: a file that lost its end is read when its text is whole, and refused when it is not: half a contract is no contract.
func TestCutOff(t *testing.T) {
	body := "<w:document><w:body><w:p><w:r><w:t>All of the text.</w:t></w:r></w:p></w:body></w:document>"
	rels := `<Relationships><Relationship Id="r1" Type="x/image" Target="media/image1.png"/></Relationships>`
	whole := archive(t, &txtar.Archive{Files: []txtar.File{{Name: "word/_rels/document.xml.rels", Data: []byte(rels)}, {Name: "word/document.xml", Data: []byte(body)}, {Name: "word/media/image1.png", Data: bytes.Repeat([]byte("picture"), 100)}}})
	text := bytes.Index(whole, []byte("word/media"))
	d := parse(t, whole[:text+20], format.Options{})
	if len(d.Blocks) != 1 || warnings(d)["repaired"] == "" {
		t.Errorf("blocks %+v, warnings %v, want the text and that the file was cut off", d.Blocks, warnings(d))
	}
	if _, err := docx.Parse(context.Background(), input(whole[:text-60], format.Options{})); fault.KindOf(err) != fault.Corrupt {
		t.Errorf("cut off in the text: %v, want %v", err, fault.Corrupt)
	}
	numbered := corpusFile(t, "numbering-as-printed")
	if _, err := docx.Parse(context.Background(), input(numbered[:bytes.Index(numbered, []byte("word/numbering.xml"))], format.Options{})); fault.KindOf(err) != fault.Corrupt {
		t.Errorf("cut off before the numbers: %v, want %v", err, fault.Corrupt)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	body := "<w:document><w:body>" + strings.Repeat("<w:p><w:r><w:t>x</w:t></w:r></w:p>", 1000) + "</w:body></w:document>"
	data := archive(t, &txtar.Archive{Files: []txtar.File{{Name: "word/document.xml", Data: []byte(body)}}})
	if _, err := docx.Parse(ctx, input(data, format.Options{})); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("Parse = %v, want %v", err, fault.Interrupted)
	}
}

// FuzzBody feeds the main part, so that the zip around it does not stand in the way.
func FuzzBody(f *testing.F) {
	for _, name := range []string{"tracked-changes", "notes-comments-wrappers", "numbering-as-printed", "text-boxes-once", "tables-with-spans", "fields-and-contents", "equations", "chart-and-smartart"} {
		a, err := txtar.ParseFile(corpus + name + ".docx.txtar")
		if err != nil {
			f.Fatal(err)
		}
		var numbering, styles []byte
		var body []byte
		for _, file := range a.Files {
			switch file.Name {
			case "word/document.xml":
				body = file.Data
			case "word/numbering.xml":
				numbering = file.Data
			case "word/styles.xml":
				styles = file.Data
			}
		}
		f.Add(body, styles, numbering)
	}
	f.Fuzz(func(t *testing.T, body, styles, numbering []byte) {
		data := archive(t, &txtar.Archive{Files: []txtar.File{{Name: "word/document.xml", Data: body}, {Name: "word/styles.xml", Data: styles}, {Name: "word/numbering.xml", Data: numbering}}})
		d, err := docx.Parse(context.Background(), input(data, format.Options{}))
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v, error %v", d != nil, err)
		}
		if err != nil && fault.KindOf(err) == fault.Internal {
			t.Fatalf("no kind: %v", err)
		}
	})
}
