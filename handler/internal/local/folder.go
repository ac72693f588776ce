package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
)

// Writable tries whether results can be written to the sink's folder, which must be there, and leaves nothing behind. The error is
// a fault of the kind Storage that names the folder.
func (s *Sink) Writable() error {
	dir := filepath.Join(s.root, ownDir)
	if _, err := os.Lstat(dir); err != nil {
		dir = s.root
	}
	probe, err := os.MkdirTemp(dir, ".probe-*")
	if err == nil {
		err = os.Remove(probe)
	}
	if err == nil {
		return nil
	}
	reason := err
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		reason = inner.Err
	}
	return fault.New(fault.Storage, fmt.Sprintf("Results cannot be written to the folder %s (%v). Make it writable for this user, or choose another folder with --out.", s.root, reason), err)
}

// HoldsResults tells whether a folder is one of results: decant's own folder in it has records, as every run leaves them. A folder
// of somebody else's that has the same name is none.
func HoldsResults(dir string) bool {
	shards, err := os.ReadDir(filepath.Join(dir, ownDir, "records"))
	if err != nil {
		return false
	}
	for _, shard := range shards {
		if !shard.IsDir() || len(shard.Name()) != 2 {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, ownDir, "records", shard.Name(), shardLock)); err == nil {
			return true
		}
	}
	return false
}
