package child

import (
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes put the child into a group of its own and let the kernel kill it when the spawning thread ends,
// which is when the parent ends (spawner.go). A foreign one is told instead, as it has to take its programs with it (guard).
func processAttributes(foreign bool) *syscall.SysProcAttr {
	if foreign {
		return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// collect waits for the process, kills what is left of its group while the pid still cannot be reused, and collects it.
func collect(cmd *exec.Cmd) {
	pid := cmd.Process.Pid
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	killGroup(pid)
	_ = cmd.Wait() // the error repeats the state
}

// killGroup kills every process of the child's group.
func killGroup(pid int) {
	_ = unix.Kill(-pid, unix.SIGKILL)
	_ = unix.Kill(pid, unix.SIGKILL)
}

// closeOnExec keeps descriptors that the host left open in this process from reaching children.
func closeOnExec() {
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
}

func cores() int { return runtime.NumCPU() }

func signalName(s syscall.Signal) string { return unix.SignalName(s) }

var parentLocks = []string{"process-group", "parent-death-signal", "lifeline", "memory-watch", "deadline", "progress-watch", "disk-watch"}
