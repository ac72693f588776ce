package local_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"decant/handler/internal/job"
	"decant/handler/internal/local"
)

// TestResultFolders: two documents never share a folder of results, whatever a file system makes of their names. Five files whose
// names differed in one sign that was replaced had left two results.
func TestResultFolders(t *testing.T) {
	long := strings.Repeat("é", 150)
	seen := map[string]string{}
	for _, name := range []string{
		"b.txt", "b_.txt", "b?.txt", "b<.txt", "b:.txt", "b\xff.txt", "b\xfe.txt", "b\uFFFD.txt", "b\n.txt", long + "1", long + "2", ".decant", "_.decant",
	} {
		dir := local.NewSink("out").Dir(job.Source{Path: name})
		if other, taken := seen[dir]; taken {
			t.Errorf("%q and %q share %s", name, other, dir)
		}
		seen[dir] = name
		if base := filepath.Base(dir); len(base) > 255 || !utf8.ValidString(base) {
			t.Errorf("%q: the folder %q is no name for every file system", name, base)
		}
	}
	if dir := local.NewSink("out").Dir(job.Source{Path: "letters/May 3.docx"}); dir != filepath.Join("out", "letters", "May 3.docx") {
		t.Errorf("a name without trouble became %s", dir)
	}
}
