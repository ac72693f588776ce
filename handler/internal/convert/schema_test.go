package convert_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

const schemas = "../../../docs/schemas/"

// TestResultsKeepTheContract converts the samples and the corpus and holds every document.json and chunk to its published schema.
func TestResultsKeepTheContract(t *testing.T) {
	document, chunk := schema(t, "document"), schema(t, "chunk")
	converter := convert.New(all.Formats(all.Options{PDFCache: pdfCache(t)}), "test")
	files, err := filepath.Glob("../../../samples/*.*")
	if err != nil || len(files) < 12 {
		t.Fatalf("samples: %d files, %v", len(files), err)
	}
	checked := 0
	for _, file := range append(files, corpusFiles(t)...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			input := file
			if filepath.Ext(file) == ".txtar" {
				input = zipped(t, file)
			}
			source := job.Source{Path: filepath.Base(input), Size: -1}
			out := t.TempDir()
			_, err := converter.Convert(context.Background(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: out})
			if err != nil {
				if kind := fault.KindOf(err); kind == fault.Internal || kind == fault.Crash {
					t.Errorf("%v", err)
				}
				return
			}
			checked++
			validate(t, document, read(t, filepath.Join(out, job.JSONFile)))
			lines := bufio.NewScanner(bytes.NewReader(read(t, filepath.Join(out, job.ChunksFile))))
			lines.Buffer(nil, 16<<20)
			for lines.Scan() {
				validate(t, chunk, lines.Bytes())
			}
			if err := lines.Err(); err != nil {
				t.Error(err)
			}
		})
	}
	if checked < 10 {
		t.Errorf("only %d documents were converted", checked)
	}
}

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemas + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("not JSON: %v\n%.200s", err, text)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%v", err)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
