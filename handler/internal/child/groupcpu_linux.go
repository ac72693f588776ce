package child

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of processor times in proc_pid_stat(5): USER_HZ, which is 100 on every architecture that Linux has.
const tick = time.Second / 100

// GroupCPU is the processor time that the other processes of this one's group have used, with their children that have ended.
// A foreign child sees by it that a program lives which tells nothing of itself.
func GroupCPU() time.Duration {
	self, group := os.Getpid(), strconv.Itoa(unix.Getpgrp())
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var sum time.Duration
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err != nil || pid == self {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// After the command in brackets: state ppid pgrp ..., then utime stime cutime cstime as 14th to 17th field of all.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 15 || string(fields[2]) != group {
			continue
		}
		for _, field := range fields[11:15] {
			n, _ := strconv.ParseInt(string(field), 10, 64)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}
