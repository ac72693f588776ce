//go:build !linux

package child

import "syscall"

func programAttributes() *syscall.SysProcAttr { return nil }

func (g Cage) lockIn() ([]string, error) {
	if g.Sandbox == SandboxOff {
		return nil, nil
	}
	return nil, errNoSandbox
}
