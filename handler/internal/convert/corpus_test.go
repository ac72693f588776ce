package convert_test

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const corpus = "../../../tests/corpus"

// TestCorpus converts every document of tests/corpus and compares its Markdown with the golden file beside it.
//
// <name>.<ext> has its golden in <name>.md (for Markdown itself: <name>.golden.md). A <name>.<ext>.txtar is zipped first, so that
// Office documents can be read in review. A document that must fail has a golden of one line: "fault: kind".
func TestCorpus(t *testing.T) {
	converter := convert.New(all.Formats(all.Options{PDFCache: pdfCache(t)}), "test")
	seen := 0
	for _, file := range corpusFiles(t) {
		seen++
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), corpus+"/"), func(t *testing.T) {
			golden := goldenName(file)
			got := convertToMarkdown(t, converter, file)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("no golden file: run `make golden` and read the diff: %v", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
	if seen == 0 {
		t.Fatal("tests/corpus has no documents")
	}
}

func corpusFiles(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(corpus + "/*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	goldens := map[string]bool{}
	for _, f := range all {
		goldens[goldenName(f)] = true
	}
	var files []string
	for _, f := range all {
		if !goldens[f] || strings.HasSuffix(f, ".md") && filepath.Base(filepath.Dir(f)) == "markdown" && !strings.HasSuffix(f, ".golden.md") {
			files = append(files, f)
		}
	}
	return files
}

func goldenName(file string) string {
	base := strings.TrimSuffix(file, ".txtar")
	ext := filepath.Ext(base)
	if ext == ".md" {
		return strings.TrimSuffix(base, ext) + ".golden.md"
	}
	return strings.TrimSuffix(base, ext) + ".md"
}

func convertToMarkdown(t *testing.T, converter *convert.Converter, file string) string {
	t.Helper()
	input := file
	if strings.HasSuffix(file, ".txtar") {
		input = zipped(t, file)
	}
	source := job.Source{Path: filepath.Base(input), Size: -1}
	out := t.TempDir()
	_, err := converter.Convert(context.Background(), job.Request{
		Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: out,
	})
	if err != nil {
		return "fault: " + string(fault.KindOf(err)) + "\n"
	}
	text, err := os.ReadFile(filepath.Join(out, job.MarkdownFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// zipped makes a zip of a txtar archive. A member named "mimetype" comes first and uncompressed, as ODF and EPUB want it.
func zipped(t *testing.T, file string) string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, f := range archive.Files {
		method := zip.Deflate
		if f.Name == "mimetype" {
			method, f.Data = zip.Store, bytes.TrimSpace(f.Data)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(file), ".txtar"))
	if err := os.WriteFile(name, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func pdfCache(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	return filepath.Join(dir, "decant")
}
