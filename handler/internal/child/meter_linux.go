package child

import (
	"bytes"
	"os"
	"strconv"
)

// memoryUse is what a look at a process group says, in bytes.
type memoryUse struct {
	now  int64 // resident set of the group
	peak int64 // high-water mark of its first process, or now if that is more
}

// measure adds up the resident sets of a process group. With alone set, the group is known to be one process
// (seccomp denies it to fork) and the rest of /proc is not read. ok is false when the process is gone or /proc cannot be read.
func measure(pgid int, alone bool) (use memoryUse, ok bool) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pgid) + "/status")
	if err != nil {
		return use, false
	}
	use.now = statusField(status, "VmRSS:")
	use.peak = statusField(status, "VmHWM:")
	if !alone {
		use.now += membersUse(pgid)
	}
	use.peak = max(use.peak, use.now)
	return use, true
}

// statusField reads a line such as "VmRSS:	    5120 kB", in bytes.
func statusField(status []byte, name string) int64 {
	_, rest, found := bytes.Cut(status, []byte("\n"+name))
	if !found {
		return 0
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(line, []byte("kB")))), 10, 64)
	return n << 10
}

// membersUse adds up the resident sets of the group's processes other than its first.
func membersUse(pgid int) int64 {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	page := int64(os.Getpagesize())
	var sum int64
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == pgid {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// After the command in brackets: state ppid pgrp ... rss is the 24th field of proc_pid_stat(5).
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 22 || string(fields[2]) != strconv.Itoa(pgid) {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		sum += pages * page
	}
	return sum
}

// ownMeter reads this process's memory after the sandbox has closed /proc: the files are opened before.
type ownMeter struct{ status, clear *os.File }

func openMeter() *ownMeter {
	m := &ownMeter{}
	m.status, _ = os.Open("/proc/self/status")
	m.clear, _ = os.OpenFile("/proc/self/clear_refs", os.O_WRONLY, 0)
	return m
}

// read gives the memory of this process; zero where it cannot be read.
func (m *ownMeter) read() (use memoryUse) {
	var buf [4096]byte
	if m.status == nil {
		return use
	}
	n, _ := m.status.ReadAt(buf[:], 0)
	return memoryUse{now: statusField(buf[:n], "VmRSS:"), peak: statusField(buf[:n], "VmHWM:")}
}

// resetPeak sets the high-water mark to the present size (proc_pid_clear_refs(5), value 5), so that each document
// of a batch has its own.
func (m *ownMeter) resetPeak() {
	if m.clear != nil {
		_, _ = m.clear.WriteAt([]byte("5"), 0)
	}
}
