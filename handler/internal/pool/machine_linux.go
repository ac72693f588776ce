package pool

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Detect reads the cores and the memory that this process may use: the tightest cgroup limit (version 2 or 1), else /proc/meminfo.
func Detect() Machine { return detect("/") }

// detect reads below root, which tests replace.
func detect(root string) Machine {
	m := Machine{Cores: runtime.GOMAXPROCS(0), Source: "meminfo", root: root}
	m.Memory, _ = meminfo(root, "MemTotal:")
	for _, limit := range cgroupLimits(root) {
		if limit > 0 && (m.Memory == 0 || limit < m.Memory) {
			m.Memory, m.Source = limit, "cgroup"
		}
	}
	return m
}

// cgroupLimits lists the limits of this process's groups and all of their parents, as the tightest of them holds.
func cgroupLimits(root string) (limits []int64) {
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(groups)) {
		// hierarchy:controllers:path, cgroups(7)
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		dir, file := "", ""
		switch {
		case parts[0] == "0":
			dir, file = "sys/fs/cgroup", "memory.max"
		case hasWord(parts[1], "memory"):
			dir, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for path := filepath.Clean("/" + parts[2]); ; path = filepath.Dir(path) {
			limits = append(limits, number(filepath.Join(root, dir, path, file)))
			if path == "/" {
				break
			}
		}
	}
	return limits
}

func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// number reads a file with one number; 0 for "max", for version 1's way to say so, and when there is none.
func number(file string) int64 {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(content)), 10, 64)
	if err != nil || n >= math.MaxInt64>>1 {
		return 0
	}
	return n
}

// meminfo reads a line of /proc/meminfo, in bytes.
func meminfo(root, name string) (int64, bool) {
	f, err := os.Open(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) >= 2 && fields[0] == name {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// pressure tells whether memory is short: tasks stalled for memory in more than a tenth of the last ten seconds
// (/proc/pressure/memory), or less than a tenth of the machine's memory is available.
func (m Machine) pressure() bool {
	if stalled(m.root) > 10 {
		return true
	}
	available, ok := meminfo(m.root, "MemAvailable:")
	total, _ := meminfo(m.root, "MemTotal:")
	return ok && available < total/10
}

// stalled reads "some avg10=1.53 avg60=..." in percent; 0 where the kernel has no pressure information.
func stalled(root string) float64 {
	content, err := os.ReadFile(filepath.Join(root, "proc/pressure/memory"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(content), "avg10=")
	value, _, _ := strings.Cut(rest, " ")
	percent, _ := strconv.ParseFloat(value, 64)
	return percent
}
