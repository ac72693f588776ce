package ledger

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machineID names the set of processes that this one can see: the same start of the same machine, host name and process
// namespace. Empty when the system does not tell.
func machineID() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	host, err := os.Hostname()
	if err != nil {
		return ""
	}
	return hashOf(string(boot), space, host)
}

// processStart is when a process began, in the kernel's clock ticks since the machine started (proc_pid_stat(5), field 22), so
// that a process which got the number of a dead one is not taken for it. Empty when the system does not tell.
func processStart(pid int) string {
	_, start := processStat(pid)
	return start
}

func processStat(pid int) (state, start string) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", ""
	}
	_, rest, found := cutLast(string(text), ")") // the name before it may hold anything
	fields := strings.Fields(rest)
	if !found || len(fields) < 20 {
		return "", ""
	}
	return fields[0], fields[19]
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// processGone tells whether no process has the number, or another one that began later, or one that has ended and was not
// asked how.
func processGone(pid int, start string) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	state, now := processStat(pid)
	return now != "" && now != start || state == "Z" || state == "X"
}
