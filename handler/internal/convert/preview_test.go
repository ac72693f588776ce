package convert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"encoding/base64"

	"decant/handler/internal/chunk"
	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/pdftest"
)

// twoPages is a PDF with a heading and text on each page, and a ruled table on the second.
func twoPages() []byte {
	file := pdftest.New()
	var one, two pdftest.Content
	one.Text("F2", 20, 72, 720, "Harbour")
	for i := range 12 {
		one.Text("F1", 11, 72, 680-float64(i)*14, fmt.Sprintf("The gauge in the harbour was read %d times that day by the keeper.", i+2))
	}
	file.Page(one.String())
	two.Text("F2", 20, 72, 720, "Estuary")
	two.Text("F1", 11, 72, 690, "The gauge in the estuary stands in mud and is read once a day.")
	two.Grid([]float64{72, 200, 330}, []float64{640, 620, 600, 580})
	for row, words := range [][2]string{{"Station", "Level"}, {"North", "14"}, {"South", "15"}} {
		two.Text("F1", 11, 80, 625-20*float64(row), words[0])
		two.Text("F1", 11, 210, 625-20*float64(row), words[1])
	}
	file.Page(two.String())
	return file.Bytes()
}

// outputsOf converts a document with the given outputs and gives the result folder.
func outputsOf(t *testing.T, name string, content []byte, options job.Options) (string, job.Result) {
	t.Helper()
	input := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(input, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	source := job.Source{Path: name, Size: -1}
	converter := convert.New(all.Formats(all.Options{PDFCache: pdfCache(t)}), "test")
	result, err := converter.Convert(context.Background(), job.Request{Job: job.Job{ID: source.ID(), Source: source, Options: options}, Input: input, OutDir: out})
	if err != nil {
		t.Fatal(err)
	}
	return out, result
}

func TestOnlyWhatIsWantedIsWritten(t *testing.T) {
	for _, outputs := range [][]string{{"md"}, {"docling"}, {"preview"}, {"chunks", "preview"}, job.OutputNames()} {
		out, result := outputsOf(t, "note.md", []byte("# One\n\nSome words.\n"), job.Options{Outputs: outputs})
		var want, got []string
		for _, o := range job.Outputs() {
			if slices.Contains(outputs, o.Name) {
				want = append(want, o.File)
			}
		}
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Name())
		}
		slices.Sort(want)
		if !slices.Equal(got, want) || len(result.Files) != len(want) {
			t.Errorf("outputs %v: files %v, want %v; the result names %d", outputs, got, want, len(result.Files))
		}
	}
}

func TestDoclingHasTheDocument(t *testing.T) {
	out, _ := outputsOf(t, "two.pdf", twoPages(), job.Options{Outputs: []string{"docling"}})
	var d struct {
		SchemaName string `json:"schema_name"`
		Name       string
		Texts      []struct{ Label, Text string }
		Tables     []struct {
			Data struct {
				Rows int `json:"num_rows"`
			}
		}
		Pages map[string]struct{ Size struct{ Width float64 } }
	}
	if err := json.Unmarshal(read(t, filepath.Join(out, job.DoclingFile)), &d); err != nil {
		t.Fatal(err)
	}
	if d.SchemaName != "DoclingDocument" || d.Name != "two.pdf" || len(d.Pages) != 2 || d.Pages["1"].Size.Width != 612 || len(d.Tables) != 1 || d.Tables[0].Data.Rows != 3 {
		t.Errorf("%+v", d)
	}
	if !slices.ContainsFunc(d.Texts, func(x struct{ Label, Text string }) bool { return x.Label == "section_header" && x.Text == "Estuary" }) {
		t.Errorf("no heading Estuary in %+v", d.Texts)
	}
}

var pictured = regexp.MustCompile(`data:image/png;base64,([A-Za-z0-9+/=\\u]+)"`)

// TestPreviewShowsPages looks for a picture of each page, of the size of the page, with ink where a chunk's box is.
func TestPreviewShowsPages(t *testing.T) {
	out, _ := outputsOf(t, "two.pdf", twoPages(), job.Options{Outputs: []string{"chunks", "preview"}, MaxTokens: 64})
	pictures := pictured.FindAllStringSubmatch(string(read(t, filepath.Join(out, job.PreviewFile))), -1)
	if len(pictures) != 2 {
		t.Fatalf("%d pictures of 2 pages", len(pictures))
	}
	chunks := chunksIn(t, out)
	for i, p := range pictures {
		text := strings.NewReplacer(`\u002b`, "+", `\u003d`, "=", `\/`, "/").Replace(p[1])
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		bounds := picture.Bounds()
		if bounds.Dx() != 765 || bounds.Dy() != 990 {
			t.Errorf("page %d: %v, want 8.5 x 11 inches at 90 dpi", i+1, bounds)
		}
		boxes := 0
		for _, c := range chunks {
			for _, b := range c.Boxes {
				if b.Page != i+1 {
					continue
				}
				boxes++
				ink := false
				for y := int(b.Y0 * 1.25); y < int(b.Y1*1.25); y++ {
					for x := int(b.X0 * 1.25); x < int(b.X1*1.25); x++ {
						r, _, _, _ := picture.At(x, y).RGBA()
						ink = ink || r < 0x8000
					}
				}
				if !ink {
					t.Errorf("page %d: no ink in %+v", b.Page, b)
				}
			}
		}
		if boxes == 0 {
			t.Errorf("no chunk has a box on page %d", i+1)
		}
	}
}

func chunksIn(t *testing.T, out string) []chunk.Chunk {
	t.Helper()
	var chunks []chunk.Chunk
	lines := json.NewDecoder(bytes.NewReader(read(t, filepath.Join(out, job.ChunksFile))))
	for lines.More() {
		var c chunk.Chunk
		if err := lines.Decode(&c); err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Boxes {
			if b.Page < 1 {
				t.Errorf("chunk %d has a box on no page: %+v", c.Index, b)
			}
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// TestPreviewOfPDFInBrowser clicks the last chunk in Chromium, where there is one, and looks for its boxes over the picture of page 2.
func TestPreviewOfPDFInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	out, _ := outputsOf(t, "two.pdf", twoPages(), job.Options{Outputs: []string{"chunks", "preview"}, MaxTokens: 64})
	html := string(read(t, filepath.Join(out, job.PreviewFile)))
	chunks := chunksIn(t, out)
	last := chunks[len(chunks)-1]
	if len(last.Boxes) < 6 {
		t.Fatalf("the table's chunk has %d boxes", len(last.Boxes))
	}
	click := fmt.Sprintf(`<script>document.getElementById('chunk-%d').click();</script></body>`, last.Index)
	file := filepath.Join(t.TempDir(), "preview.html")
	if err := os.WriteFile(file, []byte(strings.Replace(html, "</body>", click, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	dom, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	_, aside, _ := strings.Cut(string(dom), "<aside")
	aside, _, _ = strings.Cut(aside, "</aside>")
	if got := strings.Count(aside, "<rect"); got != len(last.Boxes) {
		t.Errorf("%d boxes are shown, the chunk has %d", got, len(last.Boxes))
	}
	for _, want := range []string{"Page 2", "<image", `viewBox="0 0 612 792"`, fmt.Sprintf(`x="%v"`, last.Boxes[0].X0)} {
		if !strings.Contains(aside, want) {
			t.Errorf("the place lacks %q", want)
		}
	}
}
