package child_test

import (
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/child"
)

// TestWorkingDirectories: children that run one after the other share a working directory, and each finds it empty, whatever
// the one before left in it and however it ended.
func TestWorkingDirectories(t *testing.T) {
	r := newRunner(t, child.Options{})
	used := map[string]bool{}
	for _, text := range []string{"text a", "text b", "fill 1\ntext c", "panic", "fill 1\npanic", "text d", "text e"} {
		_, _, _ = r.Convert(t.Context(), request(t, text, small))
		dirs, err := filepath.Glob(filepath.Join(r.TempDir(), "child-*"))
		if err != nil || len(dirs) > 1 {
			t.Fatalf("%v, %v after %q: want one directory at most", dirs, err, text)
		}
		for _, dir := range dirs {
			used[dir] = true
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%q leaves %v, %v", text, left, err)
			}
		}
	}
	if len(used) == 0 || len(used) > 3 {
		t.Errorf("%d directories for seven children, two of which left files: want one that is used again", len(used))
	}
}
