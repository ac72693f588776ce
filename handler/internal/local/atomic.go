package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"

	"decant/handler/internal/fault"
)

// withLock runs work while holding the lock file, which others on this machine respect; it makes the file's folder.
func withLock(file string, work func() error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return storage(err)
	}
	lock := flock.New(file)
	if err := lock.Lock(); err != nil {
		return storage(fmt.Errorf("lock %s: %w", filepath.Base(file), err))
	}
	defer lock.Unlock()
	return work()
}

// writeFile puts content at file, at once: readers see the old content or the new.
func writeFile(file string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return storage(err)
	}
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		os.Remove(temp.Name())
		return storage(err)
	}
	return nil
}

// storage gives an error on the results folder, or on what decant keeps in it, its kind.
func storage(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "", err)
	case errors.Is(err, syscall.ENOSPC):
		return fault.From(err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fault.New(fault.Storage, fmt.Sprintf("The results folder cannot be read or written (%v). Make it writable for this user, or choose another folder with --out.", err), err)
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.New(fault.Storage, "The folder cannot be read or written. Check that it exists, that you may write there, and that the disk has room.", err)
}
