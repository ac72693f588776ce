package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"decant/handler/internal/lockdir"
)

// tempPattern names a runner's directory below Options.TempDir; the children's working directories are in it.
const tempPattern = "decant-runner-"

// tempDir is a directory that is locked as long as its process lives.
type tempDir struct {
	path string
	lock *os.File
}

// newTempDir makes a locked directory, and removes those of runners that were killed: their lock is free.
func newTempDir(base string) (*tempDir, error) {
	lockdir.Sweep(base, tempPattern+"*", removeAll)
	path, err := os.MkdirTemp(base, tempPattern)
	if err != nil {
		return nil, fmt.Errorf("make temporary directory: %w", err)
	}
	lock, err := lockdir.Lock(path)
	if err != nil {
		os.RemoveAll(path)
		return nil, fmt.Errorf("lock temporary directory: %w", err)
	}
	return &tempDir{path: path, lock: lock}, nil
}

func (d *tempDir) close() {
	if d != nil {
		removeAll(d.path)
		d.lock.Close()
	}
}

// workDirs are the children's working directories. One that is empty when its child has ended serves the next one: making and
// removing a directory costs more than a small document's conversion.
type workDirs struct {
	base string
	mu   sync.Mutex
	free []string
}

func (w *workDirs) take() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.free); n > 0 {
		dir := w.free[n-1]
		w.free = w.free[:n-1]
		return dir, nil
	}
	return os.MkdirTemp(w.base, "child-")
}

// giveBack takes the directory of a child that has ended. It is removed with what is in it, unless there is nothing in it and
// nobody is left who could put something there: a child that can start processes may have.
func (w *workDirs) giveBack(dir string, alone bool) {
	if !alone || !isEmpty(dir) {
		removeAll(dir)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = append(w.free, dir)
}

func isEmpty(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return errors.Is(err, io.EOF)
}
