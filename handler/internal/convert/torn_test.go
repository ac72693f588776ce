package convert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

// TestTornPackages holds that a broken document is told about by the format of its name, not by the archive format.
func TestTornPackages(t *testing.T) {
	converter := convert.New(all.Formats(all.Options{}), "test")
	for _, ext := range []string{".docx", ".xlsx", ".xlsm", ".pptx", ".odt", ".ods", ".odp", ".epub"} {
		t.Run(ext, func(t *testing.T) {
			input := filepath.Join(t.TempDir(), "broken"+ext)
			if err := os.WriteFile(input, []byte("PK\x03\x04 this is no package at all"), 0o600); err != nil {
				t.Fatal(err)
			}
			source := job.Source{Path: "broken" + ext, Size: -1}
			_, err := converter.Convert(t.Context(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: t.TempDir()})
			if fault.KindOf(err) != fault.Corrupt || strings.Contains(err.Error(), "Pack it again") || strings.Contains(err.Error(), "archive") {
				t.Errorf("%v: want corrupt, and no talk of archives", err)
			}
		})
	}
}
