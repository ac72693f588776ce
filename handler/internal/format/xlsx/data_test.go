package xlsx_test

import (
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/format"
)

// TestRealWorkbooks looks at what real files become; run with -v to read it.
func TestRealWorkbooks(t *testing.T) {
	files := shared("office/xls[xm]/src/*")
	if len(files) == 0 {
		t.Skip("../shared/data is not here")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := parse(t, content, format.Options{})
			if len(d.Blocks) == 0 {
				t.Error("no content")
			}
			t.Logf("%s\n%v", sketch(d.Blocks), d.Warnings)
		})
	}
}

// shared finds files of the measuring data, which lie beside the repository or beside its parent.
func shared(pattern string) []string {
	for _, up := range []string{"../../../../../shared/data/", "../../../../../../shared/data/"} {
		if files, _ := filepath.Glob(up + pattern); len(files) > 0 {
			return files
		}
	}
	return nil
}
