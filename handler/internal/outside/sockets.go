package outside

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// socketFolders are the folders of the patterns.
func socketFolders(patterns []string) []string {
	folders := make([]string, len(patterns))
	for i, pattern := range patterns {
		folders[i] = filepath.Dir(pattern)
	}
	return folders
}

// sweepSockets removes sockets that programs left behind, as the cage lets them make some but remove none. One that a running program
// listens on is left alone: the kernel lists it.
func sweepSockets(patterns []string) {
	var left []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		left = append(left, found...)
	}
	if len(left) == 0 {
		return
	}
	used, ok := boundSockets()
	for _, path := range left {
		if info, err := os.Lstat(path); ok && err == nil && info.Mode().Type() == fs.ModeSocket && !used[path] {
			_ = os.Remove(path)
		}
	}
}

// boundSockets are the paths of all local sockets in use; false where that cannot be known.
func boundSockets() (map[string]bool, bool) {
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return nil, false
	}
	defer f.Close()
	used := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if at := strings.IndexByte(s.Text(), '/'); at >= 0 {
			used[s.Text()[at:]] = true
		}
	}
	return used, true
}
