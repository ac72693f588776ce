package child

import (
	"io/fs"
	"path/filepath"
)

// maxEntries is how many files and directories a conversion may leave in one of its directories.
const maxEntries = 200_000

// diskUse adds up the files below a directory, in bytes of content. Directories count 4 KiB each, so that a million empty ones
// are not free. over is true as soon as the sum is above limit or there are too many entries; the walk ends there.
func diskUse(dir string, limit int64) (sum int64, over bool) {
	entries := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it was removed, or is not ours to read
		}
		entries++
		sum += entrySize(d)
		if over = sum > limit || entries > maxEntries; over {
			return fs.SkipAll
		}
		return nil
	})
	return sum, over
}

// directorySize is what a directory counts for, in bytes.
const directorySize = 4096

func entrySize(d fs.DirEntry) int64 {
	if d.IsDir() {
		return directorySize
	}
	info, err := d.Info()
	if err != nil {
		return 0
	}
	return info.Size()
}
