//go:build unix

package emulator

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps the terminal's Ctrl-C from the emulator: whoever started it ends it, after the documents in work.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
