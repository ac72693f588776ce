package child

import (
	"os"
	"strconv"
	"syscall"
)

// unlinkedUse adds up files that a process holds open after it has removed their names: no walk would find them.
func unlinkedUse(pid int) int64 {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	var sum int64
	for _, entry := range entries {
		info, err := os.Stat(dir + "/" + entry.Name())
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink == 0 {
			sum += stat.Blocks * 512
		}
	}
	return sum
}
