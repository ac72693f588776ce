//go:build !linux

package child

import "syscall"

// maxrss is in bytes on Darwin, and the only other systems built for are the BSDs, where it is only a label.
func maxrss(u *syscall.Rusage) int64 { return u.Maxrss }
