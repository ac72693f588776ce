package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnFolder keeps the compiled PDF engine, which is native code, out of folders that others may write to.
func TestOwnFolder(t *testing.T) {
	dir := t.TempDir()
	fresh := filepath.Join(dir, "fresh")
	if err := ownFolder(fresh); err != nil {
		t.Errorf("a fresh folder was refused: %v", err)
	}
	if err := ownFolder(fresh); err != nil {
		t.Errorf("our own folder was refused: %v", err)
	}
	open := filepath.Join(dir, "open")
	must(t, os.Mkdir(open, 0o700))
	must(t, os.Chmod(open, 0o777))
	if ownFolder(open) == nil {
		t.Error("a folder that everybody may write to was accepted")
	}
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(fresh, link))
	if ownFolder(link) == nil {
		t.Error("a link was accepted")
	}
}
