// Package lockdir keeps folders that belong to one process: each is locked as long as its owner lives, and the next process
// removes those whose owner was killed.
//
//	lockdir.Sweep(base, "at-work-*", remove)  // what killed owners left
//	path, err := os.MkdirTemp(base, "at-work-")
//	lock, err := lockdir.Lock(path)           // until lock.Close, or the process ends
//
// A lock, unlike a pid, also tells the truth when two containers share a folder.
package lockdir

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// emptyFor is how old an empty folder must be to count as left behind: a younger one may be about to be locked.
const emptyFor = 10 * time.Minute

// Lock locks a folder without waiting. The lock lasts until the file is closed. An error says that somebody has the lock, or that
// the file system has none.
func Lock(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Sweep removes the folders below base whose names match pattern and whose owners are gone: their locks are free. Where a file
// system has no locks, nothing is removed.
func Sweep(base, pattern string, remove func(path string)) {
	left, _ := filepath.Glob(filepath.Join(base, pattern))
	for _, path := range left {
		lock, err := Lock(path)
		if err != nil {
			continue
		}
		info, err := lock.Stat()
		if entries, _ := os.ReadDir(path); len(entries) > 0 || err == nil && time.Since(info.ModTime()) > emptyFor {
			remove(path)
		}
		lock.Close()
	}
}
