package local

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// TestFolderThatTakesNothing: what may not be written is the folder of results, not the document.
func TestFolderThatTakesNothing(t *testing.T) {
	for _, reason := range []error{syscall.EACCES, syscall.EPERM, syscall.EROFS} {
		err := storage(&fs.PathError{Op: "mkdir", Path: "out/.decant", Err: reason})
		if f := fault.From(err); f.Kind != fault.Storage || !strings.Contains(f.Message, "out/.decant: "+reason.Error()) || !strings.Contains(f.Message, "--out") {
			t.Errorf("%v: %s: %s", reason, f.Kind, f.Message)
		}
	}
	for _, err := range []error{unreadable(&fs.PathError{Op: "open", Path: "a.md", Err: syscall.EACCES})} {
		if fault.KindOf(err) != fault.Denied {
			t.Errorf("a source that may not be read: %v", err)
		}
	}
}

// TestWritable: a folder is tried out without a trace.
func TestWritable(t *testing.T) {
	root := t.TempDir()
	if err := NewSink(root).Writable(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := NewSink(root + "/none").Writable(); fault.KindOf(err) != fault.Storage {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestHoldsResults: a folder of results is known by what decant keeps in it, not by a name alone.
func TestHoldsResults(t *testing.T) {
	root := t.TempDir()
	if HoldsResults(root) {
		t.Error("an empty folder holds results")
	}
	if err := os.MkdirAll(root+"/.decant/records", 0o755); err != nil {
		t.Fatal(err)
	}
	if HoldsResults(root) {
		t.Error("a folder whose .decant has none of decant's records holds results")
	}
	src := job.Source{Path: "a.md"}
	err := NewStore(root+"/.decant/records").locked(src.ID(), func() error { return errors.New("as a command that was killed at once") })
	if err == nil || !HoldsResults(root) {
		t.Errorf("a folder with records of decant holds no results (%v)", err)
	}
}
