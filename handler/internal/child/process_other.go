//go:build !linux

package child

import (
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes put the child into a group of its own. Only the lifeline tells it that the parent is gone.
func processAttributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// collect waits for the process, collects it, and kills what is left of its group.
func collect(cmd *exec.Cmd) {
	_ = cmd.Wait() // the error repeats the state
	killGroup(cmd.Process.Pid)
}

func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

func closeOnExec() {}

func cores() int { return runtime.NumCPU() }

func signalName(s syscall.Signal) string { return unix.SignalName(s) }

var parentLocks = []string{"process-group", "lifeline", "deadline", "progress-watch", "disk-watch"}
